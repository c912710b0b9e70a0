// SPDX-License-Identifier: GPL-3.0-or-later
// Words of a command line: the first byte says which script's arguments they are read with.
#include "engine/program/command/argument_words.h"
#include "engine/program/command/axis_words.h"
#include "engine/program/command/command_line.h"
#include "engine/program/command/rank_words.h"
#include "engine/program/command/secret_words.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <array>

using namespace trainyard;
using namespace trainyard::program;

namespace {

const ScriptArguments& script(std::size_t which) {
    using Action = Argument::Action;
    static const auto make = [](ArgumentStyle style) {
        ScriptArguments made{.style = style};
        const auto add = [&](const char* name, std::vector<std::string> flags, const char* type, const char* nargs,
                             Action action) {
            made.arguments.push_back(
                {.name = name, .flags = std::move(flags), .type = type, .nargs = nargs, .action = action});
        };
        add("data", {}, "str", "", Action::Store);
        add("lr", {"--lr"}, "float", "", Action::Store);
        add("steps", {"--steps", "-s"}, "int", "", Action::Store);
        add("amp", {"--amp"}, "bool", "", Action::StoreTrue);
        add("shuffle", {"--no-shuffle"}, "bool", "", Action::StoreFalse);
        add("fast", {"--fast", "--no-fast"}, "bool", "", Action::Negatable);
        add("wrong", {"--wrong"}, "bool", "", Action::Store);
        add("betas", {"--betas"}, "float", "2", Action::Store);
        add("layers", {"--layers"}, "int", "+", Action::Store);
        add("tags", {"--tag"}, "str", "", Action::Append);
        return made;
    };
    static const std::array scripts{make(ArgumentStyle::Argparse), make(ArgumentStyle::Click),
                                    make(ArgumentStyle::Absl), ScriptArguments{.style = ArgumentStyle::Hydra}};
    return scripts[which % scripts.size()];
}

// What became of words becomes the same words' meaning again.
void turnRound(const std::vector<std::string>& words, const ScriptArguments& known) {
    const auto values = argumentsOf(words, known);
    if (!values) return;
    const auto made = argumentWords(*values, "auto", &known);
    require(made.ok(), "arguments that were typed can be given");
    const auto again = argumentsOf(*made, known);
    require(again && *again == *values, "and mean the same again");
}

} // namespace

TRAINYARD_FUZZ_TARGET(data, size) {
    if (size == 0) return 0;
    std::vector<std::string> words{""};
    for (std::size_t at = 1; at < size; ++at)
        if (data[at] == '\n') words.emplace_back();
        else words.back() += static_cast<char>(data[at]);
    const auto line = commandLineOf(words, {int(data[0] & 3), 4});
    if (!line) {
        require(!line.error().message.empty() && !line.error().remedy.empty(), "an error says what to do");
    } else {
        const auto& program = line->program;
        require(int(!program.script.empty()) + int(!program.module.empty()) + int(!program.command.empty()) <= 1,
                "one program");
        require(checkNoSecrets(program.words).ok(), "no secret is left");
        (void)rankWords(program, "python3", &script(data[0]), {.checkpoint = "c"});
        (void)rankWords(program, "python3", nullptr, {});
    }
    for (const auto& word : words)
        if (const auto axis = axisWords(word, "--x"); axis && *axis)
            require(!(*axis)->values.empty() || (*axis)->from < (*axis)->to, "an axis has values");
    turnRound(words, script(data[0]));
    return 0;
}
