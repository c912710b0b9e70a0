// SPDX-License-Identifier: GPL-3.0-or-later
// run --on, sweep --on.
#include "app/ctl/home.h"
#include "app/ctl/home/follow_there.h"
#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/base/text/ids.h"
#include "engine/base/text/printable.h"
#include "engine/run/launch/run_files.h"
#include "engine/run/record/home_notes.h"
#include "engine/run/start/model_file.h"
#include "engine/spec/sweep/paths.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace trainyard::ctl {
namespace {

// The host itself is "local" there.
void nameAsThere(spec::RunSpec& spec, const std::string& home) {
    for (auto* hosts : {&spec.hosts, &spec.spareHosts})
        for (auto& host : *hosts)
            if (host == home) host = "local";
}

// Code, secrets and Python of a program are those of the computer that it is started from.
Result<void> checkHome(const spec::RunSpec& spec, const std::string& home) {
    if (!spec.program) return {};
    return inputError("a run of a program cannot live on another host", "--on " + printable(home, 60),
                      "let its ranks run there, and keep its record here: --hosts " + printable(home, 60));
}

// A model file that is not on this computer may be on the host, which looks for it.
Result<void> pinIfHere(spec::RunSpec& spec) {
    const auto pinned = run::pinModelFile(spec);
    if (!pinned && pinned.error().code != ErrorCode::FileMissing) return pinned.error();
    return {};
}

Result<run::RunFiles> stageAll(const Session& session, remote::Head& head, const spec::RunSpec& spec) {
    run::RunFiles there;
    for (const auto& [field, path] : run::filesOf(spec)) {
        TY_ASSIGN(const auto staged, head.stage(path));
        there[field] = staged.path;
        if (staged.bytesSent > 0 && !session.json)
            std::fprintf(stderr, "%s: copied %s (%s)\n", session.on.c_str(), printable(path).c_str(),
                         remote::sizeText(staged.bytesSent).c_str());
    }
    return there;
}

// Files that only some trials of a sweep use.
Result<void> stageSpace(const Session& session, remote::Head& head, spec::SweepSpec& sweep) {
    for (std::size_t index = 0; index < sweep.space.size(); ++index) {
        const spec::Axis& axis = sweep.space[index];
        if (!axis.isList() || !spec::mayNameFiles(axis.path)) continue;
        const std::string part = axis.path.substr(0, axis.path.find('.'));
        std::vector<run::RunFiles> there;
        for (const spec::Value& value : axis.values) {
            TY_ASSIGN(auto trial, spec::trialSpec(sweep, {{axis.path, value}}, 0));
            (part == "model" ? trial.dataset : trial.model) = {}; // no file of the value's
            TY_ASSIGN(there.emplace_back(), stageAll(session, head, trial));
        }
        spec::relocateValues(sweep, index, there);
    }
    return {};
}

// What `receive` reads there, and the note of it here.
struct Parcel {
    Json json;
    run::HomeNote note;
};

Result<Parcel> packRun(const Session& session, remote::Head& head, const HomeStart& start) {
    TY_ASSIGN(auto spec, spec::parseRunSpec(start.text, start.file));
    TY_TRY(checkHome(spec, session.on));
    TY_TRY(pinIfHere(spec));
    nameAsThere(spec, session.on);
    if (spec.name.empty()) spec.name = newRunName();
    TY_ASSIGN(const auto files, stageAll(session, head, spec));
    Parcel parcel{{{"version", 1}, {"run", parseJson(spec::toJson(spec))}, {"files", files}}, {.name = spec.name}};
    if (!start.resumeFrom.empty()) {
        TY_ASSIGN(const auto staged, head.stage(start.resumeFrom));
        parcel.json["resume_from"] = staged.path;
        parcel.json["forked_from"] = start.forkedFrom;
    }
    return parcel;
}

// The trials of a sweep are runs of that host alone: their run files have the paths there.
Result<Parcel> packSweep(const Session& session, remote::Head& head, const HomeStart& start) {
    TY_ASSIGN(auto sweep, spec::parseSweepSpec(start.text, start.file));
    TY_ASSIGN(auto spec, spec::parseRunSpec(sweep.runJson, start.file));
    TY_TRY(checkHome(spec, session.on));
    TY_TRY(pinIfHere(spec));
    nameAsThere(spec, session.on);
    TY_ASSIGN(const auto files, stageAll(session, head, spec));
    auto there = files;
    std::erase_if(there, [here = run::filesOf(spec)](const auto& file) { return here.at(file.first) == file.second; });
    spec::relocate(spec, there);
    sweep.runJson = spec::toJson(spec);
    TY_TRY(stageSpace(session, head, sweep));
    if (sweep.name.empty()) sweep.name = newRunName();
    return Parcel{{{"version", 1}, {"sweep", parseJson(spec::toJson(sweep))}}, {.name = sweep.name, .isSweep = true}};
}

// The run may have started all the same, so its note stays.
Error notHeard(const Error& error, const run::HomeNote& note) {
    return environmentError("it is not known whether it has started: " + error.message, "on " + note.host,
                            "ask with: trainyardctl show " + note.id)
        .withCode(ErrorCode::ConnectionLost);
}

Result<int> follow(const Session& session, remote::Head head, const std::string& id) {
    std::vector<std::string> words{"attach", id, "--stop-on-interrupt"};
    if (session.json) words.emplace_back("--json");
    const auto code = followThere(session, std::move(head), words);
    if (code || code.error().code != ErrorCode::ConnectionLost) return code;
    Error error = code.error();
    error.message += "; it continues there";
    error.remedy = "follow it with: trainyardctl attach " + id;
    return error;
}

Result<int> startThere(const Session& session, const HomeStart& start) {
    TY_ASSIGN(const auto workspace, session.workspace());
    TY_ASSIGN(auto head, openHead(session, session.on));
    TY_ASSIGN(auto parcel,
              spec::isSweepFile(start.text) ? packSweep(session, head, start) : packRun(session, head, start));
    // Noted before it starts: whatever happens to the link, it can be found.
    auto& note = parcel.note;
    note.id = newId();
    note.host = session.on;
    note.startedMs = wallClockMs();
    parcel.json["id"] = note.id;
    TY_TRY(run::noteHome(workspace, note));
    const auto answer = callHead(head, {"receive", "--json"}, jsonText(parcel.json));
    if (!answer && answer.error().code == ErrorCode::ConnectionLost) return notHeard(answer.error(), note);
    if (!answer) {
        (void)run::forgetHome(workspace, note.id);
        return answer.error();
    }
    if (!start.detach) {
        if (!session.json)
            std::fprintf(stderr, "%s (%s) lives on %s\n", note.name.c_str(), note.id.c_str(), note.host.c_str());
        return follow(session, std::move(head), note.id);
    }
    if (session.json) printPassed(*answer);
    else std::printf("%s\n", note.id.c_str());
    return 0;
}

} // namespace

int startAtHome(const Session& session, const HomeStart& given) {
    const auto code = startThere(session, given);
    return code ? *code : fail(code.error());
}

} // namespace trainyard::ctl
