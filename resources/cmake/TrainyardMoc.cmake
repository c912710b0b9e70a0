# SPDX-License-Identifier: GPL-3.0-or-later
# moc is run without folders of headers: it needs nothing of what a file includes, and went through the headers of Qt and
# LibTorch for each, which took two minutes of a build. CMake 4.1 has AUTOMOC_INCLUDE_DIRECTORIES for this.
find_package(Qt6 6.4 REQUIRED COMPONENTS Core)
get_target_property(moc Qt6::moc LOCATION)
set(moc_alone "${CMAKE_BINARY_DIR}/moc_alone")
file(CONFIGURE OUTPUT "${moc_alone}" @ONLY CONTENT [[#!/bin/sh
for word do
  shift
  case $word in -I*) ;; *) set -- "$@" "$word" ;; esac
done
exec "@moc@" "$@"
]])
file(CHMOD "${moc_alone}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
get_target_property(configurations Qt6::moc IMPORTED_CONFIGURATIONS)
list(TRANSFORM configurations PREPEND IMPORTED_LOCATION_)
foreach(location IMPORTED_LOCATION ${configurations})
  set_property(TARGET Qt6::moc PROPERTY ${location} "${moc_alone}")
endforeach()
