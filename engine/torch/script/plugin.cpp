// SPDX-License-Identifier: GPL-3.0-or-later
// Models from shared libraries (trainyard/plugin.h). Such a library is code of the user's own and runs as such; what is
// checked is that it fits.
#include "engine/torch/api/include/trainyard/plugin.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/files/folders.h"
#include "engine/base/math/sha256.h"
#include "engine/base/text/printable.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/trace.h"
#include "engine/torch/script/probe_child.h"

#include <charconv>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>

namespace trainyard::models {
namespace {

constexpr std::size_t kMaxLibrary = std::size_t{4} << 30;

// The module of a plug-in, with its parameters under their own names.
class PluginModel final : public Model {
public:
    explicit PluginModel(plugin::Made made) : m_made(std::move(made)) {
        for (const auto& item : m_made.module->named_parameters(/*recurse=*/false))
            register_parameter(item.key(), item.value(), item.value().requires_grad());
        for (const auto& item : m_made.module->named_buffers(/*recurse=*/false))
            register_buffer(item.key(), item.value());
        for (const auto& item : m_made.module->named_children()) register_module(item.key(), item.value());
    }

    torch::Tensor forward(torch::Tensor x) override {
        const torch::Tensor output = m_made.forward(std::move(x));
        if (activeTrace) // which layer gives what is not known from outside
            for (const auto& part : modules(/*include_self=*/true))
                if (!part->parameters(/*recurse=*/false).empty()) recordLayer(*part, output);
        return output;
    }
    void train(bool on = true) override {
        torch::nn::Module::train(on);
        m_made.module->train(on);
    }

private:
    plugin::Made m_made;
};

std::string loaderError() {
    const char* text = ::dlerror();
    return text ? text : "no reason given";
}

struct Loaded {
    std::filesystem::path torch;         // the folder of LibTorch
    std::vector<std::string> standIns{}; // names of the libraries whose place empty ones have taken
};

int note(dl_phdr_info* info, std::size_t, void* found) {
    auto& loaded = *static_cast<Loaded*>(found);
    const std::filesystem::path path(info->dlpi_name);
    if (path.parent_path().filename() == "stand-ins") loaded.standIns.push_back(path.filename().string());
    else if (path.filename().string().starts_with("libtorch_cpu.so")) loaded.torch = path.parent_path();
    return 0;
}

// The libraries whose places empty ones have taken (resources/cmake/TrainyardStandIns.cmake), for code that uses them;
// false if there was none to load. They need one another: each round loads those whose own needs are met.
bool loadWhatWasLeftOut() {
    Loaded loaded;
    ::dl_iterate_phdr(&note, &loaded);
    auto& missing = loaded.standIns;
    const std::size_t all = missing.size();
    for (std::size_t before = all + 1; missing.size() < before;) {
        before = missing.size();
        std::erase_if(missing, [&](const std::string& name) {
            return ::dlopen((loaded.torch / name).c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr;
        });
    }
    return missing.size() < all;
}

// The library stays for the life of the process: models made by it run its code.
Result<const plugin::Registration*> openPlugin(const std::string& path) {
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::string why = library ? std::string() : loaderError(); // of the plug-in, not of what is tried for it
    if (!library && loadWhatWasLeftOut()) {
        library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) why = loaderError();
    }
    if (!library) return inputError("cannot be loaded: " + why, path, "build it against the same LibTorch");
    using Entry = const plugin::Registration* (*)();
    const auto entry = reinterpret_cast<Entry>(::dlsym(library, "trainyard_model_plugin"));
    if (!entry)
        return inputError("is a library, but not a plug-in: it has no trainyard_model_plugin", path,
                          "put TRAINYARD_MODEL_PLUGIN in one of its sources");
    const plugin::Registration* found = entry();
    if (!found) return inputError("registers nothing", path);
    const auto differs = [&](const std::string& what, const std::string& its, const std::string& ours) {
        return inputError("was built for " + what + " " + its + ", and this is " + ours, path, "build it again");
    };
    if (found->version != plugin::kVersion)
        return differs("plug-in version", std::to_string(found->version), std::to_string(plugin::kVersion));
    if (found->size != sizeof(plugin::Registration))
        return differs("registrations of bytes", std::to_string(found->size),
                       std::to_string(sizeof(plugin::Registration)));
    if (std::string_view(found->libtorch) != TORCH_VERSION)
        return differs("LibTorch", printable(found->libtorch), TORCH_VERSION);
    if (found->abi != plugin::kAbi)
        return differs("the C++ ABI", std::to_string(found->abi), std::to_string(plugin::kAbi));
    return found;
}

Result<void> applySetting(const plugin::Registration& plugin, std::string_view word, plugin::Request& request) {
    const std::string where = "model.params.settings";
    const auto equals = word.find('=');
    const std::string name(word.substr(0, equals));
    std::string known;
    for (std::size_t i = 0; i < plugin.settingCount; ++i) {
        const plugin::Setting& setting = plugin.settings[i];
        known += (known.empty() ? "" : ", ") + std::string(setting.name);
        if (name != setting.name) continue;
        const std::string_view text = equals == word.npos ? "" : word.substr(equals + 1);
        double value = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (problem != std::errc() || end != text.data() + text.size())
            return inputError(name + ": \"" + printable(std::string(text)) + "\" is not a number", where);
        if (!(value >= setting.min && value <= setting.max))
            return inputError(name + ": " + spec::toText(value) + " must be from " + spec::toText(setting.min) +
                                  " to " + spec::toText(setting.max),
                              where);
        request.settings[name] = value;
        return {};
    }
    return inputError("\"" + printable(name) + "\" is not a setting of this plug-in", where,
                      known.empty() ? "it has none" : "known: " + known);
}

// "width=128, depth=2"
Result<void> applySettings(const plugin::Registration& plugin, std::string_view text, plugin::Request& request) {
    for (std::size_t i = 0; i < plugin.settingCount; ++i)
        request.settings[plugin.settings[i].name] = plugin.settings[i].usual;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        std::string_view word = text.substr(0, comma);
        while (word.starts_with(' ')) word.remove_prefix(1);
        while (word.ends_with(' ')) word.remove_suffix(1);
        if (!word.empty()) TY_TRY(applySetting(plugin, word, request));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return {};
}

spec::Entry pluginInfo() {
    using spec::ParamType;
    spec::Entry entry;
    entry.name = "plugin";
    entry.title = Engine::tr("Plug-in");
    entry.help = Engine::tr("A model of your own, written in C++ and built as a shared library.");
    entry.params = {
        {.name = "path",
         .title = Engine::tr("Library"),
         .type = ParamType::Path,
         .defaultValue = std::string(),
         .help = Engine::tr("The shared library that registers the model, or the name of an installed one.")},
        {.name = "settings",
         .title = Engine::tr("Settings"),
         .type = ParamType::Text,
         .defaultValue = std::string(),
         .help = Engine::tr("The plug-in's own numbers, such as width=128, depth=2.")},
        {.name = "sha256",
         .title = Engine::tr("SHA-256"),
         .type = ParamType::Text,
         .defaultValue = std::string(),
         .help = Engine::tr("Digest of the file, recorded at the start; the run then refuses any other file.")}};
    return entry;
}

Result<std::shared_ptr<Model>> makePlugin(const spec::Choice& choice, const ModelContext& context) {
    std::string path = choice.text("path", {});
    const std::string wanted = choice.text("sha256", {});
    if (path.empty())
        return inputError("is missing", "model.params.path", "name a shared library, or an installed plug-in");
    std::error_code ignored;
    if (const auto installed = findPlugin(path); !installed.empty() && !std::filesystem::exists(path, ignored))
        path = installed.string();
    if (!wanted.empty()) {
        TY_ASSIGN(const std::string bytes, readFile(path, kMaxLibrary));
        if (const std::string found = sha256Hex(std::as_bytes(std::span(bytes))); found != wanted)
            return inputError("is not the file that the run began with (SHA-256 " + found.substr(0, 12) +
                                  "… instead of " + wanted.substr(0, 12) + "…)",
                              path, "bring the file back, or start a new run");
    }
    // A name without a slash would be looked for where the system's libraries are.
    TY_ASSIGN(const plugin::Registration* found, openPlugin(path.find('/') == std::string::npos ? "./" + path : path));
    plugin::Request request{context.sampleShape, context.outputs, train::toString(context.task), {}};
    TY_TRY(applySettings(*found, choice.text("settings", {}), request));
    plugin::Made made = found->make(request);
    if (!made.module || !made.forward) return inputError("gives no model", path);
    return std::shared_ptr<Model>(std::make_shared<PluginModel>(std::move(made)));
}

} // namespace

Result<script::PluginReport> describePlugin(const std::string& path) {
    TY_ASSIGN(const plugin::Registration* found, openPlugin(path));
    script::PluginReport report{found->name, {}};
    for (std::size_t i = 0; i < found->settingCount; ++i) {
        const plugin::Setting& setting = found->settings[i];
        report.settings.push_back({.name = setting.name,
                                   .title = {},
                                   .defaultValue = setting.usual,
                                   .min = setting.min,
                                   .max = setting.max,
                                   .help = setting.help ? setting.help : ""});
    }
    return report;
}

ModelEntry pluginEntry() {
    using enum train::TaskKind;
    return {pluginInfo(), makePlugin, {Classification, Regression, Language, MultiLabel}};
}

} // namespace trainyard::models
