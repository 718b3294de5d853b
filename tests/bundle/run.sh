#!/bin/bash
# Tests this machine's GPU with each WebGPU library in this folder, then measures it and, if there is nvcc, CUB; the results go to
# ./results/. Arguments are those of rivals/run.sh.
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$(mktemp -d)}

# The dynamic linker itself says whether it finds the loader.
if LD_PRELOAD=libvulkan.so.1 /bin/true 2>&1 | grep -q libvulkan; then
    echo "There is no Vulkan loader here (libvulkan.so.1). Install it: the package libvulkan1 on Debian and Ubuntu." >&2
    exit 1
fi

mkdir -p results
failed=0
for program in "$here"/upsweep_gpu_tests-*; do
    provider=${program##*upsweep_gpu_tests-}
    echo "Testing with $provider ..."
    "$program" --gtest_output="xml:results/tests-$provider.xml" >"results/tests-$provider.txt" 2>&1 || failed=1
    tail -n 3 "results/tests-$provider.txt"
done
"$here/rivals/run.sh" --out results "$@" || failed=1
exit $failed
