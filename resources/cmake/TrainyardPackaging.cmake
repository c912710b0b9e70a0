# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` copies, in the components that become the Debian packages:
#   window  trainyard          the window and what a desktop reads of it
#   engine  trainyard-engine   the terminal program and the worker; no Qt
#   dev     libtrainyard-dev   the library for programs in C++
# Included after all targets exist. resources/cmake/TrainyardDebian.cmake says how the packages are made.
include(TrainyardManual)
set(docs "${CMAKE_INSTALL_DATADIR}/doc")

# The programs find one another beside themselves, so they go into one folder.
install(TARGETS trainyardctl RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT engine)
foreach(program trainyard-worker trainyard-relay)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT engine)
  endif()
endforeach()
foreach(library IN LISTS TRAINYARD_STAND_INS)
  install(FILES "${PROJECT_BINARY_DIR}/lib/trainyard/stand-ins/${library}" DESTINATION lib/trainyard/stand-ins
    COMPONENT engine)
endforeach()
install(DIRECTORY "${TRAINYARD_MANUALS}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT engine
  FILES_MATCHING PATTERN "trainyardctl*.1.gz" PATTERN "trainyard-worker.1.gz" PATTERN "trainyard-relay.1.gz")
install(DIRECTORY "${TRAINYARD_MANUALS}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man5" COMPONENT engine
  FILES_MATCHING PATTERN "*.5.gz")
install(FILES "${TRAINYARD_COMPLETIONS}/trainyardctl.bash" RENAME trainyardctl
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT engine)
install(FILES "${TRAINYARD_COMPLETIONS}/trainyardctl.zsh" RENAME _trainyardctl
  DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" COMPONENT engine)
install(FILES "${TRAINYARD_COMPLETIONS}/trainyardctl.fish"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT engine)
# Beside the programs in the build folder, too (engine/run/launch/programs.h).
configure_file("${PROJECT_SOURCE_DIR}/resources/python/trainyard.py"
  "${PROJECT_BINARY_DIR}/share/trainyard/python/trainyard.py" COPYONLY)
install(FILES "${PROJECT_SOURCE_DIR}/resources/python/trainyard.py"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/trainyard/python" COMPONENT engine)
install(FILES "${PROJECT_SOURCE_DIR}/README.md" DESTINATION "${docs}/trainyard-engine" COMPONENT engine)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${docs}/trainyard-engine" COMPONENT engine
  FILES_MATCHING PATTERN "*.json" PATTERN "*.csv" PATTERN "*.cpp" PATTERN "*.py" PATTERN "*.sh" PATTERN "CMakeLists.txt")

if(TARGET trainyard_train)
  include(TrainyardExport)
endif()

if(TARGET trainyard)
  set(desktop "${PROJECT_SOURCE_DIR}/resources/desktop")
  install(TARGETS trainyard RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT window)
  install(FILES "${TRAINYARD_MANUALS}/trainyard.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT window)
  install(FILES "${desktop}/org.trainyard.Trainyard.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications"
    COMPONENT window)
  install(FILES "${desktop}/org.trainyard.Trainyard.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo"
    COMPONENT window)
  install(FILES "${desktop}/org.trainyard.Trainyard.mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages"
    COMPONENT window)
  install(FILES "${PROJECT_SOURCE_DIR}/resources/icons/app/trainyard.svg"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps" COMPONENT window)
endif()

include(TrainyardDebian)
