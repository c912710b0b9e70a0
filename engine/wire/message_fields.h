// SPDX-License-Identifier: GPL-3.0-or-later
// Each message's fields, written once for both directions: fields(message, visit) calls visit(key, member) for each.
// Add a field at the end of its message; a removed or renamed one needs a new kProtocolVersion.
#pragma once

#include "engine/wire/messages.h"

#include <concepts>
#include <type_traits>

namespace trainyard::wire {

template <class M, class T>
concept Is = std::same_as<std::remove_const_t<M>, T>;

// Marks text that may be any bytes: it travels as a CBOR byte string.
template <class Text>
struct Bytes {
    Text& text;
};
template <class Text>
Bytes(Text&) -> Bytes<Text>;
// Marks a field that programs of an earlier version do not send: where it is missing, the member keeps its default.
template <class T>
struct Added {
    T& value;
};
template <class T>
Added(T&) -> Added<T>;

// The type number in the frame's header. Numbers are never reused; 4 was one.
template <class M>
inline constexpr std::uint8_t kType = 0;
template <>
inline constexpr std::uint8_t kType<Hello> = 1;
template <>
inline constexpr std::uint8_t kType<Ready> = 2;
template <>
inline constexpr std::uint8_t kType<PhaseChange> = 3;
template <>
inline constexpr std::uint8_t kType<Metrics> = 50;
template <>
inline constexpr std::uint8_t kType<Heartbeat> = 5;
template <>
inline constexpr std::uint8_t kType<CheckpointSaved> = 6;
template <>
inline constexpr std::uint8_t kType<CheckpointSkipped> = 7;
template <>
inline constexpr std::uint8_t kType<Failed> = 8;
template <>
inline constexpr std::uint8_t kType<Finished> = 9;
template <>
inline constexpr std::uint8_t kType<CommandDone> = 10;
template <>
inline constexpr std::uint8_t kType<PeerLost> = 11;
template <>
inline constexpr std::uint8_t kType<Evaluation> = 12;
template <>
inline constexpr std::uint8_t kType<Notice> = 13;
template <>
inline constexpr std::uint8_t kType<RolledBack> = 14;
template <>
inline constexpr std::uint8_t kType<Tested> = 15;
template <>
inline constexpr std::uint8_t kType<StoreSet> = 16;
template <>
inline constexpr std::uint8_t kType<StoreAdd> = 17;
template <>
inline constexpr std::uint8_t kType<StoreGet> = 18;
template <>
inline constexpr std::uint8_t kType<StoreCheck> = 19;
template <>
inline constexpr std::uint8_t kType<StoreReply> = 20;
template <>
inline constexpr std::uint8_t kType<Free> = 21;
template <>
inline constexpr std::uint8_t kType<SystemSample> = 22;
template <>
inline constexpr std::uint8_t kType<DataRead> = 23;
template <>
inline constexpr std::uint8_t kType<KernelChoice> = 24;
template <>
inline constexpr std::uint8_t kType<Start> = 32;
template <>
inline constexpr std::uint8_t kType<Stop> = 33;
template <>
inline constexpr std::uint8_t kType<Command> = 34;
template <>
inline constexpr std::uint8_t kType<Regroup> = 35;
template <>
inline constexpr std::uint8_t kType<Alive> = 36;
template <>
inline constexpr std::uint8_t kType<Attach> = 48;
template <>
inline constexpr std::uint8_t kType<RunState> = 49;
template <>
inline constexpr std::uint8_t kType<Rewound> = 51;
template <>
inline constexpr std::uint8_t kType<CheckpointListChanged> = 52;
template <>
inline constexpr std::uint8_t kType<LogLine> = 53;

void fields(Is<Error> auto& m, auto&& visit) {
    visit("kind", m.kind);
    visit("message", m.message);
    visit("where", m.where);
    visit("remedy", m.remedy);
    visit("code", m.code);
}
void fields(Is<Hello> auto& m, auto&& visit) {
    visit("protocol", m.protocol);
    visit("pid", m.pid);
    visit("host", m.host);
    visit("version", m.version);
    visit("libtorchVersion", m.libtorchVersion);
}
void fields(Is<Ready> auto& m, auto&& visit) {
    visit("device", m.device);
    visit("threads", m.threads);
    visit("note", m.note);
    visit("rejoins", m.rejoins);
}
void fields(Is<PhaseChange> auto& m, auto&& visit) {
    visit("phase", m.phase);
    visit("seconds", m.seconds);
    visit("detail", m.detail);
}
void fields(Is<SeriesPoints> auto& m, auto&& visit) {
    visit("series", m.series);
    visit("firstIndex", m.firstIndex);
    visit("points", m.points);
}
void fields(Is<Metrics> auto& m, auto&& visit) { visit("series", m.series); }
void fields(Is<Heartbeat> auto& m, auto&& visit) {
    visit("step", m.step);
    visit("totalSteps", m.totalSteps);
    visit("epoch", m.epoch);
    visit("totalEpochs", m.totalEpochs);
    visit("samplesPerSecond", m.samplesPerSecond);
    visit("dataShare", m.dataShare);
    visit("computeShare", m.computeShare);
    visit("commShare", m.commShare);
    visit("residentBytes", m.residentBytes);
    visit("doing", m.doing);
    visit("forwardShare", m.forwardShare);
    visit("backwardShare", m.backwardShare);
    visit("optimizerShare", m.optimizerShare);
    visit("activity", m.activity);
}
void fields(Is<SystemSample> auto& m, auto&& visit) {
    visit("seconds", m.seconds);
    visit("cpuCores", m.cpuCores);
    visit("residentBytes", m.residentBytes);
    visit("dataShare", m.dataShare);
    visit("computeShare", m.computeShare);
    visit("commShare", m.commShare);
    visit("waitShare", m.waitShare);
    visit("hasHost", m.hasHost);
    visit("hostCpuShare", m.hostCpuShare);
    visit("hostMemoryUsed", m.hostMemoryUsed);
    visit("hostMemoryTotal", m.hostMemoryTotal);
    visit("hostReceived", m.hostReceived);
    visit("hostSent", m.hostSent);
    visit("hasGpu", m.hasGpu);
    visit("gpuShare", m.gpuShare);
    visit("gpuMemoryUsed", m.gpuMemoryUsed);
    visit("gpuMemoryTotal", m.gpuMemoryTotal);
}
void fields(Is<CheckpointSaved> auto& m, auto&& visit) {
    visit("path", m.path);
    visit("step", m.step);
    visit("epoch", m.epoch);
    visit("bytes", m.bytes);
    visit("metrics", m.metrics);
}
void fields(Is<CheckpointSkipped> auto& m, auto&& visit) {
    visit("step", m.step);
    visit("error", m.error);
}
void fields(Is<Evaluation> auto& m, auto&& visit) {
    visit("step", m.step);
    visit("epoch", m.epoch);
    visit("json", m.json);
}
void fields(Is<Tested> auto& m, auto&& visit) {
    visit("which", m.which);
    visit("step", m.step);
    visit("epoch", m.epoch);
    visit("json", m.json);
}
void fields(Is<DataRead> auto& m, auto&& visit) {
    visit("json", m.json);
    visit("notes", m.notes);
    visit("file", m.file);
    visit("reason", m.reason);
}
void fields(Is<Notice> auto& m, auto&& visit) {
    visit("step", m.step);
    visit("message", m.message);
}
void fields(Is<RolledBack> auto& m, auto&& visit) {
    visit("toStep", m.toStep);
    visit("message", m.message);
}
void fields(Is<Failed> auto& m, auto&& visit) {
    visit("error", m.error);
    visit("step", m.step);
}
void fields(Is<Finished> auto& m, auto&& visit) {
    visit("step", m.step);
    visit("epoch", m.epoch);
    visit("trainSeconds", m.trainSeconds);
    visit("stopped", m.stopped);
    visit("parameterDigest", m.parameterDigest);
}
void fields(Is<StoreSet> auto& m, auto&& visit) {
    visit("key", m.key);
    visit("value", Bytes{m.value});
}
void fields(Is<StoreAdd> auto& m, auto&& visit) {
    visit("request", m.request);
    visit("key", m.key);
    visit("amount", m.amount);
}
void fields(Is<StoreGet> auto& m, auto&& visit) {
    visit("request", m.request);
    visit("key", m.key);
}
void fields(Is<StoreCheck> auto& m, auto&& visit) {
    visit("request", m.request);
    visit("keys", m.keys);
}
void fields(Is<KernelChoice> auto& m, auto&& visit) {
    visit("request", m.request);
    visit("key", m.key);
    visit("choice", Bytes{m.choice});
}
void fields(Is<StoreReply> auto& m, auto&& visit) {
    visit("request", m.request);
    visit("value", Bytes{m.value});
    visit("number", m.number);
}
void fields(Is<Start> auto& m, auto&& visit) {
    visit("runJson", m.runJson);
    visit("paths", m.paths);
    visit("rank", m.rank);
    visit("worldSize", m.worldSize);
    visit("localRank", m.localRank);
    visit("localWorldSize", m.localWorldSize);
    visit("generation", m.generation);
    visit("interfaceAddress", m.interfaceAddress);
    visit("checkpointFolder", m.checkpointFolder);
    visit("resumeFrom", m.resumeFrom);
    visit("secondsBefore", m.secondsBefore);
    visit("mayRejoin", m.mayRejoin);
    visit("joining", m.joining);
    visit("mayStay", m.mayStay);
    visit("sharing", m.sharing);
    visit("isFork", m.isFork);
    visit("codeFolder", m.codeFolder);
    visit("environment", m.environment);
    visit("secrets", m.secrets);
    visit("trial", m.trial);
}
void fields(Is<Free> auto& m, auto&& visit) { visit("residentBytes", m.residentBytes); }
void fields(Is<PeerLost> auto& m, auto&& visit) {
    visit("generation", m.generation);
    visit("step", m.step);
    visit("message", m.message);
}
void fields(Is<Regroup> auto& m, auto&& visit) {
    visit("generation", m.generation);
    visit("rank", m.rank);
    visit("worldSize", m.worldSize);
    visit("localRank", m.localRank);
    visit("localWorldSize", m.localWorldSize);
}
void fields(Is<Alive> auto& m, auto&& visit) { visit("storedStep", m.storedStep); }
void fields(Is<Stop> auto& m, auto&& visit) { visit("mode", m.mode); }
void fields(Is<Command> auto& m, auto&& visit) {
    visit("id", m.id);
    visit("kind", m.kind);
    visit("value", m.value);
}
void fields(Is<CommandDone> auto& m, auto&& visit) {
    visit("id", m.id);
    visit("kind", m.kind);
    visit("value", m.value);
    visit("step", m.step);
    visit("error", m.error);
}
void fields(Is<Attach> auto& m, auto&& visit) { visit("protocol", m.protocol); }
void fields(Is<WorkerState> auto& m, auto&& visit) {
    visit("rank", m.rank);
    visit("host", m.host);
    visit("pid", m.pid);
    visit("device", m.device);
    visit("status", m.status);
    visit("beat", m.beat);
}
void fields(Is<RunState> auto& m, auto&& visit) {
    visit("status", m.status);
    visit("phase", m.phase);
    visit("checklist", m.checklist);
    visit("step", m.step);
    visit("totalSteps", m.totalSteps);
    visit("epoch", m.epoch);
    visit("totalEpochs", m.totalEpochs);
    visit("samplesPerSecond", m.samplesPerSecond);
    visit("etaSeconds", m.etaSeconds);
    visit("trainSeconds", m.trainSeconds);
    visit("restarts", m.restarts);
    visit("workers", m.workers);
    visit("notice", m.notice);
    visit("error", Added{m.error});
    visit("processesLeft", m.processesLeft);
    visit("unseenOn", Added{m.unseenOn});
}
void fields(Is<Rewound> auto& m, auto&& visit) { visit("toStep", m.toStep); }
void fields(Is<CheckpointListChanged> auto&, auto&&) {}
void fields(Is<LogLine> auto& m, auto&& visit) {
    visit("rank", m.rank);
    visit("level", m.level);
    visit("text", m.text);
    visit("wallMs", m.wallMs);
}

} // namespace trainyard::wire
