# Gives a CMake target for each WebGPU library that can be had: upsweep_webgpu_wgpu-native and upsweep_webgpu_dawn.
# Both come out of PyPI wheels that are pinned by version and hash in cmake/webgpu-wheels.txt.
find_package(Threads REQUIRED)

function(upsweep_fetch_wheel name version out_dir)
    set(dir ${CMAKE_BINARY_DIR}/_webgpu/${name}-${version})
    set(${out_dir} ${dir} PARENT_SCOPE)
    if(EXISTS ${dir}/.complete)
        return()
    endif()
    find_program(UPSWEEP_PYTHON NAMES python3 REQUIRED)
    set(arch ${CMAKE_SYSTEM_PROCESSOR})
    set(pins ${CMAKE_BINARY_DIR}/_webgpu/${name}.txt)
    file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/webgpu-wheels.txt pin REGEX "^${name}==${version} ")
    file(WRITE ${pins} "${pin}\n")
    message(STATUS "Fetching the WebGPU library in the wheel ${name} ${version} for ${arch}")
    execute_process(
        COMMAND ${UPSWEEP_PYTHON} -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all:
                --python-version 3.11 --implementation cp --abi cp311 --abi none
                --platform manylinux_2_28_${arch} --platform manylinux_2_27_${arch} --require-hashes
                -r ${pins} -d ${dir}/wheel
        RESULT_VARIABLE failed ERROR_VARIABLE why)
    if(failed)
        message(FATAL_ERROR "The wheel ${name} ${version} with a WebGPU library for ${arch} could not be had: ${why}"
                            "Give a WebGPU target of your own with -DUPSWEEP_WEBGPU=<target>.")
    endif()
    file(GLOB wheel ${dir}/wheel/*.whl)
    file(ARCHIVE_EXTRACT INPUT ${wheel} DESTINATION ${dir})
    file(REMOVE_RECURSE ${dir}/wheel)
    file(TOUCH ${dir}/.complete)
endfunction()

# The standard header is the one in the wgpu wheel for both: the two libraries agree on it.
function(upsweep_import_webgpu provider)
    set(target upsweep_webgpu_${provider})
    if(TARGET ${target})
        return()
    endif()
    upsweep_fetch_wheel(wgpu 0.32.0 wgpu_dir)
    set(include ${CMAKE_BINARY_DIR}/_webgpu/include)
    file(COPY ${wgpu_dir}/wgpu/resources/webgpu.h DESTINATION ${include}/webgpu)
    if(provider STREQUAL "wgpu-native")
        set(library ${wgpu_dir}/wgpu/resources/libwgpu_native-release.so)
    elseif(provider STREQUAL "dawn")
        if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
            message(FATAL_ERROR "There is no wheel with Dawn for ${CMAKE_SYSTEM_PROCESSOR}; use wgpu-native, or give a Dawn target of your own with -DUPSWEEP_WEBGPU=<target>.")
        endif()
        upsweep_fetch_wheel(rillfacet 0.1.3 dawn_dir)
        set(library ${dawn_dir}/rillfacet/libwebgpu_dawn.so)
    else()
        message(FATAL_ERROR "UPSWEEP_WEBGPU is '${provider}'; it must be wgpu-native, dawn or an existing CMake target.")
    endif()
    add_library(${target} SHARED IMPORTED GLOBAL)
    # wgpu-native has no SONAME; without IMPORTED_NO_SONAME the build path would end up in every binary.
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${library} IMPORTED_NO_SONAME TRUE
                                               INTERFACE_INCLUDE_DIRECTORIES ${include})
endfunction()
