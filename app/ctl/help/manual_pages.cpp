// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/help/manual_pages.h"

#include <algorithm>

namespace trainyard::ctl {
namespace {

const std::vector<std::string> kOtherPages{"trainyard(1)", "trainyard-worker(1)", "trainyard-run-file(5)"};

std::string termOf(const OptionInfo& option) {
    std::string term;
    for (const auto& name : option.names) term += (term.empty() ? "" : ", ") + name;
    if (!option.positional && option.takesValue()) term += ' ' + option.label;
    return option.repeats && option.positional ? term + "..." : term;
}

std::string textOf(const OptionInfo& option) {
    std::string text = option.help;
    const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
    const auto isSaid = [&option](const std::string& word) { return option.help.find(word) != std::string::npos; };
    if (!std::all_of(option.choices.begin(), option.choices.end(), isSaid)) {
        std::string words;
        for (const auto& word : option.choices) words += (words.empty() ? "" : ", ") + word;
        add("one of " + words);
    }
    if (!option.limits.empty()) add("within " + option.limits);
    if (!option.defaultValue.empty()) add("default: " + option.defaultValue);
    if (option.required && !option.positional) add("must be given");
    return text;
}

std::vector<manual::Item> itemsOf(const std::vector<OptionInfo>& options) {
    std::vector<manual::Item> items;
    for (const auto& option : options) items.push_back({termOf(option), textOf(option)});
    return items;
}

std::string synopsisOf(const std::string& path, const CommandInfo& command) {
    std::string line = path;
    for (const auto& option : command.options)
        if (option.required) line += ' ' + option.names.front() + ' ' + option.label;
    line += " [OPTION]...";
    for (const auto& argument : command.arguments) {
        const std::string word = argument.names.front() + (argument.repeats ? "..." : "");
        line += argument.required ? ' ' + word : " [" + word + ']';
    }
    return line;
}

// The commands below, each with a section of its own.
void addBelow(manual::Page& page, const std::string& path, const CommandInfo& command) {
    for (const auto& below : command.commands) {
        const std::string name = path + ' ' + below.name;
        page.synopsis.push_back(synopsisOf(name, below));
        manual::Part part{.title = name, .paragraphs = {below.help}, .items = itemsOf(below.arguments), .examples = {}};
        for (auto& item : itemsOf(below.options)) part.items.push_back(std::move(item));
        page.parts.push_back(std::move(part));
        addBelow(page, name, below);
    }
}

manual::Page commandPage(const std::string& program, const CommandInfo& command) {
    const std::string path = program + ' ' + command.name;
    manual::Page page{.name = program + '-' + command.name, .summary = command.help};
    if (!command.needsCommand) page.synopsis.push_back(synopsisOf(path, command));
    page.parts.push_back({.title = "Arguments", .items = itemsOf(command.arguments)});
    page.parts.push_back({.title = "Options", .items = itemsOf(command.options)});
    addBelow(page, path, command);
    page.parts.push_back(manual::exitCodes());
    page.seeAlso = {program + "(1)"};
    page.seeAlso.insert(page.seeAlso.end(), kOtherPages.begin(), kOtherPages.end());
    return page;
}

manual::Page programPage(const CommandInfo& program) {
    manual::Page page{.name = program.name, .summary = "distributed training from the terminal"};
    page.synopsis = {program.name + " COMMAND [OPTION]... [ARGUMENT]...", program.name + " --help | --version"};
    page.parts.push_back(
        {.title = "Description",
         .paragraphs = {
             "Trains neural networks on this computer or on hosts over SSH, and does everything that the window of "
             "Trainyard does. A run continues when the program or the terminal is closed; attach follows it again.",
             "A run is named by its id, by the beginning of its id, or by its name; a name means the newest "
             "run of that name. A checkpoint is RUN@best, RUN@last or RUN@STEP."}});
    manual::Part commands{.title = "Commands",
                          .paragraphs = {"Each has a page of its own, such as trainyardctl-run(1)."}};
    for (const auto& command : program.commands) {
        commands.items.push_back({command.name, command.help});
        page.seeAlso.push_back(program.name + '-' + command.name + "(1)");
    }
    page.parts.push_back(std::move(commands));
    page.parts.push_back({.title = "Options", .items = itemsOf(program.options)});
    page.parts.push_back(
        {.title = "Examples",
         .examples = {"trainyardctl run /usr/share/doc/trainyard-engine/examples/fashion_mnist_mlp.json",
                      "trainyardctl runs --filter \"lr<0.1 and not status:failed\"",
                      "trainyardctl export fashion-mnist-mlp --format safetensors --out mlp.safetensors"}});
    for (auto* part : {manual::exitCodes, manual::environment, manual::files}) page.parts.push_back(part());
    page.seeAlso.insert(page.seeAlso.begin(), kOtherPages.begin(), kOtherPages.end());
    return page;
}

} // namespace

std::vector<manual::Page> manualPages(const CommandInfo& program) {
    std::vector<manual::Page> pages{programPage(program)};
    for (const auto& command : program.commands) pages.push_back(commandPage(program.name, command));
    return pages;
}

} // namespace trainyard::ctl
