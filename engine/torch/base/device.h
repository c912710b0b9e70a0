// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/math/rank_of.h"
#include "engine/base/result.h"
#include "engine/spec/run/run_spec.h"

#include <torch/torch.h>

#include <string>

namespace trainyard::train {

// The device and the threads that a rank computes with.
struct DeviceChoice {
    torch::Device device = torch::kCPU;
    std::string title; // "cpu", "cuda:0 (NVIDIA H200)"
    int threads = 1;   // of the CPU pool inside one operation
};

// The device of one rank and its threads. `local`: among the ranks of this host.
// "auto" takes CUDA when every local rank can have a device of its own, else the CPU. Environment error when CUDA is
// asked for and this build or host has none, or has fewer devices than ranks.
Result<DeviceChoice> chooseDevice(const spec::Scaling& scaling, RankOf local);

// CPU threads of each rank when this many share the host: as in the run file, else an equal share of its cores.
int threadsFor(const spec::Scaling& scaling, int localWorldSize);
// So many threads in LibTorch's operations and OpenBLAS's products, also where both were loaded with another number. An
// OpenBLAS that makes threads of its own keeps to one: they and LibTorch's would fight for the cores.
void applyThreads(int threads);
int productThreads(); // in products of LibTorch's own kernels, after applyThreads()

// Makes the choice the calling thread's (and the pool's). Call once, before any other tensor operation.
void applyDevice(const DeviceChoice& choice, bool deterministic);

// Float products of 256x256 matrices per second on the CPU, in units of 1e9 operations; takes about 5 ms on a good
// library and at most 30 ms on a slow one.
double matrixSpeed();

// The tuned matrix library in use, "OpenBLAS 0.3.21" or "MKL"; empty when there is none.
std::string blasName();

// What is worth telling about the speed of matrix products; empty when all is well.
std::string matrixSpeedNote(double gigaflops, int threads);

} // namespace trainyard::train
