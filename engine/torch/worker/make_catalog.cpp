// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/make_catalog.h"

#include "engine/base/machine/cores.h"
#include "engine/base/machine/gpu_load.h"
#include "engine/torch/base/device.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/models/model.h"
#include "engine/torch/optim/loss.h"
#include "engine/torch/optim/optimizer.h"
#include "engine/torch/optim/schedule.h"

#include <torch/version.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

namespace trainyard::train {

namespace fs = std::filesystem;

namespace {

// The value of the first "key : value" line of a file under /proc; empty when there is none.
std::string procValue(const fs::path& file, const std::string& key) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(key)) continue;
        const auto colon = line.find(':');
        if (colon == std::string::npos) continue;
        const auto begin = line.find_first_not_of(" \t", colon + 1);
        return begin == std::string::npos ? std::string() : line.substr(begin);
    }
    return {};
}

spec::Device cpuDevice() {
    const int cores = availableCores();
    std::string title = procValue("/proc/cpuinfo", "model name");
    if (title.empty()) title = "CPU";
    title += ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
    return {"cpu", title, std::int64_t{sysconf(_SC_PHYS_PAGES)} * std::int64_t{sysconf(_SC_PAGE_SIZE)}};
}

std::vector<spec::Device> devices() {
    std::vector<spec::Device> found{cpuDevice()};
    if (!torch::cuda::is_available()) return found;
    const int count = static_cast<int>(torch::cuda::device_count());
    for (int i = 0; i < count; ++i) { // LibTorch's public API tells no more than how many there are
        const GpuMeter meter(i);
        const auto load = meter.sample();
        const std::string name = meter.name();
        found.push_back(
            {"cuda:" + std::to_string(i), name.empty() ? "CUDA device" : name, load ? load->memoryTotal : 0});
    }
    return found;
}

// "OpenBLAS 0.3.21, 95 GFLOP/s"; says so when products are slow.
std::string blasText() {
    const std::string name = blasName().empty() ? "BLAS" : blasName();
    const double speed = matrixSpeed();
    const std::string note = matrixSpeedNote(speed, 1);
    if (!note.empty()) return name + " (slow: " + note + ")";
    return name + ", " + std::to_string(std::lround(speed)) + " GFLOP/s";
}

} // namespace

spec::Catalog makeCatalog() {
    spec::Catalog catalog;
    catalog.version = TRAINYARD_VERSION;
    catalog.libtorchVersion = TORCH_VERSION;
    catalog.blas = blasText();
    for (const auto& entry : models::modelEntries()) {
        catalog.models.push_back(entry.info);
        catalog.models.back().tasks = wordsOf(entry.tasks);
    }
    for (auto& entry : data::datasetEntries()) {
        catalog.datasets.push_back(std::move(entry.info));
        catalog.datasets.back().tasks = wordsOf(entry.tasks);
    }
    catalog.optimizers = optim::optimizerEntries();
    catalog.schedules = optim::scheduleEntries();
    catalog.losses = optim::lossEntries();
    catalog.precisions = {"fp32", "bf16", "auto"};
    if (torch::cuda::is_available()) catalog.precisions.emplace_back("fp16");
    catalog.backends = {"auto", "gloo"};
#ifdef USE_C10D_NCCL
    catalog.backends.emplace_back("nccl");
#endif
    catalog.devices = devices();
    return catalog;
}

} // namespace trainyard::train
