#!/bin/bash
# Compiles the planner to WebAssembly below the native build in the folder $1, and compares what the two plan, byte by byte.
set -euo pipefail
build=$(realpath "$1")
root=$(dirname "$(realpath "$0")")/../..
export NODE_PATH=/usr/share/nodejs # Where Debian has emscripten's own JavaScript; a Node from elsewhere does not look there.

emcmake cmake -S "$root" -B "$build/wasm" -G Ninja -DCMAKE_BUILD_TYPE=Release
cmake --build "$build/wasm"
"$build/bin/upsweep_plan_text" >"$build/wasm/native.txt"
node "$build/wasm/bin/upsweep_plan_text.js" >"$build/wasm/wasm.txt"
cmp "$build/wasm/native.txt" "$build/wasm/wasm.txt"
echo "$(grep -c '^== ' "$build/wasm/wasm.txt") requests gave the same $(stat -c %s "$build/wasm/wasm.txt") bytes."
