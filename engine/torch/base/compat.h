// SPDX-License-Identifier: GPL-3.0-or-later
// Every difference between the LibTorch versions that the engine builds on (1.13 to 2.14) is bridged here.
#pragma once

#include <ATen/autocast_mode.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>
#include <torch/torch.h>
#include <torch/version.h>
#ifdef USE_C10D_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

#include <chrono>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#define TRAINYARD_TORCH_AT_LEAST(major, minor)                                                                         \
    (TORCH_VERSION_MAJOR > (major) || (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

namespace trainyard::train::compat {

using GroupPtr = c10::intrusive_ptr<c10d::ProcessGroup>;
using StorePtr = c10::intrusive_ptr<c10d::Store>;

enum class Backend { Gloo, Nccl };

// Up to 1.13 a Gloo or NCCL group is a ProcessGroup; from 2.0 it is a Backend that hangs on one.
template <class Implementation>
GroupPtr asProcessGroup([[maybe_unused]] const StorePtr& store, [[maybe_unused]] int rank, [[maybe_unused]] int size,
                        c10::intrusive_ptr<Implementation> backend, [[maybe_unused]] Backend kind) {
#if TRAINYARD_TORCH_AT_LEAST(2, 0)
    const bool nccl = kind == Backend::Nccl;
#if TRAINYARD_TORCH_AT_LEAST(2, 6)
    auto group = c10::make_intrusive<c10d::ProcessGroup>(store, rank, size);
#else
    auto group = c10::make_intrusive<c10d::ProcessGroup>(
        store, rank, size, c10::make_intrusive<c10d::ProcessGroup::Options>(nccl ? "nccl" : "gloo"));
#endif
    const auto type = nccl ? c10d::ProcessGroup::BackendType::NCCL : c10d::ProcessGroup::BackendType::GLOO;
    const c10::intrusive_ptr<c10d::Backend> shared(std::move(backend));
    if (!nccl) group->setBackend(at::kCPU, type, shared);
    group->setBackend(at::kCUDA, type, shared); // Gloo moves tensors of a device itself
#if TRAINYARD_TORCH_AT_LEAST(2, 2)
    group->setDefaultBackend(type);
    group->setGroupName("trainyard");
#endif
    return group;
#else
    return backend;
#endif
}

// The buckets of c10d's reducer.
struct ReducerLayout {
    std::vector<std::vector<std::size_t>> buckets; // indices of parameters, in the order of reduction
    std::vector<std::size_t> limits;               // bytes, one per bucket
    std::int64_t bucketBytes = 0, firstBucketBytes = 0;
};

// c10d::Reducer's constructor took per-bucket limits up to 2.6 or so and grew other arguments since: chosen by what
// it accepts, so that the versions between need no table.
template <class R = c10d::Reducer>
std::shared_ptr<R> makeReducer(const std::vector<at::Tensor>& parameters, const ReducerLayout& layout,
                               const GroupPtr& group, const std::unordered_map<std::size_t, std::string>& names) {
    using Buckets = std::vector<std::vector<std::size_t>>;
    using Names = std::unordered_map<std::size_t, std::string>;
    using Tensors = std::vector<at::Tensor>;
    using Flags = std::vector<bool>;
    using Limits = std::vector<std::size_t>;
    const Flags sparse(parameters.size(), false);
    const std::int64_t cap = layout.bucketBytes, first = layout.firstBucketBytes;
    constexpr bool unused = false; // do not search the graph for parameters that take no part
    if constexpr (std::is_constructible_v<R, Tensors, Buckets, Limits, GroupPtr, Flags, std::int64_t, bool, bool, Names,
                                          std::int64_t>) {
        return std::make_shared<R>(parameters, layout.buckets, layout.limits, group, sparse, cap, unused, true, names,
                                   first);
    } else if constexpr (std::is_constructible_v<R, Tensors, Buckets, GroupPtr, Flags, std::int64_t, bool, bool, Names,
                                                 std::int64_t, bool, bool>) {
        return std::make_shared<R>(parameters, layout.buckets, group, sparse, cap, unused, true, names, first, false,
                                   false);
    } else {
        return std::make_shared<R>(parameters, layout.buckets, group, sparse, cap, unused, true, names, first, false,
                                   false, std::vector<std::int64_t>{});
    }
}

// The owning pointer of an autograd node: shared in older versions of LibTorch, intrusive in newer ones.
using NodePtr = decltype(torch::autograd::impl::grad_accumulator(std::declval<const torch::Tensor&>()));

// The optional of LibTorch's operators: c10's own at first, std's later. Taken from an operator that has one.
template <class Operator>
struct LastArgument;
template <class Result, class First, class Second, class Last>
struct LastArgument<Result (*)(First, Second, const Last&)> {
    using Type = Last;
};
using OptionalTensor = LastArgument<decltype(&at::linear)>::Type;

// Where an option's alternatives are looked at: c10::variant at first, std's from 2.1 on.
#if TRAINYARD_TORCH_AT_LEAST(2, 1)
namespace variants = std;
#else
namespace variants = c10;
#endif

// Autocast as it was, to be put back.
struct AutocastState {
    bool enabled = false;
    at::ScalarType type = at::kFloat;
};

// Whether autocast is on in this thread, and to which type. The calls took a device from 2.4 on.
inline AutocastState autocastState(at::DeviceType device) {
#if TRAINYARD_TORCH_AT_LEAST(2, 4)
    return {at::autocast::is_autocast_enabled(device), at::autocast::get_autocast_dtype(device)};
#else
    if (device == at::kCPU) return {at::autocast::is_cpu_enabled(), at::autocast::get_autocast_cpu_dtype()};
    return {at::autocast::is_enabled(), at::autocast::get_autocast_gpu_dtype()};
#endif
}

// Autocast for one scope.
class Autocast {
public:
    Autocast(at::DeviceType device, at::ScalarType type) : m_device(device), m_before(autocastState(device)) {
        set(true, type);
        at::autocast::increment_nesting();
    }
    ~Autocast() {
        if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
        set(m_before.enabled, m_before.type);
    }
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

private:
    void set(bool enabled, at::ScalarType type) {
#if TRAINYARD_TORCH_AT_LEAST(2, 4)
        at::autocast::set_autocast_enabled(m_device, enabled);
        at::autocast::set_autocast_dtype(m_device, type);
#else
        if (m_device == at::kCPU) {
            at::autocast::set_cpu_enabled(enabled);
            at::autocast::set_autocast_cpu_dtype(type);
        } else {
            at::autocast::set_enabled(enabled);
            at::autocast::set_autocast_gpu_dtype(type);
        }
#endif
    }

    at::DeviceType m_device;
    AutocastState m_before;
};

// Python's Adam and RMSprop move their running mean of gradients by lerp from 2.1 on, before by a product and a sum:
// the same number, rounded differently.
inline constexpr bool kMeanByLerp = TRAINYARD_TORCH_AT_LEAST(2, 1);

// The mean in place, `rest` of the way to `value`.
inline void moveMean(torch::Tensor& mean, const torch::Tensor& value, double keep, double rest) {
    if constexpr (kMeanByLerp) mean.lerp_(value, rest);
    else mean.mul_(keep).add_(value, rest);
}

// The same of many. Versions whose means are not moved by lerp may lack the call for many.
inline void moveMeans(const std::vector<torch::Tensor>& means, const std::vector<torch::Tensor>& values, double keep,
                      double rest) {
#if TRAINYARD_TORCH_AT_LEAST(2, 1)
    (void)keep;
    at::_foreach_lerp_(means, values, rest);
#else
    at::_foreach_mul_(means, keep);
    at::_foreach_add_(means, values, rest);
#endif
}

// Begins to bring part `rank` of each rank's input, all of the same size, here, in the order of ranks. The call was
// renamed after 2.6.
template <class Group>
auto startExchange(Group& group, torch::Tensor& output, torch::Tensor& input) {
    std::vector<std::int64_t> even, alsoEven;
    if constexpr (requires { group.all_to_all_single(output, input, even, alsoEven); })
        return group.all_to_all_single(output, input, even, alsoEven);
    else return group.alltoall_base(output, input, even, alsoEven);
}

// "1.13.1"
inline std::string libtorchVersion() { return TORCH_VERSION; }

} // namespace trainyard::train::compat
