// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands of services print, and share.
#pragma once

#include "app/ctl/session.h"
#include "engine/serve/control/figure_log.h"
#include "engine/serve/control/service_client.h"

#include <vector>

namespace trainyard::ctl::serving {

// A service that has just begun: its address, and a line to try it with.
void printServed(const serve::ServiceFolder& folder, const serve::ServiceStatus& status);
void printServices(const std::vector<serve::ServiceView>& views);
// One service at length.
void printService(const serve::ServiceView& view);
// How it has fared, the newest spans.
void printFigures(const std::vector<serve::FigurePoint>& points);
// A curl command that asks the first model; the token stays in its file.
std::string curlLine(const serve::ServiceFolder& folder, const serve::ServiceStatus& status);

// Stops the service and waits until its processes are counted; says how many are left. Returns the exit code.
int stopService(const Session& session, const serve::ServiceFolder& folder);

// Below `serve`: status, swap, canary, shadow, promote, rollback, scale, kill, drain, stop, token, unit.
void addServeControlCommands(CLI::App& serve, Session& session);

} // namespace trainyard::ctl::serving
