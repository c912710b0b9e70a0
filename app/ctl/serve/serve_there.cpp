// SPDX-License-Identifier: GPL-3.0-or-later
// serve-there: what the link of a service that lives here asks for (app/ctl/home/service_link.h). It reads one JSON
// object, a line of standard input, and prints one; "watch" prints one a second until its input or the service ends.
#include "app/ctl/serve/serve_model.h"
#include "app/ctl/session.h"
#include "engine/base/text/printable.h"
#include "engine/serve/control/service_client.h"

#include <nlohmann/json.hpp>

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace trainyard::ctl {
namespace {

using namespace trainyard::serve;

constexpr const char* kServeInput = "standard input";
constexpr double kQuestionSeconds = 130; // a version that is loaded and warmed up
constexpr int kLookMs = 1000;

std::string textOf(const Json& json, const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

// Whether it runs, and is that of the computer which asks: both have the same token. `on`: what this host is called
// there.
Result<bool> isAttached(const ServiceFolder& folder, const std::string& name, const std::string& token,
                        const std::string& on) {
    if (!folder.isServed()) return false;
    TY_ASSIGN(const std::string own, tokenOf(folder));
    if (own == token) return true;
    return environmentError("runs there already, started by another computer or with another token",
                            "service " + printable(name, 60),
                            "stop it there: trainyardctl serve stop " + name + " --on " + printable(on, 60) +
                                "; or give this one another name (--name)")
        .withCode(ErrorCode::AlreadyRunning);
}

// Without a service file it only says whether it runs.
Result<int> startHere(const store::Workspace& workspace, const Json& question) {
    const std::string name = textOf(question, "name"), token = textOf(question, "token");
    if (!isServiceName(name) || token.empty()) return inputError("has no name or no token", kServeInput);
    const auto folder = ServiceFolder::of(workspace, name);
    TY_ASSIGN(bool attached, isAttached(folder, name, token, textOf(question, "on")));
    if (!attached && question.contains("service")) {
        TY_ASSIGN(ServiceSpec spec, parseServiceSpec(jsonText(question["service"]), kServeInput));
        spec.name = name;
        spec.on.clear();
        std::error_code failure;
        std::filesystem::create_directories(folder.root, failure);
        TY_TRY(keepToken(folder, token));
        TY_TRY(startService(workspace, spec));
        attached = true;
    }
    return printJson(Json{{"attached", attached}});
}

// As the server here answers; an error of its own too.
Result<int> askHere(const store::Workspace& workspace, const Json& question) {
    TY_ASSIGN(const auto view, viewService(workspace, textOf(question, "name")));
    TY_ASSIGN(const Json answer,
              ServiceClient(view.folder).ask(question.value("question", Json::object()), kQuestionSeconds));
    return printJson(answer);
}

Result<int> watchHere(const store::Workspace& workspace, const std::string& name) {
    for (;;) {
        TY_ASSIGN(const auto view, viewService(workspace, name));
        std::printf("%s\n", jsonText(statusToJson(view.status)).c_str());
        if (std::fflush(stdout) != 0 || !view.isServed) return 0;
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (::poll(&input, 1, view.status.state == ServiceState::Ready ? kLookMs : kLookMs / 20) > 0) return 0;
    }
}

Result<int> tellModel(const Session& session, const std::string& given) {
    TY_ASSIGN(ServedModel model, serving::servedModelOf(session, given));
    model.there = true;
    return printJson(servedModelJson(model));
}

Result<int> serveThere(const Session& session) {
    std::string line;
    std::getline(std::cin, line);
    const Json question = parseJson(line);
    if (!question.is_object()) return inputError("is not sent by trainyardctl serve --on", kServeInput);
    TY_ASSIGN(const auto workspace, session.workspace());
    const std::string verb = textOf(question, "do");
    if (verb == "start") return startHere(workspace, question);
    if (verb == "ask") return askHere(workspace, question);
    if (verb == "watch") return watchHere(workspace, textOf(question, "name"));
    if (verb == "model") return tellModel(session, textOf(question, "given"));
    return inputError("asks for nothing that is known here", kServeInput, "use programs of one version");
}

} // namespace

void addServeThereCommand(CLI::App& app, Session& session) {
    addHiddenCommand(app, session, "serve-there", "act on services for another computer (by serve --on)", serveThere);
}

} // namespace trainyard::ctl
