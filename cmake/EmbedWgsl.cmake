# Turns every .wgsl file below SOURCE_DIR into one C++ table: cmake -DSOURCE_DIR=.. -DOUTPUT=.. -P EmbedWgsl.cmake
# A raw string literal may be limited to 65 536 characters by a compiler; a kernel file is far below that.
file(GLOB_RECURSE kernels RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/*.wgsl)
list(SORT kernels)
set(rows "")
foreach(kernel IN LISTS kernels)
    file(READ ${SOURCE_DIR}/${kernel} text)
    get_filename_component(name ${kernel} NAME_WE)
    string(APPEND rows "    {\"${name}\", \"upsweep/${kernel}\", R\"~wgsl~(${text})~wgsl~\"},\n")
endforeach()
set(content "#include \"upsweep/core/wgsl_sources.h\"\n\nnamespace upsweep {\n\nstatic const WgslSource table[] = {\n${rows}};\n
std::span<const WgslSource> embedded_wgsl() { return table; }\n\n}  // namespace upsweep\n")
file(WRITE ${OUTPUT}.new "${content}")
execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${OUTPUT}.new ${OUTPUT})
file(REMOVE ${OUTPUT}.new)
