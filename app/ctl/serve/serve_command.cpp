// SPDX-License-Identifier: GPL-3.0-or-later
// serve, services, serve resume: a trained model behind an address.
#include "app/ctl/home.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/serve/serve_model.h"
#include "app/ctl/serve/serve_text.h"
#include "app/ctl/session.h"
#include "engine/serve/control/figure_log.h"
#include "engine/serve/control/service_client.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <tuple>
#include <type_traits>
#include <variant>

namespace trainyard::ctl::serving {

using namespace trainyard::serve;

namespace {

constexpr double kStartSeconds = 120;

struct ServeOptions {
    std::vector<std::string> models;
    std::string replicas, sampleShape, task; // the last two of TorchScript files
    int outputs = 0;
    bool detach = false;
    ServiceSpec spec; // the rest of it
};

// An option and the field of the service that it sets; checkService() judges the values.
struct OptionRow {
    const char* name;
    std::variant<std::string ServiceSpec::*, int ServiceSpec::*, double ServiceSpec::*, bool ServiceSpec::*> field;
    const char* help;
    const char* type = "";
};
const OptionRow kServeOptions[] = {
    {"--name", &ServiceSpec::name, "of the service; the first model's name otherwise"},
    {"--port", &ServiceSpec::port, "port to listen on; 0, the default, takes a free one and keeps it"},
    {"--host", &ServiceSpec::host, "address to listen on; beyond 127.0.0.1 it needs TLS or --plaintext"},
    {"--socket", &ServiceSpec::socket, "a Unix socket to listen on instead", "PATH"},
    {"--certificate", &ServiceSpec::certificate, "file of the TLS certificate (PEM)", "FILE"},
    {"--key", &ServiceSpec::key, "file of its private key (PEM)", "FILE"},
    {"--plaintext", &ServiceSpec::plaintext, "without TLS, though others can read what is sent"},
    {"--threads", &ServiceSpec::threads, "threads of a replica; 0, the default, shares the cores out"},
    {"--batch", &ServiceSpec::batchMax, "rows that are computed at once at most (32)"},
    {"--batch-delay", &ServiceSpec::batchDelayUs, "microseconds to wait for more rows (0)"},
    {"--deterministic", &ServiceSpec::deterministic, "batches of one size: no neighbour changes a bit"},
    {"--deadline", &ServiceSpec::deadlineSeconds, "seconds until a request that waits gets 504 (10)"},
    {"--drain", &ServiceSpec::drainSeconds, "seconds that a stop waits for requests (30)"},
    {"--target", &ServiceSpec::targetMs, "milliseconds of waiting from which on a replica is added (50)"},
    {"--body", &ServiceSpec::bodyMb, "megabytes of a request at most (16)"},
    {"--rate", &ServiceSpec::perSecond, "predictions a second at most, others get 429; 0, the default: all"},
    {"--follow", &ServiceSpec::follow, "a run whose better checkpoints are taken while it trains"},
};

void addRow(CLI::App& command, ServiceSpec& spec, const OptionRow& row) {
    std::visit(
        [&](auto field) {
            auto& value = spec.*field;
            CLI::Option* option = nullptr;
            if constexpr (std::is_same_v<decltype(field), bool ServiceSpec::*>)
                option = command.add_flag(row.name, value, row.help);
            else option = command.add_option(row.name, value, row.help);
            if (*row.type != '\0') option->type_name(row.type);
        },
        row.field);
}

std::string absoluteOr(const std::string& path) {
    std::error_code ignored;
    return path.empty() ? path : std::filesystem::absolute(path, ignored).lexically_normal().string();
}

Result<ServiceSpec> specOf(const Session& session, const ServeOptions& options) {
    ServiceSpec spec = options.spec;
    for (const std::string& given : options.models) {
        // NAME=RUN@CHECKPOINT gives it another name.
        const auto equals = given.find('=');
        const bool named = equals != given.npos && isServiceName(given.substr(0, equals));
        TY_ASSIGN(ServedModel model, servedModelOf(session, named ? given.substr(equals + 1) : given, session.on));
        if (named) model.name = given.substr(0, equals);
        if (!options.sampleShape.empty()) {
            TY_ASSIGN(model.info, modelInfoOf(options.sampleShape, options.outputs, options.task));
        }
        spec.models.push_back(std::move(model));
    }
    if (spec.name.empty()) spec.name = spec.models.front().name;
    for (std::string* path : {&spec.socket, &spec.certificate, &spec.key}) *path = absoluteOr(*path);
    spec.on = session.on;
    if (!options.replicas.empty()) {
        TY_ASSIGN(std::tie(spec.minReplicas, spec.maxReplicas), replicasOf(options.replicas, "--replicas"));
    }
    TY_TRY(checkService(spec));
    if (!spec.on.empty()) TY_TRY(signInToServiceHost(session, spec.on));
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

// With how it has fared, also before its last start.
int serviceAndFigures(const Session& session, const std::string& name) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    const auto view = viewService(*workspace, name);
    if (!view) return fail(view.error());
    const auto figures = readFigures(view->folder.figures());
    if (!figures) return fail(figures.error());
    if (session.json) {
        Json json = statusToJson(view->status), points = Json::array();
        for (const auto& each : *figures)
            points.push_back({{"at_ms", each.atMs},
                              {"span_ms", each.spanMs},
                              {"qps", each.qps},
                              {"p50_ms", each.p50Ms},
                              {"p99_ms", each.p99Ms},
                              {"errors", each.errors},
                              {"replicas", each.replicas}});
        json["figures"] = std::move(points);
        return printJson(json);
    }
    printService(*view);
    printFigures(*figures);
    return 0;
}

} // namespace

static void addServe(CLI::App& app, Session& session) {
    const auto options = std::make_shared<ServeOptions>();
    auto* command = app.add_subcommand("serve", "answer requests over HTTP with a trained model");
    command->add_option("MODEL", options->models,
                        "RUN[@CHECKPOINT] or a file (a checkpoint, a TorchScript file); NAME=… names it in addresses");
    for (const OptionRow& row : kServeOptions) addRow(*command, options->spec, row);
    command->add_option("--sample-shape", options->sampleShape,
                        "of a TorchScript file that does not say what it takes: such as 3,224,224");
    command->add_option("--outputs", options->outputs, "the width of what it gives");
    command->add_option("--task", options->task,
                        "its task: classification (the default), regression, labels, language");
    command->add_option("--replicas", options->replicas, "processes that compute: 2, or 0..4 as the load needs");
    command->add_flag("--detach", options->detach, "return once it answers");
    addHomeOption(*command, session);
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
            const auto spec = readService(*workspace, *name);
            if (spec && !spec->on.empty())
                if (const auto signedIn = signInToServiceHost(session, spec->on); !signedIn)
                    return fail(signedIn.error());
            return afterStart(session, resumeService(*workspace, *name), *detach);
        };
    });

    const auto one = std::make_shared<std::string>();
    auto* list = app.add_subcommand("services", "the services of the workspace, also those that have ended");
    list->add_option("SERVICE", *one, "this one at length, with its figures of up to 30 days");
    addCommonOptions(*list, session);
    list->callback([&session, one] {
        session.action = [&session, one] {
            return one->empty() ? services(session) : serviceAndFigures(session, *one);
        };
    });
}

} // namespace trainyard::ctl::serving

namespace trainyard::ctl {

void addServeCommand(CLI::App& app, Session& session) { serving::addServe(app, session); }

} // namespace trainyard::ctl
