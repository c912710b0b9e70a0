# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of supervisors, sweeps and trainyardctl against real worker processes that follow a plan instead of training.
set(scripted_programs "${CMAKE_BINARY_DIR}/tests/scripted")
add_executable(scripted_worker lab/scripted_worker.cpp)
target_link_libraries(scripted_worker PRIVATE trainyard_core nlohmann_json::nlohmann_json)
set_target_properties(scripted_worker PROPERTIES OUTPUT_NAME trainyard-worker
  RUNTIME_OUTPUT_DIRECTORY "${scripted_programs}")
add_custom_command(TARGET scripted_worker POST_BUILD COMMAND "${CMAKE_COMMAND}" -E create_symlink
  "$<TARGET_FILE:trainyardctl>" "${scripted_programs}/trainyardctl")
add_dependencies(scripted_worker trainyardctl)

add_library(run_lab STATIC lab/run_lab.cpp lab/process_look.cpp)
target_link_libraries(run_lab PUBLIC trainyard_core Qt6::Core)
target_compile_definitions(run_lab PUBLIC SCRIPTED_PROGRAMS="${scripted_programs}")

foreach(source run/run_faults_test run/supervisor_control_test run/live_control_test queue/queue_test sweep/sweep_test
    sweep/sweep_early_stop_test sweep/sweep_rules_test sweep/sweep_steer_test sweep/sweep_takeover_test
    app/ctl_contract_test app/ctl_environment_test app/ctl_checkpoints_test app/ctl_sweep_test app/sweep_commands_test app/ctl_help_test
    app/program_commands_test)
  cmake_path(GET source FILENAME name)
  trainyard_test(${name} LABEL process SOURCES ${source}.cpp LIBRARIES run_lab nlohmann_json::nlohmann_json TIMEOUT 300)
  trainyard_test_needs(${name} scripted_worker)
endforeach()
# Deadlines of the product, which these wait for.
set_tests_properties(run_faults_test supervisor_control_test ctl_environment_test PROPERTIES PROCESSORS 1)
trainyard_test_definitions(ctl_environment_test STORAGE_SHIM="$<TARGET_FILE:storage_shim>")
trainyard_test_needs(ctl_environment_test storage_shim)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 16)
  set_source_files_properties(sweep/sweep_test.cpp TARGET_DIRECTORY process_tests PROPERTIES
    COMPILE_OPTIONS -Wno-free-nonheap-object) # wrong about the copy of a std::variant at -O2
endif()

if(TRAINYARD_TORCH)
  trainyard_test_needs(sweep_early_stop_test trainyard-worker)
  trainyard_test(sweep_adopt_test LABEL process SOURCES sweep/sweep_adopt_test.cpp LIBRARIES run_lab TIMEOUT 600)
  trainyard_test_needs(sweep_adopt_test trainyardctl trainyard-worker)
  trainyard_test(answer_test LABEL process SOURCES worker/answer_test.cpp LIBRARIES run_lab TIMEOUT 300)
  trainyard_test_needs(answer_test trainyardctl trainyard-worker)
  trainyard_test(serving_test LABEL process SOURCES serve/serving_test.cpp LIBRARIES run_lab TIMEOUT 300)
  trainyard_test_needs(serving_test trainyardctl trainyard-worker)
  trainyard_test(serving_faults_test LABEL process SOURCES serve/serving_faults_test.cpp LIBRARIES run_lab TIMEOUT 300)
  trainyard_test_needs(serving_faults_test trainyardctl trainyard-worker)
  if(TARGET trainyard-relay)
    trainyard_test(relay_test LABEL process SOURCES worker/relay_test.cpp LIBRARIES run_lab TIMEOUT 300)
    trainyard_test(hold_test LABEL process SOURCES worker/hold_test.cpp LIBRARIES run_lab TIMEOUT 300)
    trainyard_test(program_code_test LABEL process SOURCES program/program_code_test.cpp TIMEOUT 300
      LIBRARIES run_lab nlohmann_json::nlohmann_json)
    trainyard_test(program_run_test LABEL process SOURCES program/program_run_test.cpp TIMEOUT 300
      LIBRARIES run_lab nlohmann_json::nlohmann_json)
    trainyard_test(program_sweep_test LABEL process SOURCES program/program_sweep_test.cpp TIMEOUT 300
      LIBRARIES run_lab nlohmann_json::nlohmann_json)
    trainyard_test(program_kinds_test LABEL process SOURCES program/program_kinds_test.cpp TIMEOUT 300 LIBRARIES run_lab)
    foreach(name relay_test hold_test program_code_test program_run_test program_sweep_test program_kinds_test)
      trainyard_test_needs(${name} trainyard-relay trainyard-worker)
    endforeach()
  endif()
  trainyard_test(run_real_test LABEL process SOURCES run/run_real_test.cpp LIBRARIES run_lab TIMEOUT 300)
  find_package(ZLIB REQUIRED)
  find_package(PNG REQUIRED)
  find_package(JPEG REQUIRED)
  trainyard_test(changed_data_test LABEL process SOURCES run/changed_data_test.cpp TIMEOUT 300
    LIBRARIES run_lab nlohmann_json::nlohmann_json ZLIB::ZLIB PNG::PNG JPEG::JPEG)
  foreach(name sweep_kills_test rank_reuse_test)
    trainyard_test(${name} LABEL process SOURCES sweep/${name}.cpp LIBRARIES run_lab TIMEOUT 600)
  endforeach()
  trainyard_test(upgrade_test LABEL process SOURCES run/upgrade_test.cpp LIBRARIES run_lab TIMEOUT 300)
  trainyard_test_needs(upgrade_test scripted_worker trainyard-worker trainyardctl)
  trainyard_test(regroup_test LABEL process SOURCES run/regroup_test.cpp LIBRARIES run_lab TIMEOUT 600)
  trainyard_test(rank_time_test LABEL process SOURCES run/rank_time_test.cpp LIBRARIES run_lab TIMEOUT 300)
  trainyard_test(orphans_test LABEL process SOURCES run/orphans_test.cpp LIBRARIES run_lab TIMEOUT 300)
  trainyard_test(survivors_test LABEL process SOURCES run/survivors_test.cpp LIBRARIES run_lab TIMEOUT 300)
  trainyard_test(real_ranks_test LABEL process SOURCES group/real_ranks_test.cpp LIBRARIES run_lab TIMEOUT 300)
  trainyard_test(busy_computer_test LABEL process SOURCES group/busy_computer_test.cpp LIBRARIES run_lab TIMEOUT 300 RUN_SERIAL)
  trainyard_test(gpu_test LABEL gpu SOURCES group/gpu_test.cpp LIBRARIES run_lab TIMEOUT 600 RUN_SERIAL)
  # In a network namespace; skipped with a reason where that is not allowed.
  trainyard_test(link_test LABEL process SOURCES group/link_test.cpp lab/slow_relay.cpp LIBRARIES run_lab
    TIMEOUT 300)
  trainyard_test(listen_test LABEL process SOURCES group/listen_test.cpp LIBRARIES run_lab TIMEOUT 300)
  foreach(slow group/slow_listen worker/slow_reports) # preloaded by tests
    cmake_path(GET slow FILENAME name)
    add_library(${name} MODULE ${slow}.cpp)
    target_link_libraries(${name} PRIVATE ${CMAKE_DL_LIBS})
  endforeach()
  trainyard_test_definitions(listen_test SLOW_LISTEN="$<TARGET_FILE:slow_listen>")
  trainyard_test_definitions(regroup_test SLOW_REPORTS="$<TARGET_FILE:slow_reports>")
  trainyard_test_needs(listen_test slow_listen)
  trainyard_test_needs(regroup_test slow_reports)
  add_library(paced_model MODULE lab/paced_model.cpp)
  target_include_directories(paced_model PRIVATE "${PROJECT_SOURCE_DIR}/engine/torch/api/include")
  target_link_libraries(paced_model PRIVATE trainyard_torch)
  target_compile_options(paced_model PRIVATE -ffp-contract=off) # as the library, whose precompiled header it uses
  target_precompile_headers(paced_model REUSE_FROM trainyard_torch)
  foreach(name run_real_test changed_data_test rank_time_test sweep_kills_test rank_reuse_test regroup_test survivors_test orphans_test real_ranks_test
      busy_computer_test gpu_test link_test listen_test)
    trainyard_test_definitions(${name} PACED_MODEL="$<TARGET_FILE:paced_model>")
    trainyard_test_needs(${name} trainyard-worker trainyardctl paced_model)
  endforeach()
endif()
