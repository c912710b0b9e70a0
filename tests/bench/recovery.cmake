# SPDX-License-Identifier: GPL-3.0-or-later
# Launch and recovery times, and the soak program: started by hand.
if(TRAINYARD_TORCH)
  foreach(name recovery_bench soak)
    add_executable(${name} EXCLUDE_FROM_ALL ${name}.cpp)
    target_link_libraries(${name} PRIVATE trainyard_options run_lab Qt6::Core)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    add_dependencies(${name} trainyard-worker trainyardctl)
  endforeach()
endif()
