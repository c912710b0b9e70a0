// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/shared_rendezvous.h"

#include "engine/torch/optim/update_rule.h"

namespace trainyard::train {
namespace {

// The values that training continues from.
void fill(const std::shared_ptr<SharedSegment>& segment, const FlatLayout& layout, optim::Optimizer& optimizer) {
    const torch::NoGradGuard noGrad;
    const auto flat = tensorAt(segment, segment->copy(0), segment->copyFloats());
    const auto parameters = tensorsOf(optimizer.parameters());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto offset = static_cast<std::int64_t>(layout.offsets[i]);
        viewFor(flat, parameters[i], offset).copy_(parameters[i]);
        const auto& slots = optimizer.slots(i);
        for (std::size_t s = 0; s < slots.size(); ++s)
            viewFor(flat, parameters[i], offset + static_cast<std::int64_t>((1 + s) * layout.floats)).copy_(slots[s]);
    }
}

// The buckets of the first rank's gradients, as they travel between the hosts.
std::vector<Flat> flatsAt(const SharedParts& parts, const optim::NamedTensors& parameters) {
    std::vector<Flat> flats;
    for (auto& tensor : bucketsAt(parts.segment, parts.layout)) flats.push_back({std::move(tensor), {}});
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::size_t bucket = parts.layout.bucketOf[i], offset = parts.layout.offsets[i];
        flats[bucket].parts.push_back({parameters[i].first, parameters[i].second,
                                       static_cast<std::int64_t>(offset - parts.layout.buckets[bucket].offset)});
    }
    return flats;
}

struct Reached {
    std::shared_ptr<SharedSegment> segment;
    std::string problem;
};

Reached reach(Result<std::shared_ptr<SharedSegment>> segment) {
    return segment ? Reached{*segment, ""} : Reached{nullptr, segment.error().message};
}

} // namespace

torch::Tensor tensorAt(const std::shared_ptr<SharedSegment>& segment, float* data, std::size_t count) {
    return torch::from_blob(data, {static_cast<std::int64_t>(count)}, [segment](void*) {}, torch::kFloat);
}

std::vector<torch::Tensor> bucketsAt(const std::shared_ptr<SharedSegment>& segment, const FlatLayout& layout) {
    std::vector<torch::Tensor> flats;
    for (const auto& bucket : layout.buckets)
        flats.push_back(tensorAt(segment, segment->gradients(0) + bucket.offset, bucket.count));
    return flats;
}

Result<SharedParts> meetInMemory(const ProcessGroup& group, const HostsOfRanks& hosts, optim::Optimizer& optimizer,
                                 const AveragerOptions& options, Progress& progress) {
    const auto parameters = tensorsOf(optimizer.parameters());
    const std::size_t ranks = hosts.own().size();
    const bool oneHost = hosts.hosts.size() == 1;
    SharedParts parts;
    parts.hosts = hosts;
    TY_TRY(compressionFromString(options.compression.kind));
    // Two numbers have one sum; with more ranks it is that of the ring, so that the averagers' bits agree.
    parts.layout =
        planLayout(parameters, planBuckets(parameters, options.bucketBytes), oneHost && ranks > 2 ? ranks : 0);
    SegmentShape shape{ranks, parts.layout.floats, 0, 0, 0};
    if (!options.gradientsOnly)
        shape = {ranks, parts.layout.floats, optimizer.rule().slots().size(), parts.layout.blocks.size(),
                 options.pins ? 3u : 2u};

    Reached mine;
    progress.setDoing(Engine::tr("create the shared memory")); // which takes its time where it is large
    if (hosts.index == 0) mine = reach(SharedSegment::create(shape));
    if (mine.segment && shape.copies > 0) fill(mine.segment, parts.layout, optimizer);
    progress.setRendezvous();
    const auto addresses = group.gatherText(mine.segment ? mine.segment->address() : "");
    const auto& address = addresses[static_cast<std::size_t>(hosts.own().front())];
    if (hosts.index != 0 && !address.empty()) mine = reach(SharedSegment::open(shape, address));
    const auto problems = group.gatherText(mine.problem);
    for (std::size_t rank = 0; rank < problems.size(); ++rank)
        if (!problems[rank].empty())
            return environmentError("no shared memory between the ranks: " + problems[rank],
                                    "rank " + std::to_string(rank), "set scaling.averaging to \"buckets\"");
    parts.segment = mine.segment;
    parts.segment->close();
    if (oneHost) return parts;
    TY_ASSIGN(parts.between, group.subgroup("hosts", hosts.firsts()));
    if (hosts.index == 0) {
        TY_ASSIGN(parts.compressed,
                  CompressedSums::make(parts.between, options.compression, flatsAt(parts, optimizer.parameters())));
    }
    return parts;
}

} // namespace trainyard::train
