// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/fork/heavy_packages.h"

#include "engine/base/files/atomic_file.h"

#include <algorithm>
#include <array>

namespace trainyard::run {
namespace {

// jax and tensorflow are missing: they start threads. What is of Python alone (transformers) leaves no mark.
struct HeavyPackage {
    std::string_view module;
    std::array<std::string_view, 2> files; // one of which it maps: the beginnings of their names
};
constexpr std::array kHeavy{
    HeavyPackage{"numpy", {"/numpy/core/_multiarray_umath.", "/numpy/_core/_multiarray_umath."}},
    HeavyPackage{"pandas", {"/pandas/_libs/", {}}},
    HeavyPackage{"scipy.sparse", {"/scipy/sparse/_sparsetools.", {}}},
    HeavyPackage{"sklearn", {"/sklearn/__check_build/", "/sklearn/utils/"}},
    HeavyPackage{"torch", {"/torch/_C.", "/torch/lib/libtorch_python.so"}},
    HeavyPackage{"torchaudio", {"/torchaudio/lib/", {}}},
    HeavyPackage{"torchvision", {"/torchvision/_C.", "/torchvision/image."}},
};

} // namespace

std::vector<std::string> heavyPackagesIn(std::string_view maps) {
    std::vector<std::string> found;
    for (const auto& package : kHeavy) {
        const bool isThere = std::any_of(package.files.begin(), package.files.end(), [&](std::string_view file) {
            return !file.empty() && maps.find(file) != maps.npos;
        });
        if (isThere) found.emplace_back(package.module);
    }
    return found;
}

std::vector<std::string> heavyPackagesOf(pid_t pid) {
    std::string maps; // no regular file for readFile(): its size is 0
    if (auto read = readFile("/proc/" + std::to_string(pid) + "/maps", 16u << 20)) maps = std::move(*read);
    return heavyPackagesIn(maps);
}

} // namespace trainyard::run
