// SPDX-License-Identifier: GPL-3.0-or-later
// archive, restore, delete, tag, notes, color.
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/run/actions/edit_runs.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

struct EditOptions {
    std::vector<std::string> runs;
    std::string text;
};

Result<std::vector<store::RunRow>> rowsOf(store::RunQuery& query, const std::vector<std::string>& runs) {
    std::vector<store::RunRow> rows;
    for (const std::string& run : runs) {
        TY_ASSIGN(auto row, query.run(run));
        rows.push_back(std::move(row));
    }
    return rows;
}

// `change` makes the edit of each run; `done` is said of each.
template <class Change>
Result<int> editEach(const Session& session, const EditOptions& options, const char* done, Change change) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(const auto rows, rowsOf(*open.query, options.runs));
    std::vector<run::RunEdit> edits;
    Json ids = Json::array();
    for (const store::RunRow& row : rows) {
        run::RunEdit edit{row.id};
        TY_TRY(change(row, edit));
        edits.push_back(std::move(edit));
        ids.push_back(row.id);
    }
    TY_ASSIGN([[maybe_unused]] const auto back, run::editRuns(open.workspace, edits));
    if (session.json) return printJson(ids);
    for (const store::RunRow& row : rows) std::printf("%s %s\n", done, shownName(row.name).c_str());
    return 0;
}

Result<int> archive(const Session& session, const EditOptions& options) {
    return editEach(session, options, "archived", [](const store::RunRow& row, run::RunEdit& edit) -> Result<void> {
        if (wire::isActive(row.status))
            return inputError("run " + shownName(row.name) + " is still " + wire::toString(row.status), "RUN",
                              "stop it first: trainyardctl stop " + row.id);
        edit.archived = true;
        return {};
    });
}

Result<int> restore(const Session& session, const EditOptions& options) {
    return editEach(session, options, "restored", [](const store::RunRow&, run::RunEdit& edit) -> Result<void> {
        edit.archived = false;
        return {};
    });
}

Result<int> tag(const Session& session, const EditOptions& options) {
    return editEach(session, options, "tagged", [&options](const store::RunRow&, run::RunEdit& edit) -> Result<void> {
        edit.tags = options.text;
        return {};
    });
}

Result<int> notes(const Session& session, const EditOptions& options) {
    return editEach(session, options, "noted on", [&options](const store::RunRow&, run::RunEdit& edit) -> Result<void> {
        edit.notes = options.text;
        return {};
    });
}

Result<int> setColor(const Session& session, const EditOptions& options) {
    return editEach(session, options, "coloured", [&options](const store::RunRow&, run::RunEdit& edit) -> Result<void> {
        edit.color = options.text;
        return {};
    });
}

Result<int> deleteForGood(const Session& session, const EditOptions& options) {
    TY_ASSIGN(const auto open, OpenWorkspace::open(session));
    TY_ASSIGN(const auto rows, rowsOf(*open.query, options.runs));
    std::vector<std::string> ids;
    for (const store::RunRow& row : rows) ids.push_back(row.id);
    TY_ASSIGN(const auto bytes, run::deleteRuns(open.workspace, ids));
    if (session.json) return printJson({{"deleted", ids}, {"freed_bytes", bytes}});
    std::printf("deleted %zu run%s, %s freed\n", ids.size(), ids.size() == 1 ? "" : "s",
                bytesText(static_cast<std::int64_t>(bytes)).c_str());
    return 0;
}

using EditAction = Result<int> (*)(const Session&, const EditOptions&);

void addEditCommand(CLI::App& app, Session& session, const char* name, const char* help, EditAction action,
                    const char* text = nullptr) {
    const auto options = std::make_shared<EditOptions>();
    auto* command = app.add_subcommand(name, help);
    if (text) {
        options->runs.resize(1);
        command->add_option("RUN", options->runs.front(), "id, beginning of an id, or name")->required();
        command->add_option("TEXT", options->text, text)->required();
    } else {
        command->add_option("RUN", options->runs, "ids, beginnings of ids, or names")->required();
    }
    addCommonOptions(*command, session);
    command->callback([&session, options, action] {
        session.action = [&session, options, action] {
            const auto code = action(session, *options);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace

void addEditCommands(CLI::App& app, Session& session) {
    addEditCommand(app, session, "archive", "hide runs that have ended; their files are kept", archive);
    addEditCommand(app, session, "restore", "bring archived runs back", restore);
    addEditCommand(app, session, "delete", "delete archived runs and their files for good", deleteForGood);
    addEditCommand(app, session, "tag", "set the tags of a run", tag, "words separated by spaces; empty: none");
    addEditCommand(app, session, "notes", "set the notes of a run", notes, "the notes; empty: none");
    addEditCommand(app, session, "color", "set the colour that the window draws a run with", setColor,
                   "#1f77b4, a number of the palette from 1 to 40, or auto");
}

} // namespace trainyard::ctl
