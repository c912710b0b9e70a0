// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/process_group.h"

#include <algorithm>
#include <cstring>

namespace trainyard::train {
namespace {

Result<compat::GroupPtr> makeGloo(const compat::StorePtr& store, const GroupOptions& options) {
    std::shared_ptr<::gloo::transport::Device> device;
    try {
        device = c10d::ProcessGroupGloo::createDeviceForHostname(options.interfaceAddress);
    } catch (const std::exception& e) {
        return environmentError("cannot listen on " + options.interfaceAddress + ": " + std::string(e.what()).substr(0, 200),
                                "rank " + std::to_string(options.rank),
                                "give the host an address that is up, or use this computer alone");
    }
    auto gloo = c10d::ProcessGroupGloo::Options::create(options.timeout);
    gloo->threads = 2; // buckets in flight: one is reduced while the next begins
    gloo->devices.push_back(std::move(device));
    auto backend = c10::make_intrusive<c10d::ProcessGroupGloo>(store, options.rank, options.worldSize, gloo);
    return compat::asProcessGroup(store, options.rank, options.worldSize, std::move(backend), compat::Backend::Gloo);
}

Result<compat::GroupPtr> makeNccl([[maybe_unused]] const compat::StorePtr& store,
                                  [[maybe_unused]] const GroupOptions& options) {
#ifdef USE_C10D_NCCL
    auto nccl = c10d::ProcessGroupNCCL::Options::create();
    nccl->timeout = options.timeout;
    auto backend = c10::make_intrusive<c10d::ProcessGroupNCCL>(store, options.rank, options.worldSize, nccl);
    return compat::asProcessGroup(store, options.rank, options.worldSize, std::move(backend), compat::Backend::Nccl);
#else
    return environmentError("this build of LibTorch has no NCCL", "scaling.backend",
                            "choose \"gloo\", or build on a CUDA LibTorch");
#endif
}

} // namespace

Result<ProcessGroup> ProcessGroup::make(const compat::StorePtr& store, const GroupOptions& options) {
    try {
        auto made = options.nccl ? makeNccl(store, options) : makeGloo(store, options);
        if (!made) return std::move(made).error();
        ProcessGroup group(std::move(made).value(), options.rank, options.worldSize);
        if (options.nccl) group.m_device = options.device;
        group.m_store = store;
        group.m_options = options;
        return group;
    } catch (const std::exception& e) {
        return runError("the ranks did not meet: " + std::string(e.what()).substr(0, 300),
                        "rank " + std::to_string(options.rank), "see the log of the other ranks");
    }
}

Result<ProcessGroup> ProcessGroup::subgroup(const std::string& name, const std::vector<int>& ranks) const {
    const auto found = std::find(ranks.begin(), ranks.end(), m_rank);
    if (!m_group || found == ranks.end() || ranks.size() == 1) return single();
    GroupOptions options = m_options;
    options.rank = static_cast<int>(found - ranks.begin());
    options.worldSize = static_cast<int>(ranks.size());
    return make(c10::make_intrusive<c10d::PrefixStore>(name, m_store), options);
}

void ProcessGroup::sum(torch::Tensor& tensor) const {
    if (!m_group) return;
    if (m_device.is_cuda() && !tensor.is_cuda()) {
        auto moved = tensor.to(m_device);
        startSum(moved)->wait();
        tensor.copy_(moved);
        return;
    }
    startSum(tensor)->wait();
}

c10::intrusive_ptr<c10d::Work> ProcessGroup::startSum(torch::Tensor& tensor) const {
    if (!m_group) return {};
    std::vector<torch::Tensor> tensors{tensor};
    return m_group->allreduce(tensors);
}

void ProcessGroup::broadcast(torch::Tensor& tensor) const {
    if (!m_group) return;
    std::vector<torch::Tensor> tensors{m_device.is_cuda() ? tensor.to(m_device) : tensor};
    m_group->broadcast(tensors)->wait();
    if (m_device.is_cuda() && !tensor.is_cuda()) tensor.copy_(tensors[0]);
}

torch::Tensor ProcessGroup::broadcastBytes(const torch::Tensor& bytes, int root) const {
    if (!m_group) return bytes;
    c10d::BroadcastOptions options;
    options.rootRank = root;
    const auto fromRoot = [&](const torch::Tensor& tensor) {
        std::vector<torch::Tensor> tensors{tensor.to(m_device)};
        m_group->broadcast(tensors, options)->wait();
        return tensors[0].cpu();
    };
    const std::int64_t own = m_rank == root ? bytes.numel() : 0;
    const auto size = fromRoot(torch::tensor({own}, torch::kInt64)).item<std::int64_t>();
    return fromRoot(m_rank == root ? bytes : torch::empty({size}, torch::kUInt8));
}

std::vector<torch::Tensor> ProcessGroup::gather(const torch::Tensor& tensor) const {
    if (!m_group) return {tensor.clone()};
    const auto source = m_device.is_cuda() ? tensor.to(m_device) : tensor;
    std::vector<torch::Tensor> inputs{source};
    std::vector<std::vector<torch::Tensor>> outputs(1);
    for (int r = 0; r < m_worldSize; ++r) outputs[0].push_back(torch::empty_like(source));
    m_group->allgather(outputs, inputs)->wait();
    if (m_device.is_cuda() && !tensor.is_cuda())
        for (auto& output : outputs[0]) output = output.cpu();
    return outputs[0];
}

std::vector<std::string> ProcessGroup::gatherText(const std::string& text) const {
    if (!m_group) return {text};
    const auto sizes = gather(torch::tensor({static_cast<std::int64_t>(text.size())}));
    std::int64_t longest = 1;
    for (const auto& size : sizes) longest = std::max(longest, size.item<std::int64_t>());
    auto bytes = torch::zeros({longest}, torch::kUInt8);
    std::memcpy(bytes.data_ptr(), text.data(), text.size());
    std::vector<std::string> texts;
    const auto gathered = gather(bytes);
    for (std::size_t r = 0; r < gathered.size(); ++r)
        texts.emplace_back(static_cast<const char*>(gathered[r].data_ptr()),
                           static_cast<std::size_t>(sizes[r].item<std::int64_t>()));
    return texts;
}

void ProcessGroup::barrier() const {
    auto one = torch::ones({1});
    sum(one);
}

} // namespace trainyard::train
