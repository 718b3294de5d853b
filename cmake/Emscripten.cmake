# What emscripten's own sysroot lacks for upsweep::plan.
if(NOT TARGET tl::expected)
    # One header of the system's, without the rest of /usr/include: that is not for WebAssembly.
    find_path(UPSWEEP_EXPECTED_INCLUDE tl/expected.hpp REQUIRED NO_CMAKE_FIND_ROOT_PATH PATHS /usr/local/include /usr/include)
    file(COPY ${UPSWEEP_EXPECTED_INCLUDE}/tl/expected.hpp DESTINATION ${CMAKE_CURRENT_BINARY_DIR}/expected/tl)
    add_library(tl::expected INTERFACE IMPORTED)
    target_include_directories(tl::expected INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/expected)
endif()
target_compile_options(upsweep_options INTERFACE -include ${CMAKE_CURRENT_LIST_DIR}/bit_cast.h)
