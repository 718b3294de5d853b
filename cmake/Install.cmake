# cmake --install: the package `upsweep` for find_package, with the targets upsweep::plan and upsweep::upsweep.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/upsweep)

file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} upsweep/*.h upsweep/*/*.h)
foreach(header IN LISTS headers)
    file(STRINGS ${header} private REGEX "^// .*Private to " LIMIT_COUNT 1)
    if(NOT private)
        get_filename_component(folder ${header} DIRECTORY)
        install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
    endif()
endforeach()

# A WebGPU library that was fetched goes along. One of the user's own stays where it is: the consumer names it again.
set(installed_webgpu "")
if(webgpu_target STREQUAL "upsweep_webgpu_${UPSWEEP_WEBGPU}")
    get_target_property(library ${webgpu_target} IMPORTED_LOCATION)
    get_target_property(include ${webgpu_target} INTERFACE_INCLUDE_DIRECTORIES)
    get_filename_component(installed_webgpu ${library} NAME)
    install(FILES ${library} DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES ${include}/webgpu/webgpu.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/webgpu)
endif()

install(TARGETS upsweep_plan upsweep_record upsweep EXPORT upsweep-targets)
install(EXPORT upsweep-targets NAMESPACE upsweep:: DESTINATION ${package_dir})
configure_package_config_file(cmake/upsweep-config.cmake.in upsweep-config.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(upsweep-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/upsweep-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/upsweep-config-version.cmake
        DESTINATION ${package_dir})

# cmake --install --component bundle: the programs and their WebGPU libraries in one folder, to be run elsewhere.
add_custom_target(upsweep_bundled)
foreach(provider IN LISTS UPSWEEP_PROVIDERS)
    foreach(program upsweep_cli upsweep_gpu_tests)
        if(TARGET ${program}-${provider})
            set_target_properties(${program}-${provider} PROPERTIES INSTALL_RPATH $ORIGIN)
            add_dependencies(upsweep_bundled ${program}-${provider})
            install(TARGETS ${program}-${provider} RUNTIME DESTINATION . COMPONENT bundle EXCLUDE_FROM_ALL)
        endif()
    endforeach()
    if(TARGET upsweep_cli-${provider})
        install(FILES $<TARGET_FILE:upsweep_webgpu_${provider}> DESTINATION . COMPONENT bundle EXCLUDE_FROM_ALL)
    endif()
endforeach()
install(PROGRAMS tests/bundle/run.sh DESTINATION . COMPONENT bundle EXCLUDE_FROM_ALL)
