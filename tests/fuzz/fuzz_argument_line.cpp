// SPDX-License-Identifier: GPL-3.0-or-later
// A script, a NUL, and a command line for it.
#include "engine/program/arguments/script_arguments.h"
#include "engine/program/line/argument_line.h"
#include "engine/program/line/word_split.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/target.h"

#include <algorithm>

using namespace trainyard;
using namespace trainyard::program;

TRAINYARD_FUZZ_TARGET(data, size) {
    const auto* end = std::find(data, data + size, 0);
    const FileOf file(data, static_cast<std::size_t>(end - data));
    const auto script = readArguments(file.path()).valueOr(ScriptArguments{});
    const std::string text(end == data + size ? end : end + 1, data + size);
    const auto words = splitWords(text);
    if (!words) {
        require(!words.error().message.empty() && !words.error().remedy.empty(), "an error has a remedy");
        return 0;
    }
    const auto again = splitWords(joinWords(*words));
    require(again && *again == *words, "joined words are the same words");
    const auto line = lineOf(*words, script);
    for (const auto& [name, given] : line.given) require(!name.empty() || given.index() == 1, "an argument has a name");
    (void)wordsOf(line, script, "auto");
    return 0;
}
