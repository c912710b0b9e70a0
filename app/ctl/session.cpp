// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/session.h"

#include "engine/base/error_json.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/queue/run_queue.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <ctime>
#include <utility>

namespace trainyard::ctl {
namespace {

// Columns a terminal shows for UTF-8 text of scripts with one column a character.
std::size_t columns(const std::string& text) {
    std::size_t count = 0;
    for (const char each : text)
        if ((static_cast<unsigned char>(each) & 0xC0) != 0x80) ++count;
    return count;
}

// --json was given and nothing has been printed yet: a failure has to be the one JSON value.
bool s_jsonExpected = false;

} // namespace

void expectJson() { s_jsonExpected = true; }

Result<store::Workspace> Session::workspace() const { return store::Workspace::open(workspaceFolder); }

Result<OpenWorkspace> OpenWorkspace::open(const Session& session) {
    TY_ASSIGN(auto workspace, session.workspace());
    std::error_code ignored;
    if (std::filesystem::exists(workspace.database(), ignored)) {
        // A store that cannot be written now (a full disk) can still be read.
        if (auto store = store::Store::open(workspace)) (void)(*store)->markInterrupted(workspace);
    }
    TY_ASSIGN(auto query, store::RunQuery::open(workspace));
    (void)queue::ensureQueueSupervisor(workspace, *query); // a queue continues after a reboot
    return OpenWorkspace{std::move(workspace), std::move(query)};
}

std::string forTerminal(std::string_view text) {
    std::string safe;
    for (;;) {
        const auto end = text.find('\n');
        safe += printable(text.substr(0, end), std::string::npos);
        if (end == text.npos) return safe;
        safe += '\n';
        text.remove_prefix(end + 1);
    }
}

std::string shownName(const std::string& name) { return printable(name, 400); }

int fail(const Error& error) {
    std::fprintf(stderr, "trainyardctl: %s\n", forTerminal(error.text()).c_str());
    if (std::exchange(s_jsonExpected, false)) std::printf("%s\n", errorToJson(error).c_str());
    return exitCode(error.kind);
}

int failIn(const std::string& file, Error error) {
    const bool isField =
        error.kind == ErrorKind::Input && !error.where.starts_with('/') && !error.where.starts_with(file);
    if (isField) error.where = error.where.empty() ? file : file + ": " + error.where;
    return fail(error);
}

void printPassed(std::string_view bytes) {
    s_jsonExpected = false;
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
}

int printJson(const Json& json) {
    s_jsonExpected = false;
    std::printf("%s\n", asciiJson(json, 2).c_str());
    return 0;
}

int exitCodeOf(wire::RunStatus status, ErrorKind errorKind) {
    if (status == wire::RunStatus::Finished) return 0;
    if (status == wire::RunStatus::Stopped) return exitCode(ErrorKind::Stopped);
    return exitCode(errorKind);
}

std::string shortTime(std::int64_t wallMs) {
    if (wallMs <= 0) return "-";
    const std::time_t seconds = wallMs / 1000;
    std::tm local{};
    ::localtime_r(&seconds, &local);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &local);
    return text.data();
}

std::string metricText(const std::map<std::string, double>& metrics) {
    std::string text;
    for (const auto& [name, value] : metrics) {
        char number[32];
        std::snprintf(number, sizeof number, "%.4g", value);
        const bool counts = name == "samples" || name == "tokens";
        text += (text.empty() ? "" : ", ") + printable(name) + " " +
                (counts ? grouped(static_cast<std::int64_t>(value)) : number);
    }
    return text;
}

void printTable(const std::vector<std::vector<std::string>>& given) {
    auto rows = given;
    for (auto& row : rows)
        for (auto& cell : row) cell = printable(cell, std::string::npos);
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t column = 0; column < row.size(); ++column) {
            if (widths.size() <= column) widths.push_back(0);
            widths[column] = std::max(widths[column], columns(row[column]));
        }
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column) {
            line += row[column];
            if (column + 1 < row.size()) line.append(widths[column] - columns(row[column]) + 2, ' ');
        }
        std::printf("%s\n", line.c_str());
    }
}

void addCommonOptions(CLI::App& command, Session& session, bool withJson) {
    command
        .add_option("--workspace", session.workspaceFolder,
                    "folder of the runs (default: $TRAINYARD_WORKSPACE, else ~/.local/share/trainyard)")
        ->type_name("FOLDER");
    if (withJson) command.add_flag("--json", session.json, "print one JSON value on stdout");
}

void addHiddenCommand(CLI::App& app, Session& session, const char* name, const char* help,
                      Result<int> (*act)(const Session& session)) {
    auto* command = app.add_subcommand(name, help);
    command->group("");
    addCommonOptions(*command, session);
    command->callback([&session, act] {
        session.action = [&session, act] {
            const auto code = act(session);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
