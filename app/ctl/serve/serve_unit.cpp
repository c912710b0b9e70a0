// SPDX-License-Identifier: GPL-3.0-or-later
// serve unit: a service that outlives the sign-out and begins with the computer.
#include "app/ctl/serve/serve_unit.h"

#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/programs.h"
#include "engine/serve/control/service_folder.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace trainyard::ctl::serving {
namespace {

namespace fs = std::filesystem;

struct UnitOptions {
    std::string name;
    bool install = false;
};

// As systemd reads words: in double quotes, with its own signs doubled.
std::string unitQuoted(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
        if (c == '%' || c == '$') quoted += c;
    }
    return quoted + "\"";
}

std::string unitText(const serve::ServiceFolder& folder, const serve::ServiceSpec& spec) {
    const std::string program = (run::programFolder() / "trainyardctl").string();
    const std::string stop = std::to_string(static_cast<int>(spec.drainSeconds) + 30);
    return "[Unit]\n"
           "Description=Trainyard serves " +
           spec.name + (spec.on.empty() ? "" : " on " + spec.on) +
           "\n"
           "\n"
           "[Service]\n"
           "ExecStart=" +
           unitQuoted(program) + " " + commandOf(spec) + " " + unitQuoted(folder.root.string()) +
           "\n"
           "KillMode=mixed\n"
           "TimeoutStopSec=" +
           stop +
           "\n"
           "Restart=on-failure\n"
           "RestartSec=2\n"
           "\n"
           "[Install]\n"
           "WantedBy=default.target\n";
}

fs::path userUnits() {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    const char* home = std::getenv("HOME");
    if (config && *config == '/') return fs::path(config) / "systemd/user";
    return home ? fs::path(home) / ".config/systemd/user" : fs::path();
}

int unit(const Session& session, const UnitOptions& options) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    const auto spec = serve::readService(*workspace, options.name);
    if (!spec) return fail(spec.error());
    const auto folder = serve::ServiceFolder::of(*workspace, options.name);
    std::error_code failure;
    const serve::ServiceFolder whole{fs::absolute(folder.root, failure)};
    const std::string text = unitText(whole, *spec);
    if (!options.install) {
        std::fputs(text.c_str(), stdout);
        return 0;
    }
    const fs::path file = userUnits() / ("trainyard-" + options.name + ".service");
    fs::create_directories(file.parent_path(), failure);
    if (const auto written = writeFileAtomic(file, text); !written) return fail(written.error());
    if (session.json) return printJson(Json{{"unit", file.string()}});
    std::printf("wrote %s; now:\n"
                "  systemctl --user daemon-reload\n"
                "  systemctl --user enable --now %s\n"
                "  loginctl enable-linger   # so that it begins with the computer\n",
                file.c_str(), file.filename().c_str());
    return 0;
}

} // namespace

void addUnitCommand(CLI::App& serve, Session& session) {
    const auto options = std::make_shared<UnitOptions>();
    auto* command = serve.add_subcommand("unit", "print a systemd user unit that starts the service with the computer");
    command->add_option("NAME", options->name, "the service")->required();
    command->add_flag("--install", options->install, "write it to ~/.config/systemd/user");
    addCommonOptions(*command, session);
    command->callback(
        [&session, options] { session.action = [&session, options] { return unit(session, *options); }; });
}

} // namespace trainyard::ctl::serving
