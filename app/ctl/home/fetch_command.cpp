// SPDX-License-Identifier: GPL-3.0-or-later
// fetch: a run that has ended on another host becomes one of this workspace.
#include "app/ctl/home/fetch_command.h"

#include "app/ctl/follow.h"
#include "app/ctl/home/head_call.h"
#include "engine/base/ids.h"
#include "engine/run/actions/bundle.h"
#include "engine/run/actions/temporary_workspace.h"
#include "engine/run/record/away_runs.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct FetchOptions {
    std::string run;
    std::vector<std::string> checkpoints;
};

// A folder of the host that `hosts clean` frees if a lost link leaves it behind.
class BundleThere {
public:
    static Result<BundleThere> make(remote::Head& head) {
        const std::string folder = head.basics().cache + "/runs/fetch-" + newId();
        TY_ASSIGN(const auto made, head.session().script("umask 077; mkdir -p -- \"$1\"", {folder}));
        if (!made.ok())
            return environmentError("the folder cannot be made: " + made.complaint(),
                                    head.session().host().label() + ":" + folder, "free space on the host");
        return BundleThere(head, folder);
    }
    BundleThere(BundleThere&& other) noexcept
        : m_head(other.m_head), m_folder(std::exchange(other.m_folder, std::string())) {}
    BundleThere& operator=(BundleThere&&) = delete;
    ~BundleThere() {
        if (!m_folder.empty() && m_head.session().alive()) (void)m_head.session().exec({"rm", "-rf", "--", m_folder});
    }
    std::string file() const { return m_folder + "/run.tar"; }

private:
    BundleThere(remote::Head& head, std::string folder) : m_head(head), m_folder(std::move(folder)) {}
    remote::Head& m_head;
    std::string m_folder;
};

struct AwayPlace {
    std::string host, run; // its id if it was noted, else as the user named it
};

Result<AwayPlace> placeOf(const Session& session, const store::Workspace& workspace, const std::string& run) {
    const auto away = run::findAway(run::awayRuns(workspace), run);
    if (away && away->isSweep)
        return inputError("is a sweep, and stays where it is", "sweep " + printable(away->name, 60),
                          "fetch its trials: trainyardctl show " + away->id + " names them");
    if (!session.on.empty()) return AwayPlace{session.on, away && away->host == session.on ? away->id : run};
    if (away) return AwayPlace{away->host, away->id};
    return inputError("no run \"" + printable(run, 60) + "\" was started on another host from this workspace", "run",
                      "name its host with --on")
        .withCode(ErrorCode::RunUnknown);
}

// The id of the run there.
Result<std::string> idThere(remote::Head& head, const std::string& run) {
    TY_ASSIGN(const auto text, callHead(head, {"show", run, "--json"}));
    const auto json = Json::parse(text, nullptr, false);
    if (json.is_object() && json.contains("run") && json["run"].is_string()) return json["run"].get<std::string>();
    return inputError("is a sweep, and stays where it is", "sweep " + printable(run, 60), "fetch its trials");
}

Result<void> mustNotBeHere(const store::Workspace& workspace, const std::string& id) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    const auto row = query->run(id);
    if (!row || row->id != id) return {};
    return inputError("is here already, and stays as it is", "run " + printable(row->name, 60),
                      "to fetch it anew: trainyardctl archive " + id + ", then trainyardctl delete " + id);
}

Result<int> fetchRun(const Session& session, const FetchOptions& options) {
    TY_TRY(run::bundledCheckpoints(options.checkpoints));
    TY_ASSIGN(const auto workspace, session.workspace());
    TY_ASSIGN(const auto place, placeOf(session, workspace, options.run));
    TY_ASSIGN(auto head, openHead(session, place.host));
    TY_ASSIGN(const auto id, idThere(head, place.run));
    TY_TRY(mustNotBeHere(workspace, id));
    TY_ASSIGN(const auto there, BundleThere::make(head));
    std::vector<std::string> words{"export", id, "--bundle", "--out", there.file(), "--json"};
    for (const auto& each : options.checkpoints) words.insert(words.end(), {"--checkpoint", each});
    TY_TRY(callHead(head, words));
    // On the disk of the workspace, as it is to hold the run.
    TY_ASSIGN(const auto arrived, run::TemporaryWorkspace::make(".fetch", workspace.root));
    const fs::path file = (*arrived).root / "run.tar";
    TY_TRY(remote::fetchFile(head.session(), there.file(), file));
    run::BundledRun added;
    TY_TRY(run::addBundle(workspace, file, {id}, [] { return true; }, [&added](const auto& run) { added = run; }));
    TY_TRY(run::forgetAway(workspace, id));
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    if (!session.json)
        std::fprintf(stderr, "fetched %s from %s: %s series, %s points\n", shownName(added.row.name).c_str(),
                     place.host.c_str(), grouped(added.series).c_str(), grouped(added.points).c_str());
    TY_TRY(printResult(session, *query, added.row));
    return 0;
}

} // namespace

void addFetchCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<FetchOptions>();
    auto* command = app.add_subcommand("fetch", "bring a run that has ended on another host into this workspace");
    command->add_option("RUN", options->run, "id, beginning of an id, or name")->required();
    command->add_option("--on", session.on, "its host, if it was not started from this workspace")->type_name("HOST");
    command
        ->add_option("--checkpoint", options->checkpoints,
                     "all (the default), none, or best, last or a step; may be repeated")
        ->take_all();
    addCommonOptions(*command, session);
    command->callback([&session, options] {
        session.action = [&session, options] {
            const auto code = fetchRun(session, *options);
            return code ? *code : fail(code.error());
        };
    });
}

} // namespace trainyard::ctl
