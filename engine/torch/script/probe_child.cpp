// SPDX-License-Identifier: GPL-3.0-or-later
// What the sandboxed child does: it is handed the bytes, gives everything away that it does not need, then loads and
// tries.
#include "engine/torch/script/probe_child.h"

#include "engine/base/json_text.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/script/frozen.h"
#include "engine/torch/script/module.h"
#include "engine/torch/script/trial.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <charconv>
#include <cstdio>

namespace trainyard::script {

using nlohmann::json;

namespace {

struct ChildArguments {
    std::optional<Use> use;
    Limits limits;
    bool plugin = false;
};

template <class Number>
bool parse(std::string_view text, Number& number) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && end == text.data() + text.size();
}

bool parseShape(std::string_view text, std::vector<std::int64_t>& shape) {
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        std::int64_t side = 0;
        if (!parse(text.substr(0, comma), side) || side < 1) return false;
        shape.push_back(side);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return !shape.empty();
}

std::optional<ChildArguments> childArguments(const std::vector<std::string>& words) {
    ChildArguments parsed;
    Use use;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        const std::string &name = words[i], &value = words[i + 1];
        long cpu = 0;
        if (name == "--memory" && parse(value, parsed.limits.memoryBytes)) continue;
        if (name == "--plugin") parsed.plugin = value == "yes";
        else if (name == "--cpu" && parse(value, cpu)) parsed.limits.cpuSeconds = static_cast<double>(cpu);
        else if (name == "--shape" && parseShape(value, use.sampleShape)) parsed.use = use;
        else if (name == "--outputs" && parse(value, use.outputs)) parsed.use = use;
        else if (const auto task = train::taskFromString(value); name == "--task" && task)
            parsed.use->task = use.task = *task;
        else return std::nullopt;
    }
    return parsed;
}

json describe(const torch::jit::Module& module) {
    std::int64_t parameters = 0, trainable = 0, tensors = 0, buffers = 0;
    for (const torch::Tensor& tensor : module.parameters()) {
        parameters += tensor.numel();
        if (tensor.requires_grad()) trainable += tensor.numel();
        ++tensors;
    }
    for ([[maybe_unused]] const torch::Tensor& tensor : module.buffers()) ++buffers;
    std::vector<std::string> methods;
    for (const auto& method : module.get_methods()) methods.push_back(method.name());
    return {{"ok", true},
            {"parameters", parameters},
            {"trainable", trainable},
            {"parameterTensors", tensors},
            {"buffers", buffers},
            {"methods", methods},
            {"operations", operationsOf(module)}};
}

Result<json> examine(const std::string& bytes, const std::optional<Use>& use,
                     const std::function<void(const char*)>& enter) {
    enter("loading");
    TY_ASSIGN(torch::jit::Module module, loadModule(bytes, {}));
    json report = describe(module);
    if (report["trainable"] == 0)
        return inputError("has no parameters that can be trained", {},
                          "save it without torch.jit.freeze, with requires_grad on its parameters");
    const Frozen frozen = frozenIn(module);
    if (const std::string fault = frozen.fault(); !fault.empty())
        return inputError(fault, {}, "save torch.jit.script(model), or a trace of model.eval()");
    auto notices = json::array();
    if (const std::string notice = frozen.notice(); !notice.empty()) notices.push_back(notice);
    report["notices"] = notices;
    if (!use) return report;
    enter("forward");
    TY_ASSIGN(const Findings found, tryOut(module, *use));
    report["inputShape"] = found.inputShape;
    report["outputShape"] = found.outputShape;
    report["outputType"] = found.outputType;
    report["leastTraining"] = found.batches.leastTraining;
    report["leastEvaluating"] = found.batches.leastEvaluating;
    report["whyNotOne"] = found.batches.why;
    for (const std::string& notice : found.notices) report["notices"].push_back(notice);
    return report;
}

// The bytes that were read are those of descriptor 0, which the loader takes by its name.
Result<json> examinePlugin(const std::function<void(const char*)>& enter) {
    enter("loading");
    TY_ASSIGN(const PluginReport report, models::describePlugin("/proc/self/fd/0"));
    json settings = json::array();
    for (const spec::ParamInfo& each : report.settings)
        settings.push_back({{"name", each.name},
                            {"default", std::get<double>(each.defaultValue)},
                            {"min", *each.min},
                            {"max", *each.max},
                            {"help", each.help}});
    return json{{"ok", true}, {"name", report.name}, {"settings", std::move(settings)}};
}

json failure(const Error& error) {
    if (const std::string attempt = deniedAttempt(); !attempt.empty())
        return {{"ok", false},
                {"kind", "input"},
                {"message", "its code tried to " + attempt + ", which was stopped: do not trust this module"},
                {"remedy", "take that out of the module"}};
    return {{"ok", false},
            {"kind", toString(error.kind)},
            {"message", error.message},
            {"remedy", error.remedy},
            {"code", toString(error.code)}};
}

std::string allOfStdin() {
    std::string bytes;
    std::vector<char> piece(1u << 20);
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), stdin)) bytes.append(piece.data(), got);
    return bytes;
}

} // namespace

int probeCommand(const std::vector<std::string>& words) {
    const auto arguments = childArguments(words);
    if (!arguments) {
        std::fprintf(stderr, "probe is started by trainyard-worker itself; to look at a file use inspect\n");
        return exitCode(ErrorKind::Input);
    }
    // What the module prints must not be taken for the report.
    std::FILE* const out = ::fdopen(::dup(1), "w");
    if (!out || ::dup2(2, 1) < 0) return exitCode(ErrorKind::Environment);
    const auto say = [out](const std::string& text) {
        std::fputs(text.c_str(), out);
        std::fflush(out);
    };
    const std::string bytes = arguments->plugin ? std::string() : allOfStdin();
    at::set_num_threads(1);
    json report;
    if (const auto sandbox = enterSandbox(arguments->limits); !sandbox) {
        report = failure(sandbox.error());
    } else {
        const auto enter = [&](const char* stage) { say(kStageMark + std::string(stage) + "\n"); };
        const auto done = train::guarded(
            {}, [&] { return arguments->plugin ? examinePlugin(enter) : examine(bytes, arguments->use, enter); });
        // An attempt that was stopped is held against the module even if it went on without.
        report = done.ok() && deniedAttempt().empty() ? *done : failure(done ? Error{} : done.error());
    }
    say("\n" + jsonText(report) + "\n");
    ::_exit(0);
}

} // namespace trainyard::script
