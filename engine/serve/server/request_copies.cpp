// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of requests: the sample that a new version has to answer, and what a shadow is given.
#include "engine/base/clock.h"
#include "engine/serve/server/request_desk.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace trainyard::serve {
namespace {

constexpr double kSampleSeconds = 1; // a stored sample is that old at most, where requests come
constexpr std::size_t kMostSample = 1 << 20;
constexpr double kOwnSeconds = 30;

// How much two tensors of floats differ at most; infinity where they have other sizes.
double differenceOf(std::span<const std::byte> a, std::span<const std::byte> b) {
    if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t at = 0; at + sizeof(float) <= a.size(); at += sizeof(float)) {
        float left = 0, right = 0;
        std::memcpy(&left, a.data() + at, sizeof left);
        std::memcpy(&right, b.data() + at, sizeof right);
        most = std::max(most, std::abs(static_cast<double>(left) - static_cast<double>(right)));
    }
    return most;
}

} // namespace

void RequestDesk::keepSample(PendingRequest& pending, const SlotHead& head, std::span<const std::byte> input) {
    const double now = monotonicSeconds();
    if (input.size() > kMostSample || (pending.name->sample && now < pending.name->sample->at + kSampleSeconds)) return;
    pending.name->sample = StoredSample{head, {input.begin(), input.end()}, now};
    pending.name->sample->head.wantsTensors = 1;
}

// A copy for the version that is compared with the one that has answered.
void RequestDesk::shadow(PendingRequest& pending, const SlotHead& head, std::span<const std::byte> input,
                         std::span<const std::byte> output) {
    LaneEntry* const other = pending.name->withRole(VersionRole::Shadow);
    if (other == nullptr || pending.entry->role != VersionRole::Current) return;
    std::vector<std::byte> answered(output.begin(), output.end());
    VersionLane* const lane = other->lane.get();
    const bool tensors = head.wantsTensors != 0;
    (void)giveOwn(*lane, head, input,
                  [this, lane, tensors, answered = std::move(answered)](
                      const SlotHead& got, std::span<const std::byte> bytes, const Error* error) {
                      LaneEntry* const entry = m_versions.entryOf(*lane);
                      if (entry == nullptr) return;
                      entry->figures.total.add(monotonicSeconds(), got.computeUs / 1e3);
                      ++entry->figures.codes[error == nullptr ? 200 : 500];
                      ++entry->compared;
                      if (std::ranges::equal(answered, bytes)) return;
                      ++entry->differ;
                      if (tensors) entry->mostDiffer = std::max(entry->mostDiffer, differenceOf(answered, bytes));
                  });
}

bool RequestDesk::giveOwn(VersionLane& lane, const SlotHead& head, std::span<const std::byte> input, Own own) {
    if (!lane.hasRoom(head.rows, 1)) return false;
    const auto slot = lane.takeSlot();
    if (!slot) return false;
    const auto room = lane.memory().input(*slot);
    if (input.size() > room.size()) {
        lane.release(*slot);
        return false;
    }
    std::memcpy(room.data(), input.data(), input.size());
    SlotHead& to = lane.memory().head(*slot);
    to = head;
    to.status = 0;
    const RequestId id = m_nextOwn++;
    m_own.emplace(id, std::move(own));
    const double now = monotonicSeconds();
    lane.enqueue({.request = id,
                  .part = 0,
                  .slot = *slot,
                  .rows = head.rows,
                  .pictures = static_cast<int>(head.rows),
                  .tokens = 0,
                  .deaths = 0,
                  .since = now,
                  .deadline = now + kOwnSeconds});
    return true;
}

void RequestDesk::check(VersionLane& lane, const StoredSample& sample, ServedVersions::Verdict verdict) {
    const auto judge = [verdict](const SlotHead& head, std::span<const std::byte> output, const Error* error) {
        if (error != nullptr) return verdict(*error);
        if (head.status != static_cast<std::uint32_t>(SlotStatus::Done))
            return verdict(runError("cannot compute a request that the current version has answered: " +
                                        std::string(reinterpret_cast<const char*>(output.data()), output.size()),
                                    "stored sample"));
        for (std::size_t at = 0; at + sizeof(float) <= output.size(); at += sizeof(float)) {
            float number = 0;
            std::memcpy(&number, output.data() + at, sizeof number);
            if (!std::isfinite(number))
                return verdict(runError("gives numbers that are not finite for a request that the current version has "
                                        "answered",
                                        "stored sample"));
        }
        verdict({});
    };
    if (!giveOwn(lane, sample.head, sample.input, judge)) verdict({});
}

} // namespace trainyard::serve
