// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/arguments/script_arguments.h"

#include "engine/program/arguments/parser_walk.h"

namespace trainyard::program {

Result<ScriptArguments> readArguments(const std::filesystem::path& script) {
    PythonProject project(script);
    ArgumentBook book;
    TY_ASSIGN(const PythonFile* file, project.readScript());
    ParserWalk(project, book).script(*file);
    for (const Unread& each : project.unread()) book.note(each.place, each.what);
    ScriptArguments found = book.take();
    found.files = project.files();
    found.bytes = project.bytes();
    return found;
}

} // namespace trainyard::program
