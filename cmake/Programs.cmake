# Programs are compiled once and linked once for each WebGPU library: NAME is the one with the chosen library, NAME-wgpu-native and NAME-dawn
# have theirs. UPSWEEP_PROVIDERS lists the libraries that programs are linked with.
set(UPSWEEP_PROVIDERS "wgpu-native;dawn" CACHE STRING "WebGPU libraries that the programs are linked with")
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    list(REMOVE_ITEM UPSWEEP_PROVIDERS dawn)  # There is no wheel with it.
endif()
foreach(provider IN LISTS UPSWEEP_PROVIDERS)
    upsweep_import_webgpu(${provider})
endforeach()

# upsweep_program(NAME SOURCES ... LIBRARIES ...)
function(upsweep_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
    add_library(${name}_objects OBJECT ${arg_SOURCES})
    target_link_libraries(${name}_objects PUBLIC upsweep_record upsweep_options ${arg_LIBRARIES})
    foreach(provider IN LISTS UPSWEEP_PROVIDERS)
        add_executable(${name}-${provider} $<TARGET_OBJECTS:${name}_objects>)
        target_link_libraries(${name}-${provider} PRIVATE upsweep_record upsweep_webgpu_${provider} ${arg_LIBRARIES})
        set_target_properties(${name}-${provider} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
    endforeach()
endfunction()
