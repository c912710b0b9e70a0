# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages that `cpack` makes of the components. The version is the project's; the revision names the release
# that the packages are built on, since each is for that one, and an upgrade of the system brings a higher one.
set(TRAINYARD_REVISION "1")
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release os_lines REGEX "^(ID|VERSION_ID|VERSION_CODENAME)=")
  string(REGEX REPLACE "\"" "" os_lines "${os_lines}")
  foreach(line IN LISTS os_lines)
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" matched "${line}")
    set(os_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
  endforeach()
  if(os_ID STREQUAL "debian")
    string(APPEND TRAINYARD_REVISION "+deb${os_VERSION_ID}")
    if(NOT os_VERSION_ID) # not released yet: after all that are, and before none
      string(APPEND TRAINYARD_REVISION "${os_VERSION_CODENAME}")
    endif()
  endif()
endif()

# As dch has it: who makes a package answers for it.
if(DEFINED ENV{DEBEMAIL} AND DEFINED ENV{DEBFULLNAME})
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
else()
  set(maintainer "Trainyard developers <trainyard@localhost>")
endif()
set(TRAINYARD_MAINTAINER "${maintainer}" CACHE STRING "Maintainer of the Debian packages: NAME <ADDRESS>")

# The day of the changelog: SOURCE_DATE_EPOCH, else that of the commit, else that of this file's last change.
set(epoch "$ENV{SOURCE_DATE_EPOCH}")
if(NOT epoch)
  execute_process(COMMAND git -C "${PROJECT_SOURCE_DIR}" log -1 --format=%ct OUTPUT_VARIABLE epoch
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(epoch)
  execute_process(COMMAND date -u -R -d "@${epoch}" OUTPUT_VARIABLE TRAINYARD_DATE OUTPUT_STRIP_TRAILING_WHITESPACE)
else()
  execute_process(COMMAND date -u -R -r "${PROJECT_SOURCE_DIR}/CHANGELOG.md" OUTPUT_VARIABLE TRAINYARD_DATE
    OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()

set(made "${PROJECT_BINARY_DIR}/debian")
set(packages engine dev)
set(package_engine trainyard-engine)
set(package_dev libtrainyard-dev)
set(package_window trainyard)
if(TARGET trainyard)
  list(APPEND packages window)
endif()
if(NOT TARGET trainyard_train)
  list(REMOVE_ITEM packages dev)
endif()
foreach(component IN LISTS packages)
  set(TRAINYARD_PACKAGE "${package_${component}}")
  set(folder "${made}/${TRAINYARD_PACKAGE}")
  configure_file("${PROJECT_SOURCE_DIR}/resources/packaging/changelog.in" "${folder}/changelog.Debian" @ONLY)
  configure_file("${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${folder}/changelog" COPYONLY)
  execute_process(COMMAND gzip -9nf changelog.Debian changelog WORKING_DIRECTORY "${folder}")
  install(FILES "${folder}/changelog.Debian.gz" "${folder}/changelog.gz"
    "${PROJECT_SOURCE_DIR}/resources/packaging/copyright"
    DESTINATION "${docs}/${TRAINYARD_PACKAGE}" COMPONENT ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${TRAINYARD_PACKAGE})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME trainyard)
set(CPACK_PACKAGE_VENDOR "Trainyard developers")
set(CPACK_PACKAGE_CONTACT "${TRAINYARD_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL ${packages})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz) # as Debian does
set(CPACK_THREADS 0) # of all cores
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "${TRAINYARD_REVISION}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # the libraries the programs link, with their least versions
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON) # of the same version: they speak with one another

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own, in the first line of its description
set(CPACK_COMPONENT_ENGINE_DESCRIPTION "distributed training of neural networks, without a window
Launches and supervises training runs on this computer and on hosts reached
over SSH: data-parallel training that survives the loss of workers,
hyperparameter sweeps, checkpoints, evaluation and export. This package holds
the terminal program trainyardctl and the worker built on LibTorch; it needs
no screen.")
set(CPACK_DEBIAN_ENGINE_PACKAGE_SECTION science)
# OpenBLAS: matrix products on the reference BLAS take 40 times as long; with OpenMP it shares LibTorch's threads. The
# data is that of the first run.
string(CONCAT CPACK_DEBIAN_ENGINE_PACKAGE_RECOMMENDS
  "libopenblas0-openmp | libopenblas0, dataset-fashion-mnist, libcurl4, libmicrohttpd12 | libmicrohttpd12t64, "
  "openssh-client")
set(CPACK_DEBIAN_ENGINE_PACKAGE_SUGGESTS "trainyard, bash-completion")
# Until 0.1.0 one package held everything.
set(CPACK_DEBIAN_ENGINE_PACKAGE_BREAKS "trainyard (<< 0.1.0-1)")
set(CPACK_DEBIAN_ENGINE_PACKAGE_REPLACES "trainyard (<< 0.1.0-1)")

set(CPACK_COMPONENT_WINDOW_DESCRIPTION "workbench for distributed training of neural networks
Point, click, train: starts runs and hyperparameter sweeps on this computer or
on hosts reached over SSH, shows their curves while they train, compares them,
and browses and exports their checkpoints. This package holds the window.")
set(CPACK_COMPONENT_WINDOW_DEPENDS engine)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SECTION science)
# Newer releases hold the plug-in that reads SVG icons in a package of its own.
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "qt6-svg-plugins | libqt6svg6 (<< 6.5)")
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "qt6-wayland")

set(CPACK_COMPONENT_DEV_DESCRIPTION "library for distributed training in C++ (development files)
Headers, static libraries and the CMake package of Trainyard, with which
programs in C++ train models of their own: find_package(Trainyard) gives
Trainyard::train.")
set(CPACK_COMPONENT_DEV_DEPENDS engine)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libtorch-dev, libgloo-dev, libsqlite3-dev, libssl-dev, libnlopt-dev")
string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libpcre2-dev")
string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libpng-dev, libjpeg-dev, libtiff-dev, libwebp-dev, zlib1g-dev")
if(TRAINYARD_ONEDNN AND TRAINYARD_DNNL_LIBRARY)
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libdnnl-dev")
endif()
include(CPack)
