# `cmake --install`: headers, libraries, the CMake package volnav and the pkg-config files. Both find their prefix from where they lie.
# The target `installed` builds what is installed, and nothing else.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/volnav)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY include/volnav DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(libraries volnav volnav_io volnav_classic volnav_sim)
foreach(name IN LISTS libraries)
  install(TARGETS ${name}_shared ${name}_static EXPORT volnav)
endforeach()
add_custom_target(installed DEPENDS volnav_shared volnav_static volnav_io_shared volnav_io_static
  volnav_classic_shared volnav_classic_static volnav_sim_shared volnav_sim_static)
install(EXPORT volnav NAMESPACE volnav:: FILE volnavTargets.cmake DESTINATION ${package_dir})

configure_package_config_file(cmake/volnavConfig.cmake.in ${PROJECT_BINARY_DIR}/volnavConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# While the major version is 0, each minor release may break what the one before promised.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
else()
  set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/volnavConfigVersion.cmake COMPATIBILITY ${compatibility})
install(FILES ${PROJECT_BINARY_DIR}/volnavConfig.cmake ${PROJECT_BINARY_DIR}/volnavConfigVersion.cmake
  DESTINATION ${package_dir})

cmake_path(IS_RELATIVE CMAKE_INSTALL_LIBDIR libdir_is_relative)
if(libdir_is_relative)
  file(RELATIVE_PATH up /prefix/${pkgconfig_dir} /prefix)
  set(PC_PREFIX "\${pcfiledir}/${up}")
  string(REGEX REPLACE "/$" "" PC_PREFIX "${PC_PREFIX}")
else()
  set(PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
endif()
cmake_path(APPEND PC_LIBDIR "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND PC_INCLUDEDIR "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
set(PC_LIBS_PRIVATE)
if(UNIX)
  string(APPEND PC_LIBS_PRIVATE " -lm")
endif()
if(VOLNAV_THREADS)
  string(APPEND PC_LIBS_PRIVATE " ${CMAKE_THREAD_LIBS_INIT}")
endif()
set(PC_IO_REQUIRES_PRIVATE)
if(VOLNAV_ZSTD)
  string(APPEND PC_IO_REQUIRES_PRIVATE " libzstd")
endif()
foreach(name IN LISTS libraries)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_dir})
endforeach()
