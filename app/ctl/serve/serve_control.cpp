// SPDX-License-Identifier: GPL-3.0-or-later
// Below `serve`: what is asked of a service that runs.
#include "app/ctl/serve/serve_bench.h"
#include "app/ctl/serve/serve_model.h"
#include "app/ctl/serve/serve_text.h"
#include "app/ctl/serve/serve_try.h"
#include "app/ctl/serve/serve_unit.h"
#include "engine/base/text/printable.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace trainyard::ctl::serving {

using namespace trainyard::serve;

namespace {

struct ControlOptions {
    std::string name, checkpoint, model, replicas;
    double share = 0.1;
    int replica = 0;
    bool renew = false, shareGiven = false;
};

Result<ServiceView> viewOf(const Session& session, const std::string& name) {
    TY_ASSIGN(const auto workspace, session.workspace());
    return viewService(workspace, name);
}

Result<ServiceClient> clientOf(const Session& session, const std::string& name) {
    TY_ASSIGN(const auto view, viewOf(session, name));
    return ServiceClient(view.folder);
}

// The model that is meant: the one named, or the first.
std::string modelName(const ServiceView& view, const std::string& given) {
    return given.empty() && !view.spec.models.empty() ? view.spec.models.front().name : given;
}

int sayDone(const Session& session, const std::string& text) {
    if (session.json) return printJson(Json{{"done", text}});
    std::printf("%s\n", text.c_str());
    return 0;
}

int status(const Session& session, const ControlOptions& options) {
    const auto view = viewOf(session, options.name);
    if (!view) return fail(view.error());
    if (session.json) return printJson(statusToJson(view->status));
    printService(*view);
    return 0;
}

Result<std::string> swap(const Session& session, const ControlOptions& options) {
    TY_ASSIGN(const auto view, viewOf(session, options.name));
    TY_ASSIGN(ServedModel model, servedModelOf(session, options.checkpoint, view.spec.on));
    model.name = modelName(view, options.model);
    TY_TRY(ServiceClient(view.folder).swap(model));
    return options.name + " answers with " + printable(model.version(), 100);
}

Result<std::string> canary(const Session& session, const ControlOptions& options) {
    TY_ASSIGN(const auto view, viewOf(session, options.name));
    const ServiceClient client(view.folder);
    const std::string name = modelName(view, options.model);
    char share[16];
    std::snprintf(share, sizeof share, "%.0f%%", 100 * options.share);
    if (options.checkpoint.empty()) {
        TY_TRY(client.setShare(name, options.share));
        return options.share > 0 ? "the canary gets " + std::string(share) + " of the requests"
                                 : std::string("the other version gets no more requests");
    }
    TY_ASSIGN(ServedModel model, servedModelOf(session, options.checkpoint, view.spec.on));
    model.name = name;
    TY_TRY(client.canary(model, options.share));
    return printable(model.version(), 100) + " gets " + share + " of the requests";
}

Result<std::string> shadow(const Session& session, const ControlOptions& options) {
    TY_ASSIGN(const auto view, viewOf(session, options.name));
    TY_ASSIGN(ServedModel model, servedModelOf(session, options.checkpoint, view.spec.on));
    model.name = modelName(view, options.model);
    TY_TRY(ServiceClient(view.folder).shadow(model));
    return printable(model.version(), 100) + " gets copies of the requests; trainyardctl serve status " + options.name +
           " compares the answers";
}

Result<std::string> promote(const Session& session, const ControlOptions& options) {
    TY_ASSIGN(const auto view, viewOf(session, options.name));
    TY_TRY(ServiceClient(view.folder).promote(modelName(view, options.model)));
    return std::string("the other version answers all requests now");
}

Result<std::string> rollback(const Session& session, const ControlOptions& options) {
    TY_ASSIGN(const auto view, viewOf(session, options.name));
    TY_TRY(ServiceClient(view.folder).rollback(modelName(view, options.model)));
    return std::string("the version before answers again");
}

Result<std::string> scale(const Session& session, const ControlOptions& options) {
    TY_ASSIGN(const auto client, clientOf(session, options.name));
    TY_ASSIGN(const auto range, replicasOf(options.replicas, "REPLICAS"));
    TY_TRY(client.scale(range.first, range.second));
    return options.name + " has " + options.replicas + " replicas";
}

Result<std::string> killOne(const Session& session, const ControlOptions& options) {
    TY_ASSIGN(const auto client, clientOf(session, options.name));
    TY_TRY(client.killReplica(options.replica));
    return "replica " + std::to_string(options.replica) + " was killed; another takes its place";
}

Result<std::string> drain(const Session& session, const ControlOptions& options) {
    TY_ASSIGN(const auto client, clientOf(session, options.name));
    TY_TRY(client.drain());
    return options.name + " takes no new requests, and ends once it has answered those that it has";
}

int stop(const Session& session, const ControlOptions& options) {
    const auto view = viewOf(session, options.name);
    if (!view) return fail(view.error());
    return stopService(session, view->folder);
}

int token(const Session& session, const ControlOptions& options) {
    const auto view = viewOf(session, options.name);
    if (!view) return fail(view.error());
    const auto token = options.renew ? renewToken(view->folder) : tokenOf(view->folder);
    if (!token) return fail(token.error());
    if (session.json) return printJson(Json{{"token", *token}, {"file", view->folder.token().string()}});
    std::printf("%s\n", token->c_str());
    if (options.renew && view->isServed)
        std::fprintf(stderr, view->spec.on.empty() ? "the service takes it within a second, and no other\n"
                                                   : "the service takes it from its next start on\n");
    return 0;
}

using Shared = std::shared_ptr<ControlOptions>;

CLI::App* add(CLI::App& serve, Session& session, const char* word, const char* help, const Shared& options,
              int (*act)(const Session&, const ControlOptions&)) {
    auto* command = serve.add_subcommand(word, help);
    command->add_option("NAME", options->name, "the service")->required();
    addCommonOptions(*command, session);
    command->callback(
        [&session, options, act] { session.action = [&session, options, act] { return act(session, *options); }; });
    return command;
}

CLI::App* add(CLI::App& serve, Session& session, const char* word, const char* help, const Shared& options,
              Result<std::string> (*act)(const Session&, const ControlOptions&)) {
    auto* command = serve.add_subcommand(word, help);
    command->add_option("NAME", options->name, "the service")->required();
    addCommonOptions(*command, session);
    command->callback([&session, options, act] {
        session.action = [&session, options, act] {
            const auto done = act(session, *options);
            return done ? sayDone(session, *done) : fail(done.error());
        };
    });
    return command;
}

void addModelOption(CLI::App& command, const Shared& options) {
    command.add_option("--model", options->model, "which of the service's models; the first otherwise");
}

} // namespace

void addServeControlCommands(CLI::App& serve, Session& session) {
    const auto options = std::make_shared<ControlOptions>();
    add(serve, session, "status", "how a service fares: requests, versions, replicas", options, status);
    auto* command = add(serve, session, "swap", "answer with another checkpoint, without an error", options, swap);
    command->add_option("CHECKPOINT", options->checkpoint, "RUN[@CHECKPOINT] or a file")->required();
    addModelOption(*command, options);
    command = add(serve, session, "canary", "give a share of the requests to another checkpoint", options, canary);
    command->add_option("CHECKPOINT", options->checkpoint, "RUN[@CHECKPOINT] or a file; the one there is otherwise");
    command->add_option("--share", options->share, "0 to 1 (0.1); 0 ends it")->check(CLI::Range(0.0, 1.0));
    addModelOption(*command, options);
    command =
        add(serve, session, "shadow", "give copies of the requests to another checkpoint and compare", options, shadow);
    command->add_option("CHECKPOINT", options->checkpoint, "RUN[@CHECKPOINT] or a file")->required();
    addModelOption(*command, options);
    addModelOption(*add(serve, session, "promote", "give all requests to the canary or shadow", options, promote),
                   options);
    addModelOption(*add(serve, session, "rollback", "answer with the version before again", options, rollback),
                   options);
    command = add(serve, session, "scale", "change how many processes compute", options, scale);
    command->add_option("REPLICAS", options->replicas, "2, or 0..4 as the load needs")->required();
    command = add(serve, session, "kill", "end a replica's process, to see that nothing is lost", options, killOne);
    command->add_option("REPLICA", options->replica, "its number, as status prints it")->required();
    add(serve, session, "drain", "take no new requests, answer those that wait, and end", options, drain);
    add(serve, session, "stop", "the same, and wait until no process is left", options, stop);
    command = add(serve, session, "token", "print the token that clients send", options, token);
    command->add_flag("--renew", options->renew, "make another");
    addUnitCommand(serve, session);
    addTryCommand(serve, session);
    addBenchCommand(serve, session);
}

} // namespace trainyard::ctl::serving
