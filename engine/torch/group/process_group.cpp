// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/process_group.h"

#include "engine/torch/base/peer_lost.h"
#include "engine/torch/group/rank_proof.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <cstring>

namespace trainyard::train {
namespace {

constexpr std::chrono::milliseconds kLookEvery{300}; // between two looks at whether the group still is

Result<compat::GroupPtr> makeGloo(const compat::StorePtr& store, const GroupOptions& options) {
    std::shared_ptr<::gloo::transport::Device> device;
    try {
        device = c10d::ProcessGroupGloo::createDeviceForHostname(options.interfaceAddress);
    } catch (const std::exception& e) {
        return environmentError(
            "cannot listen on " + options.interfaceAddress + ": " + std::string(e.what()).substr(0, 200),
            "rank " + std::to_string(options.rank), "give the host an address that is up, or use this computer alone");
    }
    auto gloo = c10d::ProcessGroupGloo::Options::create(options.timeout);
    gloo->threads = 2; // buckets in flight: one is reduced while the next begins
    gloo->devices.push_back(std::move(device));
    const int before = options.connections ? options.connections->timesShutDown() : 0;
    auto backend = c10::make_intrusive<c10d::ProcessGroupGloo>(store, options.rank, options.worldSize, gloo);
    if (options.connections) options.connections->add(*backend, before);
    auto group =
        compat::asProcessGroup(store, options.rank, options.worldSize, std::move(backend), compat::Backend::Gloo);
    TY_TRY(proveRanks(group, store, {options.rank, options.worldSize}));
    return group;
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

Error notMet(const std::exception& thrown, const GroupOptions& options) {
    return runError("the rendezvous failed: " + std::string(thrown.what()).substr(0, 300),
                    "rank " + std::to_string(options.rank), "see the log of the other ranks")
        .withCode(isPeerLoss(thrown) ? ErrorCode::PeerLost : ErrorCode::General);
}

Result<compat::GroupPtr> makeC10d(const compat::StorePtr& store, const GroupOptions& options) {
    try {
        return options.nccl ? makeNccl(store, options) : makeGloo(store, options);
    } catch (const std::exception& e) { return notMet(e, options); }
}

std::span<std::byte> rawBytes(const torch::Tensor& tensor) {
    return {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()};
}

template <class Number>
void addUp(const std::vector<std::span<const std::byte>>& parts, std::byte* out) {
    const std::size_t count = parts.front().size() / sizeof(Number);
    for (std::size_t i = 0; i < count; ++i) {
        Number sum{};
        for (std::size_t rank = 0; rank < parts.size(); ++rank) {
            Number each;
            std::memcpy(&each, parts[rank].data() + i * sizeof each, sizeof each);
            sum = rank == 0 ? each : static_cast<Number>(sum + each);
        }
        std::memcpy(out + i * sizeof sum, &sum, sizeof sum);
    }
}

// Its end would wait for what never ends.
void keepForEver(const compat::GroupPtr& group) {
    static auto& kept = *new std::vector<compat::GroupPtr>;
    kept.push_back(group);
}

} // namespace

Result<ProcessGroup> ProcessGroup::make(const compat::StorePtr& store, const GroupOptions& options) {
    auto transports = std::make_shared<Transports>();
    if (options.oneHost && !options.nccl && options.worldSize > 1) {
        try {
            auto mailbox =
                SharedMailbox::make(store, {options.rank, options.worldSize, options.timeout, options.abort});
            if (mailbox) transports->mailbox = std::move(*mailbox); // else by the connections that hosts have
        } catch (const std::exception& e) { return notMet(e, options); }
    }
    if (!transports->mailbox) { TY_ASSIGN(transports->c10d, makeC10d(store, options)); }
    ProcessGroup group(std::move(transports), options.rank, options.worldSize);
    if (options.nccl) group.m_device = c10::impl::VirtualGuardImpl(c10::DeviceType::CUDA).getDevice();
    group.m_store = store;
    group.m_options = options;
    return group;
}

const compat::GroupPtr& ProcessGroup::c10d() const {
    static const compat::GroupPtr none;
    if (!m_transports) return none;
    if (!m_transports->c10d) {
        auto made = makeC10d(m_store, m_options);
        if (!made) throw PeerLost(made.error().text());
        m_transports->c10d = std::move(*made);
    }
    return m_transports->c10d;
}

SharedMailbox* ProcessGroup::mailboxFor(const torch::Tensor& tensor) const {
    return m_transports->mailbox && tensor.is_cpu() && tensor.is_contiguous() ? m_transports->mailbox.get() : nullptr;
}

Result<ProcessGroup> ProcessGroup::subgroup(const std::string& name, const std::vector<int>& ranks) const {
    if (!m_transports) return single();
    const int number = ++m_transports->subgroups; // the keys of those made before are still in the store
    const auto found = std::find(ranks.begin(), ranks.end(), m_rank);
    if (found == ranks.end() || ranks.size() == 1) return single();
    GroupOptions options = m_options;
    options.rank = static_cast<int>(found - ranks.begin());
    options.worldSize = static_cast<int>(ranks.size());
    return make(c10::make_intrusive<c10d::PrefixStore>(name + std::to_string(number), m_store), options);
}

void ProcessGroup::sum(torch::Tensor& tensor) const {
    if (!m_transports) return;
    if (SharedMailbox* mailbox = mailboxFor(tensor)) {
        const auto type = tensor.scalar_type();
        auto* const out = static_cast<std::byte*>(tensor.data_ptr());
        const auto with = [&](auto number) {
            mailbox->gatherParts(rawBytes(tensor), [&](std::size_t offset, const auto& parts) {
                addUp<decltype(number)>(parts, out + offset);
            });
        };
        if (type == torch::kDouble) return with(double{});
        if (type == torch::kFloat) return with(float{});
        if (type == torch::kInt64) return with(std::int64_t{});
    }
    if (m_device.is_cuda() && !tensor.is_cuda()) {
        auto moved = tensor.to(m_device);
        wait(*startSum(moved));
        tensor.copy_(moved);
        return;
    }
    wait(*startSum(tensor));
}

c10::intrusive_ptr<c10d::Work> ProcessGroup::startSum(torch::Tensor& tensor) const {
    if (!m_transports) return {};
    std::vector<torch::Tensor> tensors{tensor};
    return c10d()->allreduce(tensors);
}

c10::intrusive_ptr<c10d::Work> ProcessGroup::startGather(const torch::Tensor& tensor,
                                                         std::vector<torch::Tensor>& all) const {
    if (!m_transports) return {};
    std::vector<std::vector<torch::Tensor>> outputs{all};
    std::vector<torch::Tensor> inputs{tensor};
    return c10d()->allgather(outputs, inputs);
}

void ProcessGroup::wait(c10d::Work& work) const {
    if (!m_options.abort || m_options.nccl) {
        work.wait();
        return;
    }
    for (;;) {
        try {
            work.wait(kLookEvery);
            return;
        } catch (const std::exception&) { // of the work, or that the time has passed
            if (work.isCompleted()) {
                work.wait(); // tells which
                return;
            }
        }
        if (!m_options.abort->raised()) continue;
        keepForEver(m_transports->c10d);
        throw PeerLost("the group was dropped, but its collective does not return");
    }
}

void ProcessGroup::broadcast(torch::Tensor& tensor) const {
    if (!m_transports) return;
    if (SharedMailbox* mailbox = mailboxFor(tensor)) return mailbox->broadcast(rawBytes(tensor), 0);
    std::vector<torch::Tensor> tensors{m_device.is_cuda() ? tensor.to(m_device) : tensor};
    wait(*c10d()->broadcast(tensors));
    if (m_device.is_cuda() && !tensor.is_cuda()) tensor.copy_(tensors[0]);
}

torch::Tensor ProcessGroup::broadcastBytes(const torch::Tensor& bytes, int root,
                                           const std::function<void(int)>& onPart) const {
    if (!m_transports) return bytes;
    c10d::BroadcastOptions options;
    options.rootRank = root;
    const auto fromRoot = [&](torch::Tensor tensor) {
        if (SharedMailbox* mailbox = mailboxFor(tensor)) return mailbox->broadcast(rawBytes(tensor), root);
        std::vector<torch::Tensor> tensors{tensor.to(m_device)};
        wait(*c10d()->broadcast(tensors, options));
        if (m_device.is_cuda()) tensor.copy_(tensors[0]);
    };
    const auto size = torch::tensor({m_rank == root ? bytes.numel() : 0}, torch::kInt64);
    fromRoot(size);
    const auto count = size.item<std::int64_t>();
    const auto all = m_rank == root ? bytes : torch::empty({count}, torch::kUInt8);
    int part = 0;
    for (std::int64_t offset = 0; offset < count; offset += kPartBytes) {
        onPart(part++);
        fromRoot(all.narrow(0, offset, std::min(kPartBytes, count - offset)));
    }
    barrier(); // for the root, whose last part is only on its way, it is not over before
    return all;
}

std::vector<torch::Tensor> ProcessGroup::gather(const torch::Tensor& tensor) const {
    if (!m_transports) return {tensor.clone()};
    std::vector<std::vector<torch::Tensor>> outputs(1);
    for (int r = 0; r < m_worldSize; ++r) outputs[0].push_back(torch::empty_like(tensor));
    if (SharedMailbox* mailbox = mailboxFor(tensor)) {
        mailbox->gatherParts(rawBytes(tensor), [&](std::size_t offset, const auto& parts) {
            for (std::size_t r = 0; r < parts.size(); ++r)
                std::memcpy(rawBytes(outputs[0][r]).data() + offset, parts[r].data(), parts[r].size());
        });
        return outputs[0];
    }
    const bool moves = m_device.is_cuda() && !tensor.is_cuda();
    std::vector<torch::Tensor> inputs{moves ? tensor.to(m_device) : tensor};
    if (moves)
        for (auto& output : outputs[0]) output = output.to(m_device);
    wait(*c10d()->allgather(outputs, inputs));
    if (moves)
        for (auto& output : outputs[0]) output = output.cpu();
    return outputs[0];
}

std::vector<std::string> ProcessGroup::gatherText(const std::string& text) const {
    if (!m_transports) return {text};
    if (m_transports->mailbox) return m_transports->mailbox->gather(std::as_bytes(std::span(text.data(), text.size())));
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
