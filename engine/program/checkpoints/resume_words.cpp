// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/resume_words.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace trainyard::program {
namespace {

const std::string kCheckpoint = "{checkpoint}";

// Names without dashes and points, in the order in which they are taken.
constexpr std::array<std::string_view, 20> kResumeNames{"resume_from_checkpoint",
                                                        "resume",
                                                        "resume_from",
                                                        "resume_checkpoint",
                                                        "resume_path",
                                                        "resume_ckpt",
                                                        "ckpt_path",
                                                        "resume_model",
                                                        "restore_file",
                                                        "restore_from",
                                                        "restore_path",
                                                        "load_checkpoint",
                                                        "checkpoint_path",
                                                        "from_checkpoint",
                                                        "resume_file",
                                                        "resume_from_ckpt",
                                                        "continue_from",
                                                        "load_from",
                                                        "network_weights_resume",
                                                        "init_from_checkpoint"};
constexpr std::array<std::string_view, 24> kOutputNames{
    "output_dir", "out_dir", "output",        "save_dir",         "outdir",      "output_path",
    "save_path",  "log_dir", "logdir",        "default_root_dir", "work_dir",    "checkpoint_dir",
    "ckpt_dir",   "exp_dir", "output_folder", "checkpoints_dir",  "results_dir", "model_dir",
    "out",        "savedir", "workdir",       "save_folder",      "logging_dir", "run_dir"};
constexpr std::array<std::string_view, 5> kSeedNames{"seed", "random_seed", "manual_seed", "seed_everything",
                                                     "rng_seed"};

// A program whose words are not what its arguments' names say, told by some of them together.
struct KnownProgram {
    std::string_view name;
    std::array<std::string_view, 3> has; // empty: any
    std::array<std::string_view, 2> words;
    bool looksItself;
    std::string_view output = {}; // its argument for it, where the name is not one of the usual ones
};
constexpr std::array<KnownProgram, 9> kPrograms{{
    {"detectron2", {"config_file", "resume", "num_gpus"}, {"--resume", ""}, true},
    {"DINO", {"output_dir", "saveckp_freq", "local_crops_number"}, {"", ""}, true},
    {"fairseq", {"restore_file", "save_dir", "reset_optimizer"}, {"", ""}, true},
    {"nanoGPT", {"init_from", "out_dir", "always_save_checkpoint"}, {"--init_from=resume", ""}, true},
    {"Megatron-LM", {"load", "save", "finetune"}, {"--load", "{output}"}, true, "save"},
    {"DeepSpeed", {"deepspeed_config", "load_dir", ""}, {"--load_dir", "{output}"}, true},
    {"timm", {"resume", "initial_checkpoint", "no_resume_opt"}, {"--resume", "{checkpoint}"}, false},
    {"kohya sd-scripts", {"resume", "save_state", "network_module"}, {"--resume", "{checkpoint}"}, false},
    {"diffusers",
     {"resume_from_checkpoint", "checkpointing_steps", ""},
     {"--resume_from_checkpoint", "{checkpoint}"},
     false},
}};

// "model.ckpt-path" as its last part with underscores: "ckpt_path".
std::string plainName(std::string_view name) {
    const auto dot = name.rfind('.');
    std::string plain(dot == name.npos ? name : name.substr(dot + 1));
    std::ranges::transform(plain, plain.begin(),
                           [](unsigned char c) { return c == '-' ? '_' : static_cast<char>(std::tolower(c)); });
    return plain;
}

const Argument* argumentNamed(const ScriptArguments& script, std::string_view name) {
    const auto found = std::ranges::find_if(script.arguments,
                                            [&](const Argument& argument) { return plainName(argument.name) == name; });
    return found == script.arguments.end() ? nullptr : &*found;
}

bool isSwitch(const Argument& argument) {
    return argument.action == Argument::Action::StoreTrue || argument.action == Argument::Action::Negatable;
}

// The longest flag, which people read; of Hydra and configurators its name before "=".
std::string flagOf(const Argument& argument) {
    std::string longest;
    for (const auto& flag : argument.flags)
        if (flag.size() > longest.size()) longest = flag;
    return longest;
}

// Of an argument, as it is written on a command line.
std::vector<std::string> wordsFor(const Argument& argument, const std::string& value, ArgumentStyle style) {
    const std::string flag = flagOf(argument);
    if (flag.empty()) return {};
    if (flag.ends_with('=')) return {flag + value};                                   // Hydra
    if (style == ArgumentStyle::Globals) return {"--" + argument.name + "=" + value}; // a configurator
    if (isSwitch(argument)) return {flag};
    return {flag, value};
}

bool takesNumber(const Argument& argument) { return argument.type == "int" || argument.type == "float"; }

// A switch that resumes means that the program looks itself; "load" alone may be weights to begin with.
bool resumeByName(const ScriptArguments& script, ScriptSuggestions& suggestions) {
    for (const std::string_view name : kResumeNames) {
        const Argument* argument = argumentNamed(script, name);
        if (argument == nullptr || takesNumber(*argument)) continue;
        if (argument->type == "bool" && !isSwitch(*argument)) continue;
        suggestions.resume = wordsFor(*argument, kCheckpoint, script.style);
        if (suggestions.resume.empty()) continue;
        suggestions.resumeArgument = argument->name;
        suggestions.looksItself = isSwitch(*argument);
        suggestions.why = "the argument " + flagOf(*argument);
        return true;
    }
    return false;
}

// Of the argument that a word like "--init_from=resume" is for; empty: there is none.
std::string nameOfFlag(const ScriptArguments& script, std::string_view word) {
    while (word.starts_with('-')) word.remove_prefix(1);
    const Argument* argument = argumentNamed(script, plainName(word.substr(0, word.find('='))));
    return argument ? argument->name : std::string();
}

bool resumeAsKnown(const ScriptArguments& script, ScriptSuggestions& suggestions) {
    for (const KnownProgram& known : kPrograms) {
        const bool is = std::ranges::all_of(
            known.has, [&](std::string_view name) { return name.empty() || argumentNamed(script, name) != nullptr; });
        if (!is) continue;
        for (const std::string_view word : known.words)
            if (!word.empty()) suggestions.resume.emplace_back(word);
        suggestions.resumeArgument = nameOfFlag(script, known.words.front());
        suggestions.looksItself = known.looksItself;
        suggestions.why = known.name;
        if (!known.output.empty()) suggestions.output.push_back({std::string(known.output), "{output}"});
        return true;
    }
    return false;
}

// The first of the names that the script has and that takes a text, or of seeds a number.
void suggest(const ScriptArguments& script, const auto& names, const std::string& value, bool number,
             std::vector<SuggestedArgument>& to) {
    for (const std::string_view name : names) {
        const Argument* argument = argumentNamed(script, name);
        if (argument == nullptr || isSwitch(*argument) || argument->type == "bool") continue;
        if (takesNumber(*argument) != number && (number ? argument->type != "str" : true)) continue;
        to.push_back({argument->name, value});
        return;
    }
}

// Of transformers, which is outside of the project: its fields are known, not read.
bool takesTrainingArguments(const ScriptArguments& script) {
    return std::ranges::any_of(
        script.unread, [](const Unread& unread) { return unread.what.find("TrainingArguments") != unread.what.npos; });
}

} // namespace

ScriptSuggestions suggestionsFor(const ScriptArguments& script) {
    ScriptSuggestions suggestions;
    // Lightning's own command has it in no parser that can be read.
    if (script.style == ArgumentStyle::LightningCli) {
        suggestions.resume = {"--ckpt_path", kCheckpoint};
        suggestions.why = "LightningCLI";
        suggestions.output.push_back({"trainer.default_root_dir", "{output}"});
        suggestions.seed.push_back({"seed_everything", "{seed}"});
        return suggestions;
    }
    if (!resumeAsKnown(script, suggestions)) resumeByName(script, suggestions);
    if (suggestions.output.empty()) suggest(script, kOutputNames, "{output}", false, suggestions.output);
    suggest(script, kSeedNames, "{seed}", true, suggestions.seed);
    if (takesTrainingArguments(script)) {
        if (suggestions.resume.empty()) {
            suggestions.resume = {"--resume_from_checkpoint", kCheckpoint};
            suggestions.why = "TrainingArguments of transformers";
        }
        if (suggestions.output.empty()) suggestions.output.push_back({"output_dir", "{output}"});
        if (suggestions.seed.empty()) suggestions.seed.push_back({"seed", "{seed}"});
    }
    return suggestions;
}

} // namespace trainyard::program
