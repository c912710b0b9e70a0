// SPDX-License-Identifier: GPL-3.0-or-later
// What the sandboxed child does: it is handed the bytes, gives everything away that it does not need, then loads and
// tries.
#include "engine/torch/script/probe_child.h"

#include "engine/torch/base/guard.h"
#include "engine/torch/script/module.h"

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

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t side : shape) text += (text.empty() ? "" : ", ") + std::to_string(side);
    return "[" + text + "]";
}

std::vector<std::int64_t> withBatch(std::int64_t batch, std::vector<std::int64_t> shape) {
    shape.insert(shape.begin(), batch);
    return shape;
}

std::string typeText(const c10::IValue& value) { return value.type() ? value.type()->repr_str() : value.tagKind(); }

class Trial {
public:
    Trial(torch::jit::Module& module, const Use& use) : m_module(module), m_use(use) {}

    // Two samples, then three: a module that was traced with a fixed batch is found out.
    Result<torch::Tensor> run() {
        TY_ASSIGN(torch::Tensor output, forward(2));
        TY_TRY(forward(3));
        if (!output.requires_grad())
            return inputError("no parameter has an influence on what forward gives, so nothing can be trained", {},
                              "check requires_grad and torch.no_grad in the module");
        return output;
    }

private:
    Result<torch::Tensor> forward(std::int64_t batch) {
        const bool language = m_use.task == train::TaskKind::Language;
        const auto shape = withBatch(batch, m_use.sampleShape);
        c10::IValue output;
        try {
            output = m_module.forward({language ? torch::zeros(shape, torch::kInt64) : torch::rand(shape)});
        } catch (const std::exception& exception) {
            const Error error = train::errorFrom(exception, {});
            if (error.kind == ErrorKind::Environment) return error;
            return inputError("forward fails for an input of " + shapeText(shape) + ": " + cause(error.message), {},
                              "give it the sample shape that it was made for");
        }
        if (!output.isTensor())
            return inputError("forward gives " + typeText(output) + ", and a model must give one tensor", {},
                              "wrap the module in one that returns the tensor alone");
        TY_TRY(check(output.toTensor(), shape, batch));
        return output.toTensor();
    }

    // TorchScript's errors end in the line that matters.
    static std::string cause(std::string message) {
        while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
        if (const auto at = message.rfind('\n'); at != std::string::npos) message.erase(0, at + 1);
        return message;
    }

    Result<void> check(const torch::Tensor& output, const std::vector<std::int64_t>& input, std::int64_t batch) const {
        if (output.scalar_type() != torch::kFloat32)
            return inputError(std::string("forward gives numbers of type ") + c10::toString(output.scalar_type()) +
                                  ", and training needs Float (32 bits)",
                              {}, "end the module with .float()");
        std::vector<std::int64_t> wanted{batch};
        if (m_use.task == train::TaskKind::Language) wanted = input;
        const auto found = output.sizes().vec();
        const bool outputsFit = m_use.outputs == 0 || (!found.empty() && found.back() == m_use.outputs);
        const bool fits =
            found.size() == wanted.size() + 1 && outputsFit && std::equal(wanted.begin(), wanted.end(), found.begin());
        if (fits) return {};
        if (m_use.outputs > 0) wanted.push_back(m_use.outputs);
        return inputError("forward gives " + shapeText(found) + " for an input of " + shapeText(input) +
                              (m_use.outputs > 0 ? ", and the run needs " + shapeText(wanted)
                                                 : ", and one row for each sample is needed"),
                          {}, "change the last layer of the module, or the dataset");
    }

    torch::jit::Module& m_module;
    const Use& m_use;
};

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
    if (!use) return report;
    enter("forward");
    module.train();
    TY_ASSIGN(const torch::Tensor output, Trial(module, *use).run());
    report["inputShape"] = withBatch(2, use->sampleShape);
    report["outputShape"] = output.sizes().vec();
    report["outputType"] = c10::toString(output.scalar_type());
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
    say("\n" + report.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
    ::_exit(0);
}

} // namespace trainyard::script
