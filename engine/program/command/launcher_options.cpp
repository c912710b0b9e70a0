// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/command/launcher_options.h"

namespace trainyard::program {
namespace {

using enum OptionMeans;

constexpr std::string_view kMeet = "leave it out: the processes find one another by themselves";
constexpr std::string_view kHosts = "leave it out, and name the hosts: trainyardctl run --hosts h1,h2 …";
constexpr std::string_view kLogs = "leave it out: what each rank prints is kept, see trainyardctl logs RUN --rank N";
constexpr std::string_view kStart = "leave it out: each rank is a process of its own";
constexpr std::string_view kWatch = "leave it out: the end of a process is seen at once";
constexpr std::string_view kPin = "leave it out: the cores of a host are divided among its ranks; "
                                  "--set scaling.threadsPerWorker=N gives each N threads";

constexpr LauncherOption kTorchrun[] = {
    {"nproc_per_node", true, PerHost},
    {"nnodes", true, Hosts},
    {"max_restarts", true, Restarts},
    {"standalone", false, Fulfilled},
    {"use_env", false, NoLocalRank},
    {"module", false, Module, {}, 'm'},
    {"no_python", false, AnyProgram},
    {"node_rank", true, Refused, kHosts},
    {"rdzv_backend", true, Refused, kMeet},
    {"rdzv_endpoint", true, Refused, kMeet},
    {"rdzv_id", true, Refused, kMeet},
    {"rdzv_conf", true, Refused, kMeet},
    {"master_addr", true, Refused, kMeet},
    {"master_port", true, Refused, kMeet},
    {"local_addr", true, Refused, kMeet},
    {"monitor_interval", true, Refused, kWatch},
    {"start_method", true, Refused, kStart},
    {"role", true, Refused, "leave it out, or name the run: trainyardctl run --name NAME …"},
    {"run_path", false, Refused, kStart},
    {"event_log_handler", true, Refused, kLogs},
    {"log_dir", true, Refused, kLogs},
    {"logs_specs", true, Refused, kLogs},
    {"redirects", true, Refused, kLogs, 'r'},
    {"tee", true, Refused, kLogs, 't'},
    {"local_ranks_filter", true, Refused, kLogs},
    {"duplicate_stdout_filters", true, Refused, kLogs},
    {"duplicate_stderr_filters", true, Refused, kLogs},
    {"numa_binding", true, Refused, kPin},
    {"signals_to_handle", true, Refused, "leave it out: a stop sends SIGTERM to every rank"},
    {"virtual_local_rank", false, Refused, "leave it out, or set CUDA_VISIBLE_DEVICES in program.environment"},
};

constexpr std::string_view kConfig = "leave it out, and write what it says as options: --num_processes, "
                                     "--mixed_precision";
constexpr std::string_view kPlugin = "start with another launcher's words, or set what accelerate would set in "
                                     "program.environment (ACCELERATE_USE_DEEPSPEED, ACCELERATE_USE_FSDP, FSDP_…)";
constexpr std::string_view kDynamo = "leave it out, and set ACCELERATE_DYNAMO_… in program.environment";

constexpr LauncherOption kAccelerate[] = {
    {"num_processes", true, Workers},
    {"num_machines", true, Hosts},
    {"max_restarts", true, Restarts},
    {"num_cpu_threads_per_process", true, Threads},
    {"multi_gpu", false, AllDevices},
    {"cpu", false, OnCpu},
    {"use_cpu", false, OnCpu},
    {"gpu_ids", true, Devices},
    {"module", false, Module, {}, 'm'},
    {"no_python", false, AnyProgram},
    {"mixed_precision", true, Variable, "ACCELERATE_MIXED_PRECISION"},
    {"gradient_accumulation_steps", true, Variable, "ACCELERATE_GRADIENT_ACCUMULATION_STEPS"},
    {"dynamo_backend", true, Variable, "ACCELERATE_DYNAMO_BACKEND"},
    {"dynamo_mode", true, Refused, kDynamo},
    {"dynamo_use_fullgraph", false, Refused, kDynamo},
    {"dynamo_use_dynamic", false, Refused, kDynamo},
    {"quiet", false, Fulfilled, {}, 'q'},
    {"same_network", false, Fulfilled},
    {"config_file", true, Refused, kConfig},
    {"machine_rank", true, Refused, kHosts},
    {"main_process_ip", true, Refused, kMeet},
    {"main_process_port", true, Refused, kMeet},
    {"rdzv_backend", true, Refused, kMeet},
    {"rdzv_conf", true, Refused, kMeet},
    {"monitor_interval", true, Refused, kWatch},
    {"role", true, Refused, "leave it out, or name the run: trainyardctl run --name NAME …"},
    {"tee", true, Refused, kLogs},
    {"log_dir", true, Refused, kLogs},
    {"debug", false, Refused, "leave it out, and set ACCELERATE_DEBUG_MODE=1 in program.environment"},
    {"enable_cpu_affinity", false, Refused, kPin},
    {"use_deepspeed", false, Refused, kPlugin},
    {"deepspeed_config_file", true, Refused, kPlugin},
    {"zero_stage", true, Refused, kPlugin},
    {"use_fsdp", false, Refused, kPlugin},
    {"use_megatron_lm", false, Refused, kPlugin},
    {"tpu", false, Refused, "leave it out: there are no TPUs here"},
    {"use_xpu", false, Refused, "leave it out"},
    {"mps", false, Refused, "leave it out"},
};

constexpr LauncherOption kDeepspeed[] = {
    {"num_gpus", true, PerHost},
    {"num_accelerators", true, PerHost},
    {"num_nodes", true, Hosts},
    {"module", false, Module},
    {"no_python", false, AnyProgram},
    {"no_local_rank", false, NoLocalRank},
    {"include", true, Refused, "leave it out, and set CUDA_VISIBLE_DEVICES=0,1 before the command"},
    {"exclude", true, Refused, "leave it out, and set CUDA_VISIBLE_DEVICES=0,1 before the command"},
    {"hostfile", true, Refused, kHosts, 'H'},
    {"node_rank", true, Refused, kHosts},
    {"master_addr", true, Refused, kMeet},
    {"master_port", true, Refused, kMeet},
    {"launcher", true, Refused, kHosts},
    {"launcher_args", true, Refused, kHosts},
    {"no_ssh", false, Refused, kHosts},
    {"no_ssh_check", false, Refused, kHosts},
    {"ssh_port", true, Refused, "leave it out: it is of the host, see trainyardctl hosts add"},
    {"force_multi", false, Refused, kHosts},
    {"save_pid", false, Refused, "leave it out: trainyardctl stop RUN ends the run"},
    {"enable_each_rank_log", true, Refused, kLogs},
    {"autotuning", true, Refused, "leave it out, and search with: trainyardctl sweep"},
    {"elastic_training", false, Refused, "leave it out, and set scaling.elastic"},
    {"min_elastic_nodes", true, Refused, "leave it out, and set scaling.elastic"},
    {"max_elastic_nodes", true, Refused, "leave it out, and set scaling.elastic"},
    {"bind_cores_to_rank", false, Refused, kPin},
    {"bind_core_list", true, Refused, kPin},
    {"venv_script", true, Refused, "leave it out, and name the environment in program.interpreter"},
};

constexpr std::string_view kFolder = "leave it out, and set program.folder";

constexpr LauncherOption kCondaRun[] = {
    {"name", true, CondaName, {}, 'n'}, {"prefix", true, CondaFolder, {}, 'p'}, {"no_capture_output", false, Fulfilled},
    {"live_stream", false, Fulfilled},  {"cwd", true, Refused, kFolder},
};

} // namespace

const LauncherTable& torchrunTable() {
    static constexpr LauncherTable table{"torchrun", kTorchrun};
    return table;
}

const LauncherTable& accelerateTable() {
    static constexpr LauncherTable table{"accelerate launch", kAccelerate};
    return table;
}

const LauncherTable& deepspeedTable() {
    static constexpr LauncherTable table{"deepspeed", kDeepspeed};
    return table;
}

const LauncherTable& condaRunTable() {
    static constexpr LauncherTable table{"conda run", kCondaRun};
    return table;
}

} // namespace trainyard::program
