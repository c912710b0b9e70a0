# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` copies, and the Debian package that `cpack` makes of it. Included after all targets exist.

# The programs find one another beside themselves, so they go into one folder.
foreach(program trainyard trainyardctl trainyard-worker)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endforeach()

if(TARGET trainyard_train)
  include(TrainyardExport)
endif()

if(TARGET trainyard)
  set(desktop "${PROJECT_SOURCE_DIR}/resources/desktop")
  install(FILES "${desktop}/org.trainyard.Trainyard.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES "${desktop}/org.trainyard.Trainyard.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES "${desktop}/org.trainyard.Trainyard.mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
  install(FILES "${PROJECT_SOURCE_DIR}/resources/icons/app/trainyard.svg"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
endif()

install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/trainyard")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/trainyard" RENAME copyright)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/trainyard"
  FILES_MATCHING PATTERN "*.json" PATTERN "*.csv" PATTERN "*.cpp" PATTERN "CMakeLists.txt")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME trainyard)
set(CPACK_PACKAGE_VENDOR "Trainyard developers")
set(CPACK_PACKAGE_CONTACT "Trainyard developers <trainyard@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Launch, watch and compare distributed neural network training on this computer or on
 hosts reached over SSH: a window, a terminal program and a worker built on LibTorch.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # the libraries the programs link, with their least versions
# OpenBLAS: matrix products on the reference BLAS take 40 times as long. The data is that of the first run.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "libopenblas0-pthread | libopenblas0, dataset-fashion-mnist, libcurl4, openssh-client, qt6-wayland")
include(CPack)
