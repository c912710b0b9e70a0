# SPDX-License-Identifier: GPL-3.0-or-later
if(TRAINYARD_TORCH)
  add_executable(ddp_bench ddp_bench.cpp)
  target_link_libraries(ddp_bench PRIVATE trainyard_options rank_group Qt6::Core)
  target_compile_definitions(ddp_bench PRIVATE TRAINYARD_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  set_target_properties(ddp_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  add_dependencies(ddp_bench trainyard-worker)
  add_test(NAME ddp_bench COMMAND ddp_bench 1 200)
  set_tests_properties(ddp_bench PROPERTIES LABELS bench TIMEOUT 300 RUN_SERIAL ON SKIP_RETURN_CODE 77
    ENVIRONMENT "TRAINYARD_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endif()
