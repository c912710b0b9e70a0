// SPDX-License-Identifier: GPL-3.0-or-later
// receive: what `run --on` and `sweep --on` of another computer start here. It reads one JSON object from stdin:
// "id", and "run" with "files" (LaunchRecord::files), "resume_from" and "forked_from", or "sweep".
#include "app/ctl/launchers.h"
#include "app/ctl/run_file.h"
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/queue/placement.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/sweep/control/sweep_control.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <iterator>

namespace trainyard::ctl {
namespace {

constexpr const char* kWhere = "standard input";

Result<int> receiveRun(const Session& session, const Json& parcel) {
    TY_ASSIGN(auto spec, spec::parseRunSpec(jsonText(parcel.at("run")), kWhere));
    TY_ASSIGN(const auto workspace, session.workspace());
    TY_TRY(signInToHostsOf(spec));
    run::StartOptions start;
    start.id = parcel.at("id").get<std::string>();
    start.files = parcel.at("files").get<std::map<std::string, std::string>>();
    start.resumeFrom = parcel.value("resume_from", std::string());
    start.forkedFrom = parcel.value("forked_from", std::string());
    TY_ASSIGN(const auto run, run::startRun(workspace, queue::placedNow(workspace, std::move(spec)), start));
    return afterStart(session, workspace, run, true);
}

Result<int> receiveSweep(const Session& session, const Json& parcel) {
    TY_ASSIGN(const auto spec, spec::parseSweepSpec(jsonText(parcel.at("sweep")), kWhere));
    TY_ASSIGN(const auto run, spec::parseRunSpec(spec.runJson, kWhere));
    TY_ASSIGN(const auto workspace, session.workspace());
    TY_TRY(signInToHostsOf(run));
    sweep::SweepStart start;
    start.id = parcel.at("id").get<std::string>();
    TY_ASSIGN(const auto sweep, sweep::startSweep(workspace, spec, start));
    return afterSweepStart(session, workspace, sweep, true);
}

Result<int> receive(const Session& session) {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const auto parcel = parseJson(text);
    try {
        if (parcel.is_object())
            return parcel.contains("sweep") ? receiveSweep(session, parcel) : receiveRun(session, parcel);
    } catch (const Json::exception&) {} // a field is missing, or is not what it should be
    return inputError("is not sent by trainyardctl run --on", kWhere);
}

} // namespace

void addReceiveCommand(CLI::App& app, Session& session) {
    addHiddenCommand(app, session, "receive", "start what another computer sends (by run --on)", receive);
}

} // namespace trainyard::ctl
