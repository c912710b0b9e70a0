// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/fork/import_variables.h"

#include "engine/program/command/secret_words.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace trainyard::run {
namespace {

// The interpreter, the C library and the loader read these, or packages find their files by them. SLURM_JOB_ID: Slurm
// ends what a job has left, so a server is of one job.
constexpr std::array<std::string_view, 16> kAtStart{"LD_",    "PYTHON", "LANG",        "LC_",         "TZ",    "HOME",
                                                    "PATH",   "XDG_",   "MALLOC_",     "GLIBC_",      "ASAN_", "TSAN_",
                                                    "UBSAN_", "TMPDIR", "VIRTUAL_ENV", "SLURM_JOB_ID"};

struct EarlyPrefix {
    std::string_view prefix;
    std::string_view module{}; // that reads it; empty: most that compute
};
constexpr std::array kEarly{
    EarlyPrefix{"OMP_"},
    EarlyPrefix{"GOMP_"},
    EarlyPrefix{"KMP_"},
    EarlyPrefix{"MKL_"},
    EarlyPrefix{"OPENBLAS_"},
    EarlyPrefix{"GOTO_"},
    EarlyPrefix{"BLIS_"},
    EarlyPrefix{"NUMEXPR_"},
    EarlyPrefix{"ATEN_"},
    EarlyPrefix{"DNNL_"},
    EarlyPrefix{"ONEDNN_"},
    EarlyPrefix{"C10_"},
    EarlyPrefix{"TORCH"},
    EarlyPrefix{"PYTORCH"},
    EarlyPrefix{"CUDA_"},
    EarlyPrefix{"NVIDIA_"},
    EarlyPrefix{"CONDA_PREFIX"},
    EarlyPrefix{"NPY_", "numpy"},
    EarlyPrefix{"NUMPY_", "numpy"},
    EarlyPrefix{"NUMBA_", "numba"},
    EarlyPrefix{"TRITON_", "triton"},
    EarlyPrefix{"MPL", "matplotlib"},
    EarlyPrefix{"HF_", "transformers"},
    EarlyPrefix{"TRANSFORMERS_", "transformers"},
    EarlyPrefix{"HF_", "datasets"},
    EarlyPrefix{"TF_", "tensorflow"},
    EarlyPrefix{"JAX_", "jax"},
    EarlyPrefix{"XLA_", "jax"},
};

// Read when they are needed, and different for each rank or run.
constexpr std::array<std::string_view, 11> kLate{"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",    "CUDA_LAUNCH_BLOCKING",
                                                 "TORCH_HOME",           "TORCH_EXTENSIONS_DIR", "TORCH_CUDA_ARCH_LIST",
                                                 "TORCH_NCCL_*",         "TORCHELASTIC_*",       "TORCH_GLOO_*",
                                                 "TORCH_FR_*",           "CUDA_CACHE_PATH"};

bool isLate(std::string_view name) {
    return std::any_of(kLate.begin(), kLate.end(), [&](std::string_view late) {
        return late.ends_with('*') ? name.starts_with(late.substr(0, late.size() - 1)) : name == late;
    });
}

} // namespace

program::Variables serverVariables(const program::Variables& ofRank) {
    program::Variables kept;
    for (const auto& [name, value] : ofRank) {
        const auto begins = [&name = name](std::string_view prefix) { return name.starts_with(prefix); };
        const bool counts =
            std::any_of(kAtStart.begin(), kAtStart.end(), begins) ||
            std::any_of(kEarly.begin(), kEarly.end(), [&](const EarlyPrefix& early) { return begins(early.prefix); });
        if (counts && !isLate(name) && !program::isSecretName(name) && !program::isSecretValue(value))
            kept.emplace(name, value);
    }
    kept["OPENBLAS_NUM_THREADS"] = "1";
    return kept;
}

std::vector<std::string> earlyVariables(const std::vector<std::string>& modules) {
    std::vector<std::string> early;
    for (const auto& row : kEarly) {
        const bool counts = row.module.empty() || std::any_of(modules.begin(), modules.end(), [&](const auto& module) {
                                return module.substr(0, module.find('.')) == row.module;
                            });
        if (counts) early.push_back(std::string(row.prefix) + "*");
    }
    for (const auto late : kLate) early.push_back("-" + std::string(late));
    return early;
}

} // namespace trainyard::run
