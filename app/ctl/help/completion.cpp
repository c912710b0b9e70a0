// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/help/completion.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace trainyard::ctl {
namespace {

// Where the words before the last one lead.
struct Place {
    const CommandInfo* command = nullptr;
    const OptionInfo* value = nullptr; // the last word is its value
    std::size_t arguments = 0;         // positional ones before the last word
    bool onlyArguments = false;        // after "--"
};

Place placeOf(const CommandInfo& program, const std::vector<std::string>& words) {
    Place place{.command = &program};
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const auto& word = words[i];
        if (place.value) {
            place.value = nullptr;
        } else if (!place.onlyArguments && word == "--") {
            place.onlyArguments = true;
        } else if (!place.onlyArguments && word.starts_with('-') && word.size() > 1) {
            const auto* option = place.command->option(word);
            if (option && option->takesValue()) place.value = option;
        } else if (const auto* below = place.arguments == 0 ? place.command->command(word) : nullptr) {
            place.command = below;
        } else {
            ++place.arguments;
        }
    }
    return place;
}

void addValues(Completion& completion, const std::string& command, const OptionInfo& option, const std::string& typed,
               const std::string& before, const KnownWords& known) {
    const auto add = [&](const Candidate& each) {
        if (each.word.starts_with(typed)) completion.words.push_back({before + each.word, each.help});
    };
    for (const auto& word : option.choices) add({word, {}});
    const auto kind = wordKind(command, option);
    completion.files = kind == WordKind::File;
    completion.folders = kind == WordKind::Folder;
    completion.open = kind == WordKind::Setting;
    if (kind == WordKind::Free || kind == WordKind::File || kind == WordKind::Folder) return;
    for (const auto& each : known(kind, typed)) add(each);
}

void addOptions(Completion& completion, const CommandInfo& command, const std::vector<std::string>& words) {
    const auto& typed = words.back();
    for (const auto& option : command.options) {
        const bool given = std::any_of(option.names.begin(), option.names.end(), [&](const std::string& name) {
            return std::find(words.begin(), words.end() - 1, name) != words.end() - 1;
        });
        if (given && !option.repeats) continue;
        for (const auto& name : option.names)
            if (name.starts_with(typed) && (name.starts_with("--") || !typed.empty()))
                completion.words.push_back({name, option.help});
    }
}

} // namespace

WordKind wordKind(const std::string& command, const OptionInfo& option) {
    static const std::map<std::string, WordKind> labels{{"FILE", WordKind::File},
                                                        {"PATH", WordKind::File},
                                                        {"INPUT", WordKind::File},
                                                        {"CLUSTER", WordKind::File},
                                                        {"LOCAL", WordKind::File},
                                                        {"FOLDER", WordKind::Folder},
                                                        {"RUN", WordKind::Run},
                                                        {"SWEEP", WordKind::Sweep},
                                                        {"CHECKPOINT", WordKind::Checkpoint},
                                                        {"FIRST", WordKind::Checkpoint},
                                                        {"SECOND", WordKind::Checkpoint},
                                                        {"HOST", WordKind::Host},
                                                        {"PATH=VALUE", WordKind::Setting},
                                                        {"NAME", WordKind::Dataset}};
    static const std::set<std::string> alsoOfSweeps{"show", "lineage", "resume", "stop", "kill"};
    const auto found = labels.find(option.label);
    const auto kind = found == labels.end() ? WordKind::Free : found->second;
    return kind == WordKind::Run && alsoOfSweeps.contains(command) ? WordKind::RunOrSweep : kind;
}

std::string typedOption(const std::vector<std::string>& words, const std::string& name) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] == name && i + 2 < words.size()) return words[i + 1];
        if (words[i].starts_with(name + '=')) return words[i].substr(name.size() + 1);
    }
    return {};
}

Completion complete(const CommandInfo& program, const std::vector<std::string>& words, const KnownWords& known) {
    Completion completion;
    if (words.empty()) return completion;
    const auto place = placeOf(program, words);
    const auto& typed = words.back();
    const auto& command = *place.command;
    if (place.value) {
        addValues(completion, command.name, *place.value, typed, {}, known);
        return completion;
    }
    if (const auto equals = typed.find('='); typed.starts_with("--") && equals != std::string::npos) {
        if (const auto* option = command.option(typed.substr(0, equals)); option && option->takesValue())
            addValues(completion, command.name, *option, typed.substr(equals + 1), typed.substr(0, equals + 1), known);
        return completion;
    }
    if (typed.starts_with('-') && !place.onlyArguments) {
        addOptions(completion, command, words);
        return completion;
    }
    if (place.arguments == 0)
        for (const auto& below : command.commands)
            if (below.name.starts_with(typed)) completion.words.push_back({below.name, below.help});
    if (!command.arguments.empty()) {
        const auto last = command.arguments.size() - 1;
        if (place.arguments <= last || command.arguments[last].repeats)
            addValues(completion, command.name, command.arguments[std::min(place.arguments, last)], typed, {}, known);
    }
    if (completion.words.empty() && !completion.files && !completion.folders) addOptions(completion, command, words);
    return completion;
}

} // namespace trainyard::ctl
