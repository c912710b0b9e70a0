# SPDX-License-Identifier: GPL-3.0-or-later
# Manual pages and completion, printed by the programs from the options that they parse with. Built by the target
# trainyard_manuals, which belongs to `all`.
set(TRAINYARD_MANUALS "${PROJECT_BINARY_DIR}/share/man")
set(TRAINYARD_COMPLETIONS "${PROJECT_BINARY_DIR}/share/completion")
set(run_file "${PROJECT_SOURCE_DIR}/engine/spec/RUN_FILE.md")

set(programs trainyardctl)
set(prints COMMAND trainyardctl manual "${TRAINYARD_MANUALS}" --run-file "${run_file}")
foreach(program trainyard-worker trainyard-relay)
  if(TARGET ${program})
    list(APPEND programs ${program})
    list(APPEND prints COMMAND ${program} manual "${TRAINYARD_MANUALS}/${program}.1")
  endif()
endforeach()
if(TARGET trainyard)
  list(APPEND programs trainyard)
  list(APPEND prints COMMAND trainyard --manual "${TRAINYARD_MANUALS}/trainyard.1")
endif()
foreach(shell bash zsh fish)
  list(APPEND prints COMMAND trainyardctl completion ${shell} > "${TRAINYARD_COMPLETIONS}/trainyardctl.${shell}")
endforeach()

set(stamp "${PROJECT_BINARY_DIR}/share/manuals.stamp")
add_custom_command(OUTPUT "${stamp}"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${TRAINYARD_MANUALS}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${TRAINYARD_MANUALS}" "${TRAINYARD_COMPLETIONS}"
  ${prints}
  COMMAND sh -c "gzip -9nf \"$1\"/*.[15]" sh "${TRAINYARD_MANUALS}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
  DEPENDS ${programs} "${run_file}" COMMENT "Manual pages and completion" VERBATIM)
add_custom_target(trainyard_manuals ALL DEPENDS "${stamp}")
