# SPDX-License-Identifier: GPL-3.0-or-later
# The library for other projects: find_package(Trainyard) gives Trainyard::train.
include(CMakePackageConfigHelpers)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/Trainyard")
install(TARGETS trainyard_core trainyard_formats trainyard_torch trainyard_train EXPORT TrainyardTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev)
install(EXPORT TrainyardTargets NAMESPACE Trainyard:: DESTINATION "${package}" COMPONENT dev)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/engine/torch/api/include/trainyard"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT dev FILES_MATCHING PATTERN "*.h")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/TrainyardConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/TrainyardConfig.cmake" INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/TrainyardConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/TrainyardConfig.cmake" "${PROJECT_BINARY_DIR}/TrainyardConfigVersion.cmake"
  DESTINATION "${package}" COMPONENT dev)
