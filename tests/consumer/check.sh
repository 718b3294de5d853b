#!/bin/bash
# Installs the build in the folder $1, builds this folder's project in each way there is, and runs it on software adapters.
set -euo pipefail
build=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
root=$(realpath "$here/../..")
prefix=$build/install
wgpu=$(echo "$build"/_webgpu/wgpu-*/wgpu/resources/libwgpu_native-release.so)
dawn=$(echo "$build"/_webgpu/rillfacet-*/rillfacet/libwebgpu_dawn.so)
lavapipe=$(echo /usr/share/vulkan/icd.d/lvp_icd.*.json)
swiftshader=/usr/lib/chromium/vk_swiftshader_icd.json

rm -rf "$prefix" "$build/consumer"
cmake --install "$build" --prefix "$prefix"
if grep -rlF "$root" "$prefix"; then
    echo "The installed files above name the source tree." >&2
    exit 1
fi

check() { # NAME ICD CMAKE_ARGUMENTS...
    local name=$1 icd=$2
    shift 2
    cmake -S "$here" -B "$build/consumer/$name" -G Ninja -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
    cmake --build "$build/consumer/$name" --target scan_in_your_encoder
    VK_ICD_FILENAMES=$icd "$build/consumer/$name/scan_in_your_encoder"
}
check package "$lavapipe" -DCMAKE_PREFIX_PATH="$prefix"
check source "$lavapipe" -DFROM_SOURCE=ON -DOWN_WEBGPU=ON -DWEBGPU_LIBRARY="$wgpu" -DWEBGPU_INCLUDE="$build/_webgpu/include"
if [ -e "$dawn" ]; then
    check package-own "$swiftshader" -DCMAKE_PREFIX_PATH="$prefix" -DOWN_WEBGPU=ON \
        -DWEBGPU_LIBRARY="$dawn" -DWEBGPU_INCLUDE="$build/_webgpu/include"
fi
