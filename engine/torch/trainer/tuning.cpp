// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/tuning.h"

#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/base/math/crc32c.h"
#include "engine/torch/base/device.h"
#include "engine/torch/base/tuning_cache.h"
#include "engine/torch/kernels/convolution.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/kernels/onednn.h"

#include <nlohmann/json.hpp>
#include <torch/version.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <span>
#include <sstream>

namespace trainyard::train {
namespace {

using kernels::KernelMode;

constexpr const char* kContiguous = "contiguous";
constexpr const char* kChannelsLast = "channels_last";
const std::string kKernelPrefix = "tuning.kernel ";
constexpr int kChoices = 3; // counts the changes of what there is to choose from: what was found before is found anew

bool hasConvolutions(const models::Model& model) {
    for (const auto& parameter : model.parameters())
        if (parameter.dim() == 4) return true;
    return false;
}

// Layers for which there is more than one kernel.
bool hasChoices(models::Model& model) {
    for (const auto& part : model.modules())
        if (part->as<kernels::LinearImpl>() || part->as<kernels::Conv2dImpl>()) return true;
    return false;
}

std::string readCpuName() {
    std::ifstream lines("/proc/cpuinfo");
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 1);
    return {};
}

const std::string& cpuName() {
    static const std::string name = readCpuName();
    return name;
}

// Models of the same name, parameters and batch are of the same speed on one computer.
std::string keyOf(const TuningTask& task, const std::string& computer) {
    std::ostringstream text;
    text << kChoices << '|' << TORCH_VERSION << '|' << kernels::onednn::version() << '|' << computer << '|'
         << task.threads << '|' << productThreads() << '|' << task.samples << '|' << task.spec.precision << '|'
         << task.spec.tuning.layout << '|' << task.spec.tuning.kernels << '|' << task.spec.dataset.name;
    for (const auto& item : task.model.named_parameters()) text << '|' << item.key() << item.value().sizes();
    const std::string all = text.str();
    char key[96];
    std::snprintf(key, sizeof key, "%.60s-%08x%04zx", task.spec.model.name.c_str(),
                  crc32c(std::as_bytes(std::span(all.data(), all.size()))), all.size());
    return key;
}

// All that the outcome depends on.
std::string cacheKey(const TuningTask& task) { return keyOf(task, cpuName() + "|" + task.device.str()); }

void layOut(models::Model& model, const std::string& layout) {
    const torch::NoGradGuard noGrad;
    const auto format = layout == kChannelsLast ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
    for (torch::Tensor& parameter : model.parameters())
        if (parameter.dim() == 4 && !parameter.is_contiguous(format)) parameter.set_data(parameter.contiguous(format));
}

// Restores what trial steps change: buffers, gradients, layout, kernels. Random numbers need no restoring: they are
// seeded anew for each training step.
class Untouched {
public:
    explicit Untouched(models::Model& model) : m_model(model) {
        for (const auto& buffer : model.buffers()) m_buffers.emplace_back(buffer, buffer.clone());
    }
    ~Untouched() {
        const torch::NoGradGuard noGrad;
        for (auto& [buffer, copy] : m_buffers) buffer.copy_(copy);
        for (torch::Tensor& parameter : m_model.parameters()) parameter.mutable_grad().reset();
        layOut(m_model, kContiguous);
        kernels::useKernels(KernelMode::Stock);
    }
    Untouched(const Untouched&) = delete;
    Untouched& operator=(const Untouched&) = delete;

private:
    models::Model& m_model;
    std::vector<std::pair<torch::Tensor, torch::Tensor>> m_buffers;
};

struct Way {
    std::string layout, precision;
    double seconds = std::numeric_limits<double>::infinity(); // the shortest trial step so far
};

class Trial {
public:
    explicit Trial(const TuningTask& task) : m_task(task), m_samples(task.samples) {}

    double step(const std::string& precision) const {
        for (torch::Tensor& parameter : m_task.model.parameters()) parameter.mutable_grad().reset();
        const double from = monotonicSeconds();
        m_task.loss(m_samples, precision).backward();
        if (m_task.device.is_cuda()) torch::cuda::synchronize();
        return monotonicSeconds() - from;
    }

    // Long steps are tried on a part of the batch: what is faster does not depend on the last few samples.
    void shorten(double stepSeconds) {
        constexpr double kEnough = 0.04;
        constexpr std::int64_t kFewest = 4;
        if (stepSeconds <= 1.5 * kEnough) return;
        const double part = static_cast<double>(m_samples) * kEnough / stepSeconds;
        m_samples = std::clamp(static_cast<std::int64_t>(part), std::min(kFewest, m_samples), m_samples);
    }

    // In turns, so that a busy moment of the computer meets every way. A way that fails is out.
    void race(std::vector<Way>& ways) const {
        constexpr int kTurns = 2, kSteps = 3; // the first step of a turn warms up
        for (int turn = 0; turn < kTurns; ++turn)
            for (Way& way : ways) {
                layOut(m_task.model, way.layout);
                for (int i = 0; i < kSteps; ++i) {
                    const double seconds = tried(way.precision);
                    if (i > 0) way.seconds = std::min(way.seconds, seconds);
                }
            }
    }

private:
    double tried(const std::string& precision) const {
        try {
            return step(precision);
        } catch (const std::exception&) {
            if (precision == "fp32") throw;
            return std::numeric_limits<double>::infinity(); // a model may have no kernels for it
        }
    }

    const TuningTask& m_task;
    std::int64_t m_samples;
};

std::vector<Way> waysOf(const TuningTask& task) {
    std::vector<std::string> layouts{kContiguous}, precisions{"fp32"};
    if (task.spec.tuning.layout == kChannelsLast) layouts = {kChannelsLast};
    else if (task.spec.tuning.layout == "auto" && hasConvolutions(task.model)) layouts.emplace_back(kChannelsLast);
    if (task.spec.precision == "auto") precisions.emplace_back("bf16");
    else precisions = {task.spec.precision};
    std::vector<Way> ways;
    for (const auto& precision : precisions)
        for (const auto& layout : layouts) ways.push_back({layout, precision});
    return ways;
}

// The first way is the plainest; another has to be worth it, and bf16's rounding more so than a layout.
const Way& best(const std::vector<Way>& ways) {
    const Way* chosen = &ways.front();
    for (const Way& way : ways) {
        const double worth = way.precision == chosen->precision ? 0.97 : 0.9;
        if (way.seconds < chosen->seconds * worth) chosen = &way;
    }
    return *chosen;
}

Tuned timed(const TuningTask& task) {
    Tuned tuned;
    const double begun = monotonicSeconds();
    const Untouched keep(task.model);
    Trial trial(task);
    if (task.spec.tuning.kernels == "auto" && task.device.is_cpu() && kernels::onednn::available() &&
        hasChoices(task.model)) {
        tuned.kernels = KernelMode::Chosen;
        if (task.spec.precision != "bf16") { // whose products oneDNN computes anyhow
            kernels::useKernels(KernelMode::Timing);
            trial.step("fp32");
            tuned.choices = kernels::kernelChoices();
        }
        kernels::useKernels(KernelMode::Chosen, tuned.choices);
    }
    if (std::vector<Way> ways = waysOf(task); ways.size() > 1) {
        trial.shorten(trial.step(ways.front().precision));
        trial.race(ways);
        for (const Way& way : ways)
            if (std::isfinite(way.seconds)) tuned.seconds[way.layout + " " + way.precision] = way.seconds;
        tuned.layout = best(ways).layout;
        tuned.precision = best(ways).precision;
    } else {
        tuned.layout = ways.front().layout;
        tuned.precision = ways.front().precision;
    }
    tuned.tookSeconds = monotonicSeconds() - begun;
    return tuned;
}

// How many times as fast as the other way the chosen one was: " (1.31 x contiguous)".
std::string gain(const std::map<std::string, double>& seconds, const std::string& chosen, const std::string& other,
                 const std::string& title) {
    const auto a = seconds.find(chosen), b = seconds.find(other);
    if (a == seconds.end() || b == seconds.end() || a->second <= 0) return {};
    char text[64];
    std::snprintf(text, sizeof text, " (%.2f x %s)", b->second / a->second, title.c_str());
    return text;
}

std::string fingerprint(const kernels::KernelChoices& choices) {
    const std::string all = kernels::toText(choices);
    char text[16];
    std::snprintf(text, sizeof text, "%08x", crc32c(std::as_bytes(std::span(all.data(), all.size()))));
    return text;
}

} // namespace

std::string Tuned::text() const {
    return jsonText(nlohmann::json{{"layout", layout},
                                   {"precision", precision},
                                   {"kernels", static_cast<int>(kernels)},
                                   {"choices", kernels::toText(choices)},
                                   {"seconds", seconds},
                                   {"tookSeconds", tookSeconds}});
}

std::optional<Tuned> Tuned::fromText(const std::string& text) {
    try {
        const auto json = parseSortedJson(text);
        Tuned tuned;
        tuned.layout = json.at("layout").get<std::string>();
        tuned.precision = json.at("precision").get<std::string>();
        const int mode = json.at("kernels").get<int>();
        if (mode == static_cast<int>(KernelMode::OneDnn)) tuned.kernels = KernelMode::OneDnn;
        else if (mode == static_cast<int>(KernelMode::Chosen)) tuned.kernels = KernelMode::Chosen;
        tuned.choices = kernels::choicesFromText(json.at("choices").get<std::string>());
        tuned.seconds = json.at("seconds").get<std::map<std::string, double>>();
        tuned.tookSeconds = json.at("tookSeconds").get<double>();
        return tuned;
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
}

void Tuned::save(std::map<std::string, double>& state) const {
    state["tuning.channels_last"] = layout == kChannelsLast ? 1 : 0;
    state["tuning.bf16"] = precision == "bf16" ? 1 : 0;
    state["tuning.kernels"] = static_cast<double>(kernels);
    for (const auto& [shape, kernel] : choices) {
        const std::string line = kernels::toText(kernels::KernelChoices{{shape, kernel}});
        state[kKernelPrefix + line.substr(0, line.rfind(' '))] = static_cast<double>(kernel);
    }
}

std::optional<Tuned> Tuned::restored(const std::map<std::string, double>& state) {
    const auto mode = state.find("tuning.kernels"), last = state.find("tuning.channels_last");
    const auto bf16 = state.find("tuning.bf16");
    if (mode == state.end() || last == state.end() || bf16 == state.end()) return std::nullopt;
    Tuned tuned;
    tuned.layout = last->second > 0 ? kChannelsLast : kContiguous;
    tuned.precision = bf16->second > 0 ? "bf16" : "fp32";
    for (const auto each : {KernelMode::OneDnn, KernelMode::Chosen})
        if (mode->second == static_cast<double>(each)) tuned.kernels = each;
    for (auto at = state.lower_bound(kKernelPrefix); at != state.end() && at->first.starts_with(kKernelPrefix); ++at)
        for (const auto each :
             {kernels::Kernel::Stock, kernels::Kernel::Matmul, kernels::Kernel::Gemm, kernels::Kernel::Direct}) {
            if (at->second != static_cast<double>(each)) continue;
            const std::string product = at->first.substr(kKernelPrefix.size());
            tuned.choices.merge(kernels::choicesFromText(product + " " + kernels::name(each)));
        }
    return tuned;
}

std::string Tuned::words() const {
    std::string text;
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (layout != kContiguous || seconds.size() > 1)
        add(layout + gain(seconds, layout + " " + precision,
                          (layout == kContiguous ? kChannelsLast : kContiguous) + (" " + precision),
                          layout == kContiguous ? kChannelsLast : kContiguous));
    if (precision != "fp32" || seconds.contains(layout + " bf16")) {
        const std::string other = precision == "fp32" ? "bf16" : "fp32";
        add(precision + gain(seconds, layout + " " + precision, layout + " " + other, other));
    }
    if (kernels == KernelMode::OneDnn || (kernels == KernelMode::Chosen && precision == "bf16"))
        add("oneDNN for linear layers");
    else if (kernels == KernelMode::Chosen && !choices.empty()) {
        const auto direct = std::count_if(choices.begin(), choices.end(),
                                          [](const auto& row) { return row.second == kernels::Kernel::Direct; });
        const auto oneDnn = std::count_if(choices.begin(), choices.end(), [](const auto& row) {
            return row.second == kernels::Kernel::Matmul || row.second == kernels::Kernel::Gemm;
        });
        const std::string all = " of " + std::to_string(choices.size()) + " products";
        add("oneDNN for " + std::to_string(oneDnn) + all);
        if (direct > 0) add("direct loops for " + std::to_string(direct) + all);
        add("kernels " + fingerprint(choices)); // two choices may be as many of each
    }
    return text;
}

Tuned withStated(Tuned tuned, const spec::RunSpec& spec) {
    if (spec.tuning.layout != "auto") tuned.layout = spec.tuning.layout;
    if (spec.precision != "auto") tuned.precision = spec.precision;
    if (spec.tuning.kernels == "stock" || spec.deterministic) tuned.kernels = KernelMode::Stock;
    if (spec.tuning.kernels == "onednn" && !spec.deterministic) tuned.kernels = KernelMode::OneDnn;
    return tuned;
}

bool hasOpenChoice(const TuningTask& task) {
    const bool kernelsOpen = task.spec.tuning.kernels == "auto" && kernels::onednn::available();
    // Batch statistics over all ranks make a forward pass a collective, and only one rank times.
    const bool together = task.spec.scaling.syncBatchNorm && task.spec.scaling.workers > 1;
    return !task.spec.deterministic && !together && (kernelsOpen || waysOf(task).size() > 1);
}

std::string choiceKey(const TuningTask& task) { return keyOf(task, task.device.is_cuda() ? "cuda" : "cpu"); }

Tuned tune(const TuningTask& task) {
    if (!hasOpenChoice(task)) return withStated({}, task.spec);
    if (auto known = knownTuning(task)) return std::move(*known);
    const TuningTurn turn;
    if (auto known = knownTuning(task)) return std::move(*known); // found while this one waited
    const Tuned tuned = timed(task);
    rememberTuning(cacheKey(task), tuned.text());
    return withStated(tuned, task.spec);
}

std::optional<Tuned> knownTuning(const TuningTask& task) {
    const auto known = rememberedTuning(cacheKey(task));
    auto tuned = known ? Tuned::fromText(*known) : std::nullopt;
    if (!tuned) return std::nullopt;
    tuned->tookSeconds = 0;
    return withStated(std::move(*tuned), task.spec);
}

void applyTuning(const Tuned& tuned, models::Model& model) {
    layOut(model, tuned.layout);
    kernels::useKernels(tuned.kernels, tuned.choices);
}

} // namespace trainyard::train
