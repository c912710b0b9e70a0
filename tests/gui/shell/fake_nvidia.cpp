// SPDX-License-Identifier: GPL-3.0-or-later
// What the window asks of NVIDIA's driver, answered as by three devices, the second of
// which does not tell its load: in the place of libcuda and of libnvidia-ml.
#include <cstdio>
#include <cstring>

namespace {

int devices[3] = {0, 1, 2};

} // namespace

extern "C" {

int cuInit(unsigned) { return 0; }
int cuDeviceGet(int* device, int number) {
    *device = number;
    return number < 3 ? 0 : 101;
}
int cuDeviceGetPCIBusId(char* text, int size, int device) {
    return std::snprintf(text, static_cast<std::size_t>(size), "%d", device) > 0 ? 0 : 1;
}

int nvmlInit_v2() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** device) {
    *device = &devices[bus[0] - '0'];
    return 0;
}
int nvmlDeviceGetUtilizationRates(void* device, unsigned* percent) {
    if (device == &devices[1]) return 3; // not supported
    percent[0] = device == &devices[0] ? 90 : 10;
    percent[1] = 0;
    return 0;
}
int nvmlDeviceGetMemoryInfo(void* device, unsigned long long* bytes) {
    bytes[0] = 24'000'000'000;
    bytes[2] = device == &devices[0] ? 9'000'000'000 : 1'000'000'000;
    bytes[1] = bytes[0] - bytes[2];
    return 0;
}
int nvmlDeviceGetName(void*, char* name, unsigned size) {
    std::strncpy(name, "Test device", size);
    return 0;
}

} // extern "C"
