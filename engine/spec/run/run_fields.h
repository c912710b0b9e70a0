// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a run file, written once for reading and writing. Each is described in RUN_FILE.md.
#pragma once

#include "engine/spec/run/object_reader.h"
#include "engine/spec/run/run_spec.h"

#include <concepts>
#include <set>
#include <string>
#include <type_traits>

namespace trainyard::spec {

template <class S, class T>
concept SpecOf = std::same_as<std::remove_const_t<S>, T>;

void fields(SpecOf<Batch> auto& b, auto&& visit) {
    visit("perRank", b.perRank);
    visit("global", b.global);
    visit("accumulate", b.accumulate);
    visit("dropLast", b.dropLast);
}
void fields(SpecOf<Elastic> auto& e, auto&& visit) {
    visit("min", e.min);
    visit("max", e.max);
}
void fields(SpecOf<Scaling> auto& s, auto&& visit) {
    visit("workers", s.workers);
    visit("device", s.device);
    visit("threadsPerWorker", s.threadsPerWorker);
    visit("memoryMb", s.memoryMb);
    visit("backend", s.backend);
    visit("averaging", s.averaging);
    visit("compression", s.compression);
    visit("compressionRank", s.compressionRank);
    visit("lrRule", s.lrRule);
    visit("syncBatchNorm", s.syncBatchNorm);
    visit("elastic", s.elastic);
    visit("place", s.place);
    visit("port", s.port);
}
void fields(SpecOf<Tuning> auto& t, auto&& visit) {
    visit("layout", t.layout);
    visit("kernels", t.kernels);
    visit("recompute", t.recompute);
}
void fields(SpecOf<DataRules> auto& d, auto&& visit) {
    visit("onError", d.onError);
    visit("maxBad", d.maxBad);
    visit("division", d.division);
    visit("changed", d.changed);
    visit("loading", d.loading);
    visit("loaderThreads", d.loaderThreads);
    visit("order", d.order);
    visit("balance", d.balance);
}
void fields(SpecOf<Augment> auto& a, auto&& visit) {
    visit("crop", a.crop);
    visit("flip", a.flip);
    visit("erase", a.erase);
    visit("resizedCrop", a.resizedCrop);
    visit("auto", a.policy);
    visit("mixup", a.mixup);
    visit("cutmix", a.cutmix);
}
void fields(SpecOf<Weights> auto& w, auto&& visit) {
    visit("file", w.file);
    visit("head", w.head);
}
void fields(SpecOf<Lora> auto& l, auto&& visit) {
    visit("rank", l.rank);
    visit("alpha", l.alpha);
    visit("dropout", l.dropout);
    visit("targets", Patterns{l.targets});
}
void fields(SpecOf<Finetune> auto& f, auto&& visit) {
    visit("freeze", Patterns{f.freeze});
    visit("thawAtEpoch", f.thawAtEpoch);
    visit("groups", f.groups);
    visit("layerDecay", f.layerDecay);
    visit("normStats", f.normStats);
    visit("features", f.features);
    visit("lora", f.lora);
}
void fields(SpecOf<Gradient> auto& g, auto&& visit) {
    visit("clipNorm", g.clipNorm);
    visit("clipValue", g.clipValue);
}
void fields(SpecOf<EarlyStop> auto& e, auto&& visit) {
    visit("metric", e.metric);
    visit("mode", e.mode);
    visit("patience", e.patience);
    visit("minDelta", e.minDelta);
}
void fields(SpecOf<Debug> auto& d, auto&& visit) {
    visit("overfitBatches", d.overfitBatches);
    visit("fastDevRun", d.fastDevRun);
}
void fields(SpecOf<CheckpointPolicy> auto& c, auto&& visit) {
    visit("everyEpochs", c.everyEpochs);
    visit("everySteps", c.everySteps);
    visit("keep", c.keep);
    visit("scoreBy", c.scoreBy);
    visit("mode", c.mode);
    visit("budgetMb", c.budgetMb);
}
void fields(SpecOf<Failure> auto& f, auto&& visit) {
    visit("maxRestarts", f.maxRestarts);
    visit("heartbeatSeconds", f.heartbeatSeconds);
    visit("linkSeconds", f.linkSeconds);
    visit("nonFinite", f.nonFinite);
    visit("rollbackLrFactor", f.rollbackLrFactor);
}
void fields(SpecOf<ProgramMetrics> auto& m, auto&& visit) {
    visit("patterns", m.patterns);
    visit("ranks", m.ranks);
}
void fields(SpecOf<ProgramCheckpoints> auto& c, auto&& visit) {
    visit("patterns", c.patterns);
    visit("copy", c.copy);
}
void fields(SpecOf<ProgramConfig> auto& c, auto&& visit) {
    visit("file", c.file);
    visit("argument", c.argument);
    visit("set", c.set);
}
void fields(SpecOf<ProgramStop> auto& s, auto&& visit) {
    visit("graceSeconds", s.graceSeconds);
    visit("group", s.group);
}
void fields(SpecOf<Program> auto& p, auto&& visit) {
    visit("script", p.script);
    visit("module", p.module);
    visit("command", p.command);
    visit("interpreter", p.interpreter);
    visit("folder", p.folder);
    visit("arguments", Arguments{p.arguments, p.words});
    visit("style", p.style);
    visit("config", p.config);
    visit("environment", p.environment);
    visit("secrets", p.secrets);
    visit("metrics", p.metrics);
    visit("checkpoints", p.checkpoints);
    visit("resume", p.resume);
    visit("stop", p.stop);
    visit("code", p.code);
    visit("prepare", p.prepare);
    visit("preload", p.preload);
}
void fields(SpecOf<RunSpec> auto& s, auto&& visit) {
    visit("version", s.version);
    visit("name", s.name);
    visit("program", s.program);
    visit("task", s.task);
    visit("model", WithWeights{s.model, s.weights});
    visit("dataset", Nested{s.dataset});
    visit("data", s.data);
    visit("optimizer", Flat{s.optimizer});
    visit("schedule", Flat{s.schedule});
    visit("loss", Flat{s.loss});
    visit("batch", s.batch);
    visit("augment", s.augment);
    visit("finetune", s.finetune);
    visit("gradient", s.gradient);
    visit("ema", s.ema);
    visit("precision", s.precision);
    visit("tuning", s.tuning);
    visit("epochs", s.epochs);
    visit("steps", s.steps);
    visit("seed", s.seed);
    visit("deterministic", s.deterministic);
    visit("scaling", s.scaling);
    visit("hosts", s.hosts);
    visit("spareHosts", s.spareHosts);
    visit("checkpoint", s.checkpoint);
    visit("failure", s.failure);
    visit("earlyStop", s.earlyStop);
    visit("debug", s.debug);
    visit("tensorBoard", s.tensorBoard);
    visit("storage", s.storage);
}

// The keys of an object of a run file.
template <class T>
std::set<std::string> keysOf(const T& object) {
    std::set<std::string> keys;
    const auto visit = [&](const char* key, const auto&) { keys.insert(key); };
    fields(object, visit);
    return keys;
}

// The spec in a tree, for parts of other files; the paths of its errors begin with `path`.
RunSpec readRun(const Json& tree, const std::string& path, Errors& errors);
// Reports a version that this program does not know; a file without one is of the present one.
void checkVersion(Json& tree, const std::string& path, Errors& errors);
Json runToJson(const RunSpec& spec);
// Sets one field of a tree; returns what is wrong with the path, or nothing.
std::string setField(Json& tree, const std::string& path, Json value);
// What stands at a path; null when there is nothing.
const Json* fieldAt(const Json& tree, const std::string& path);

} // namespace trainyard::spec
