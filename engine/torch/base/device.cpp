// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/device.h"

#include "engine/base/clock.h"
#include "engine/base/machine/cores.h"

#include <ATen/Context.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sched.h>

namespace trainyard::train {
namespace {

template <typename Function>
Function* loaded(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

int cudaDevices() { return torch::cuda::is_available() ? static_cast<int>(torch::cuda::device_count()) : 0; }

} // namespace

int threadsFor(const spec::Scaling& scaling, int localWorldSize) {
    if (scaling.threadsPerWorker > 0) return scaling.threadsPerWorker;
    return std::max(1, availableCores() / std::max(1, localWorldSize));
}

// OpenBLAS read its number when it was loaded, which for a rank that was forked was in the pool: one. Threads of its
// own look for work without rest after each product, as OpenMP's do after theirs: with both, a step on two cores was
// seen to take four times as long.
void applyThreads(int threads) {
    constexpr int kOfItsOwn = 1; // OPENBLAS_THREAD of its cblas.h; 2: those of OpenMP
    at::set_num_threads(threads);
    auto* const kind = loaded<int()>("openblas_get_parallel");
    auto* const set = loaded<void(int)>("openblas_set_num_threads");
    if (kind && set) set(kind() == kOfItsOwn ? 1 : threads);
}

int productThreads() {
    auto* const threads = loaded<int()>("openblas_get_num_threads");
    return threads ? threads() : at::get_num_threads();
}

Result<DeviceChoice> chooseDevice(const spec::Scaling& scaling, RankOf local) {
    DeviceChoice choice;
    choice.threads = threadsFor(scaling, local.ranks);
    const bool ncclAsked = scaling.backend == "nccl";
    const int devices = scaling.device == "cpu" ? 0 : cudaDevices();
    if (scaling.device == "cuda" || (scaling.device == "auto" && ncclAsked)) {
        if (devices == 0)
            return environmentError("no CUDA device can be used here: LibTorch sees none", "scaling.device",
                                    "choose \"cpu\", or install a CUDA build of LibTorch and the driver");
        if (local.rank >= devices)
            return environmentError(std::to_string(local.ranks) + " workers on this host need as many CUDA " +
                                        "devices, and it has " + std::to_string(devices),
                                    "scaling.workers",
                                    "use " + std::to_string(devices) +
                                        (devices == 1 ? " worker a host, or the CPU" : " workers a host, or the CPU"));
    }
    if (devices >= local.ranks && devices > 0) {
        choice.device = torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(local.rank));
        choice.title = "cuda:" + std::to_string(local.rank);
    } else {
        choice.title = "cpu";
    }
    return choice;
}

void applyDevice(const DeviceChoice& choice, bool deterministic) {
    applyThreads(choice.threads);
    // Ranks of one host would otherwise all begin on its first device, and NCCL refuses two ranks on one.
    if (choice.device.is_cuda()) c10::impl::VirtualGuardImpl(c10::DeviceType::CUDA).setDevice(choice.device);
    // Steps have the same shapes over and over: cuDNN times its ways to compute a convolution once for each.
    at::globalContext().setBenchmarkCuDNN(choice.device.is_cuda() && !deterministic);
    if (!deterministic) return;
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0); // cuBLAS asks for it; before its first use
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
    at::globalContext().setDeterministicCuDNN(true);
}

double matrixSpeed() {
    const torch::NoGradGuard noGrad;
    constexpr std::int64_t kSize = 256;
    constexpr double kOperations = 2.0 * kSize * kSize * kSize;
    const auto a = torch::ones({kSize, kSize}), b = torch::ones({kSize, kSize});
    auto out = torch::mm(a, b); // the first product also loads the library's kernels
    double best = 0;
    const double begin = monotonicSeconds();
    for (int i = 0; i < 8 && monotonicSeconds() - begin < 0.03; ++i) {
        const double from = monotonicSeconds();
        torch::mm_out(out, a, b);
        best = std::max(best, kOperations / std::max(1e-9, monotonicSeconds() - from) * 1e-9);
    }
    return best;
}

std::string blasName() {
    if (auto* const config = loaded<const char*()>("openblas_get_config")) {
        const std::string words = config(); // "OpenBLAS 0.3.21 NO_AFFINITY …"
        return words.substr(0, words.find(' ', words.find(' ') + 1));
    }
    return at::hasMKL() ? "MKL" : "";
}

std::string matrixSpeedNote(double gigaflops, int threads) {
    // A tuned library that is slow now runs on a busy computer, which is no reason to install anything.
    if (!blasName().empty()) return {};
    // The reference BLAS reaches 2.5; any tuned library on one core of the last ten years is far above 10.
    if (gigaflops >= 10.0 * std::min(1, threads)) return {};
    char text[160];
    std::snprintf(text, sizeof text, "matrix products run at %.1f GFLOP/s: install OpenBLAS (package libopenblas0)",
                  gigaflops);
    return text;
}

} // namespace trainyard::train
