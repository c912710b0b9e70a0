// SPDX-License-Identifier: GPL-3.0-or-later
// serve, services, serve resume: a trained model behind an address.
#include "app/ctl/interrupt.h"
#include "app/ctl/serve/serve_model.h"
#include "app/ctl/serve/serve_text.h"
#include "app/ctl/session.h"
#include "engine/base/text/printable.h"
#include "engine/serve/control/service_client.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace trainyard::ctl::serving {

using namespace trainyard::serve;

namespace {

constexpr double kStartSeconds = 120;

struct ServeOptions {
    std::vector<std::string> models;
    std::string name, host = "127.0.0.1", socket, certificate, key, replicas, follow;
    int port = 0, batch = 32, delayUs = 0, threads = 0, bodyMb = 16;
    double deadline = 10, drain = 30, targetMs = 50;
    bool plaintext = false, deterministic = false, detach = false;
};

// "2" or "0..4".
Result<void> readReplicas(const std::string& text, ServiceSpec& spec) {
    if (text.empty()) return {};
    const auto dots = text.find("..");
    const std::string least = text.substr(0, dots), most = dots == text.npos ? least : text.substr(dots + 2);
    const auto whole = [](const std::string& digits, int& into) {
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
        return !digits.empty() && problem == std::errc() && end == digits.data() + digits.size();
    };
    if (whole(least, spec.minReplicas) && whole(most, spec.maxReplicas)) return {};
    return inputError("\"" + printable(text, 40) + "\" is not a number of replicas", "--replicas",
                      "write 2, or 0..4 for as many as the load needs");
}

std::string absoluteOr(const std::string& path) {
    std::error_code ignored;
    return path.empty() ? path : std::filesystem::absolute(path, ignored).lexically_normal().string();
}

Result<ServiceSpec> specOf(const Session& session, const ServeOptions& options) {
    ServiceSpec spec;
    for (const std::string& given : options.models) {
        // NAME=RUN@CHECKPOINT gives it another name.
        const auto equals = given.find('=');
        const bool named = equals != given.npos && isServiceName(given.substr(0, equals));
        TY_ASSIGN(ServedModel model, servedModelOf(session, named ? given.substr(equals + 1) : given));
        if (named) model.name = given.substr(0, equals);
        spec.models.push_back(std::move(model));
    }
    spec.name = options.name.empty() ? spec.models.front().name : options.name;
    spec.host = options.host;
    spec.port = options.port;
    spec.socket = absoluteOr(options.socket);
    spec.certificate = absoluteOr(options.certificate);
    spec.key = absoluteOr(options.key);
    spec.plaintext = options.plaintext;
    spec.threads = options.threads;
    spec.batchMax = options.batch;
    spec.batchDelayUs = options.delayUs;
    spec.deterministic = options.deterministic;
    spec.deadlineSeconds = options.deadline;
    spec.drainSeconds = options.drain;
    spec.targetMs = options.targetMs;
    spec.bodyMb = options.bodyMb;
    spec.follow = options.follow;
    TY_TRY(readReplicas(options.replicas, spec));
    TY_TRY(checkService(spec));
    return spec;
}

// Until Ctrl+C, or until the service ends by itself.
int follow(const Session& session, const ServiceFolder& folder) {
    countInterrupts();
    std::printf("Ctrl+C stops it; with --detach it goes on without this terminal\n");
    std::fflush(stdout);
    while (interrupts() == 0 && folder.isServed()) ::usleep(100'000);
    if (!folder.isServed()) {
        const auto view = viewService(*session.workspace(), folder.root.filename().string());
        return view && view->status.state == ServiceState::Stopped ? 0 : exitCode(ErrorKind::Run);
    }
    return stopService(session, folder);
}

int afterStart(const Session& session, const Result<ServiceFolder>& folder, bool detach) {
    if (!folder) return fail(folder.error());
    const auto served = waitUntilServed(*folder, kStartSeconds);
    if (!served) return fail(served.error());
    if (session.json) printJson(statusToJson(*served));
    else printServed(*folder, *served);
    if (detach || session.json) return 0;
    return follow(session, *folder);
}

int serveModels(const Session& session, const ServeOptions& options) {
    if (options.models.empty())
        return fail(inputError("no model is named", "serve",
                               "trainyardctl serve RUN[@CHECKPOINT], or the file of a checkpoint"));
    const auto spec = specOf(session, options);
    if (!spec) return fail(spec.error());
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    return afterStart(session, startService(*workspace, *spec), options.detach);
}

int services(const Session& session) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    const auto views = listServices(*workspace);
    if (session.json) {
        Json list = Json::array();
        for (const auto& each : views) list.push_back(statusToJson(each.status));
        return printJson(list);
    }
    if (views.empty()) {
        std::printf("no services; begin with: trainyardctl serve RUN\n");
        return 0;
    }
    printServices(views);
    return 0;
}

} // namespace

static void addServe(CLI::App& app, Session& session) {
    const auto options = std::make_shared<ServeOptions>();
    auto* command = app.add_subcommand("serve", "answer requests over HTTP with a trained model");
    command->add_option("MODEL", options->models,
                        "RUN[@CHECKPOINT] or a file (a checkpoint, a TorchScript file); NAME=… names it in addresses");
    command->add_option("--name", options->name, "of the service; the first model's name otherwise");
    command->add_option("--port", options->port, "port to listen on; 0, the default, takes a free one and keeps it")
        ->check(CLI::Range(0, 65535));
    command->add_option("--host", options->host, "address to listen on; beyond 127.0.0.1 it needs TLS or --plaintext");
    command->add_option("--socket", options->socket, "a Unix socket to listen on instead");
    command->add_option("--certificate", options->certificate, "file of the TLS certificate (PEM)");
    command->add_option("--key", options->key, "file of its private key (PEM)");
    command->add_flag("--plaintext", options->plaintext, "without TLS, though others can read what is sent");
    command->add_option("--replicas", options->replicas, "processes that compute: 2, or 0..4 as the load needs");
    command->add_option("--threads", options->threads, "threads of a replica; 0, the default, shares the cores out");
    command->add_option("--batch", options->batch, "rows that are computed at once at most (32)")
        ->check(CLI::Range(1, 1024));
    command->add_option("--batch-delay", options->delayUs, "microseconds to wait for more rows (0)");
    command->add_flag("--deterministic", options->deterministic, "compute each row alone: no neighbour changes a bit");
    command->add_option("--deadline", options->deadline, "seconds until a request that waits gets 504 (10)");
    command->add_option("--drain", options->drain, "seconds that a stop waits for requests (30)");
    command->add_option("--target", options->targetMs, "milliseconds of waiting from which on a replica is added (50)");
    command->add_option("--body", options->bodyMb, "megabytes of a request at most (16)");
    command->add_option("--follow", options->follow, "a run whose better checkpoints are taken while it trains");
    command->add_flag("--detach", options->detach, "return once it answers");
    addCommonOptions(*command, session);
    command->callback([&session, options, command] {
        if (!command->get_subcommands().empty()) return;
        session.action = [&session, options] { return serveModels(session, *options); };
    });
    addServeControlCommands(*command, session);

    const auto name = std::make_shared<std::string>();
    const auto detach = std::make_shared<bool>(false);
    auto* resume = command->add_subcommand("resume", "start a service that has ended, as it was");
    resume->add_option("NAME", *name, "the service")->required();
    resume->add_flag("--detach", *detach, "return once it answers");
    addCommonOptions(*resume, session);
    resume->callback([&session, name, detach] {
        session.action = [&session, name, detach] {
            const auto workspace = session.workspace();
            if (!workspace) return fail(workspace.error());
            return afterStart(session, resumeService(*workspace, *name), *detach);
        };
    });

    auto* list = app.add_subcommand("services", "the services of the workspace, also those that have ended");
    addCommonOptions(*list, session);
    list->callback([&session] { session.action = [&session] { return services(session); }; });
}

} // namespace trainyard::ctl::serving

namespace trainyard::ctl {

void addServeCommand(CLI::App& app, Session& session) { serving::addServe(app, session); }

} // namespace trainyard::ctl
