// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/help/command_tree.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace trainyard::ctl {
namespace {

// CLI11 describes a value's type and checks in one text: "TEXT:{csv,tensorboard}", "INT:INT in [0 - 64]".
void readType(const std::string& text, OptionInfo& info) {
    const auto colon = text.find(':');
    info.label = text.substr(0, colon);
    if (colon == std::string::npos) return;
    const std::string check = text.substr(colon + 1);
    if (check.starts_with('{') && check.ends_with('}')) {
        for (std::size_t at = 1; at < check.size();) {
            const auto end = std::min(check.find(',', at), check.size() - 1);
            info.choices.push_back(check.substr(at, end - at));
            at = end + 1;
        }
        return;
    }
    const auto open = check.find('['), close = check.rfind(']');
    if (open == std::string::npos || close == std::string::npos || close < open) return;
    info.limits = check.substr(open + 1, close - open - 1);
    if (const auto dash = info.limits.find(" - "); dash != std::string::npos) info.limits.replace(dash, 3, " to ");
}

// The types of CLI11 as people write them.
std::string shownLabel(const std::string& type) {
    static const std::vector<std::pair<std::string, std::string>> words{
        {"INT", "NUMBER"}, {"UINT", "NUMBER"}, {"FLOAT", "NUMBER"}};
    for (const auto& [known, word] : words)
        if (type == known) return word;
    return type;
}

OptionInfo optionInfo(const CLI::Option& option) {
    OptionInfo info;
    info.positional = !option.nonpositional();
    if (option.get_items_expected_max() != 0) readType(option.get_type_name(), info);
    if (info.positional) {
        info.names = {option.get_name(true)};
        info.label = info.names.front();
    } else {
        info.label = info.choices.empty() ? shownLabel(info.label) : "WORD";
        for (const auto& name : option.get_lnames()) info.names.push_back("--" + name);
        for (const auto& name : option.get_snames()) info.names.push_back("-" + name);
    }
    info.help = option.get_description();
    info.defaultValue = option.get_default_str();
    info.required = option.get_required();
    info.repeats = option.get_items_expected_max() > 1;
    return info;
}

} // namespace

const CommandInfo* CommandInfo::command(const std::string& word) const {
    const auto found =
        std::find_if(commands.begin(), commands.end(), [&](const auto& each) { return each.name == word; });
    return found == commands.end() ? nullptr : &*found;
}

const OptionInfo* CommandInfo::option(const std::string& wanted) const {
    for (const auto& each : options)
        if (std::find(each.names.begin(), each.names.end(), wanted) != each.names.end()) return &each;
    return nullptr;
}

CommandInfo commandTree(const CLI::App& app) {
    CommandInfo info{.name = app.get_name(), .help = app.get_description(), .options{}, .arguments{}, .commands{}};
    info.needsCommand = app.get_require_subcommand_min() > 0;
    for (const auto* option : app.get_options()) {
        if (option->get_group().empty()) continue; // hidden
        auto one = optionInfo(*option);
        (one.positional ? info.arguments : info.options).push_back(std::move(one));
    }
    for (const auto* command : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
        info.commands.push_back(commandTree(*command));
    return info;
}

} // namespace trainyard::ctl
