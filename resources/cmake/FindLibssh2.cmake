# SPDX-License-Identifier: GPL-3.0-or-later
# Debian's libssh2 has no CMake package; upstream's, where installed, is named the same and is tried first.
# Defines Libssh2::libssh2, Libssh2_FOUND and Libssh2_VERSION.
find_package(libssh2 QUIET CONFIG)
if(TARGET libssh2::libssh2 OR TARGET Libssh2::libssh2)
  set(Libssh2_FOUND TRUE)
  set(Libssh2_VERSION "${libssh2_VERSION}")
  if(NOT TARGET Libssh2::libssh2)
    add_library(Libssh2::libssh2 INTERFACE IMPORTED)
    target_link_libraries(Libssh2::libssh2 INTERFACE libssh2::libssh2)
  endif()
  return()
endif()

find_path(Libssh2_INCLUDE_DIR libssh2.h)
find_library(Libssh2_LIBRARY ssh2)
if(Libssh2_INCLUDE_DIR)
  file(STRINGS "${Libssh2_INCLUDE_DIR}/libssh2.h" Libssh2_line REGEX "^#define LIBSSH2_VERSION[ \t]+\"")
  string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" Libssh2_VERSION "${Libssh2_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libssh2 REQUIRED_VARS Libssh2_LIBRARY Libssh2_INCLUDE_DIR
  VERSION_VAR Libssh2_VERSION REASON_FAILURE_MESSAGE "install libssh2-1-dev, or configure with -DTRAINYARD_REMOTE=OFF")
if(Libssh2_FOUND AND NOT TARGET Libssh2::libssh2)
  add_library(Libssh2::libssh2 UNKNOWN IMPORTED)
  set_target_properties(Libssh2::libssh2 PROPERTIES
    IMPORTED_LOCATION "${Libssh2_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Libssh2_INCLUDE_DIR}")
endif()
mark_as_advanced(Libssh2_INCLUDE_DIR Libssh2_LIBRARY)
