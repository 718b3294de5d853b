# Every header compiles alone, and twice in one file. include() this after the libraries are declared; the targets are part of `all`, so a
# header that needs another one first fails the build. The headers of the pure library see no webgpu.h: it is not on their include path.
file(GLOB_RECURSE plan_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/upsweep/*.h)
set(record_headers ${plan_headers})
list(FILTER plan_headers EXCLUDE REGEX "^upsweep/(record/.*|upsweep\\.h)$")
list(FILTER record_headers INCLUDE REGEX "^upsweep/(record/.*|upsweep\\.h)$")

# upsweep_check_headers(NAME LIBRARY HEADERS...)
function(upsweep_check_headers name library)
    set(sources "")
    foreach(header IN LISTS ARGN)
        string(MAKE_C_IDENTIFIER ${header} source)
        set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${source}.cpp)
        file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
        list(APPEND sources ${source})
    endforeach()
    add_library(${name} OBJECT ${sources})
    target_link_libraries(${name} PRIVATE ${library} upsweep_options)
endfunction()

upsweep_check_headers(upsweep_plan_headers upsweep_plan ${plan_headers})
upsweep_check_headers(upsweep_record_headers upsweep_record ${record_headers})
