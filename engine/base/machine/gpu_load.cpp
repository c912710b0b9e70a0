// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine/gpu_load.h"

#include <array>
#include <dlfcn.h>

namespace trainyard {
namespace {

// The few declarations of nvml.h and cuda.h that are needed (NVML API reference, CUDA driver API reference). All return
// 0 when they succeed.
struct Utilization {
    unsigned gpu = 0, memory = 0; // percent
};
struct Memory {
    unsigned long long total = 0, free = 0, used = 0; // bytes
};
constexpr std::size_t kBusIdSize = 32, kNameSize = 96;

struct Nvml {
    int (*init)() = nullptr;
    int (*byBusId)(const char*, void**) = nullptr;
    int (*utilization)(void*, Utilization*) = nullptr;
    int (*memory)(void*, Memory*) = nullptr;
    int (*name)(void*, char*, unsigned) = nullptr;
    bool ready = false;
};

struct Cuda {
    int (*init)(unsigned) = nullptr;
    int (*device)(int*, int) = nullptr;
    int (*busId)(char*, int, int) = nullptr;
    bool ready = false;
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

// Kept until the process ends: a driver's library does not bear being unloaded.
const Nvml& nvml() {
    static const Nvml library = [] {
        Nvml made;
        void* const handle = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        made.ready = handle && find(handle, "nvmlInit_v2", made.init) &&
                     find(handle, "nvmlDeviceGetHandleByPciBusId_v2", made.byBusId) &&
                     find(handle, "nvmlDeviceGetUtilizationRates", made.utilization) &&
                     find(handle, "nvmlDeviceGetMemoryInfo", made.memory) &&
                     find(handle, "nvmlDeviceGetName", made.name) && made.init() == 0;
        return made;
    }();
    return library;
}

const Cuda& cuda() {
    static const Cuda library = [] {
        Cuda made;
        void* const handle = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        made.ready = handle && find(handle, "cuInit", made.init) && find(handle, "cuDeviceGet", made.device) &&
                     find(handle, "cuDeviceGetPCIBusId", made.busId) && made.init(0) == 0;
        return made;
    }();
    return library;
}

} // namespace

// NVML numbers all devices of the computer, CUDA those that it may see, in an order of its own. Their place on the bus
// is common to both.
GpuMeter::GpuMeter(int cudaDevice) {
    if (cudaDevice < 0 || !cuda().ready || !nvml().ready) return;
    int device = 0;
    std::array<char, kBusIdSize> busId{};
    if (cuda().device(&device, cudaDevice) != 0) return;
    if (cuda().busId(busId.data(), static_cast<int>(busId.size()), device) != 0) return;
    if (nvml().byBusId(busId.data(), &m_device) != 0) m_device = nullptr;
}

std::optional<GpuLoad> GpuMeter::sample() const {
    Utilization use;
    Memory memory;
    if (!m_device || nvml().utilization(m_device, &use) != 0 || nvml().memory(m_device, &memory) != 0) return {};
    return GpuLoad{use.gpu / 100.0, static_cast<std::int64_t>(memory.used), static_cast<std::int64_t>(memory.total)};
}

std::string GpuMeter::name() const {
    std::array<char, kNameSize> name{};
    return m_device && nvml().name(m_device, name.data(), kNameSize) == 0 ? std::string(name.data()) : std::string();
}

} // namespace trainyard
