// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/arguments/script_arguments.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/target.h"

using namespace trainyard;

TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    const auto found = program::readArguments(file.path());
    if (!found) {
        require(!found.error().message.empty() && !found.error().where.empty(), "an error has a place and a message");
        return 0;
    }
    for (const auto& each : found->arguments) {
        require(!each.name.empty() || !each.flags.empty(), "an argument has a name");
        require(each.place.line > 0, "an argument has a place");
        if (each.byDefault) require(each.byDefault->isLiteral() || !each.certain(), "what is computed is not certain");
        if (each.byDefault) (void)pythonText(*each.byDefault);
        for (const auto& choice : each.choices) require(choice.isLiteral(), "a choice can be given");
    }
    for (const auto& each : found->unread) require(!each.what.empty() && each.place.line > 0, "what is unread is told");
    return 0;
}
