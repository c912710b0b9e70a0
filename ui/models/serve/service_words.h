// SPDX-License-Identifier: GPL-3.0-or-later
// Services in the words of the window.
#pragma once

#include "engine/serve/values/service_status.h"
#include "ui/models/serve/service_watch.h"
#include "ui/theme/theme.h"

#include <QString>

namespace trainyard::ui {

QString stateText(serve::ServiceState state);
Status tintOf(serve::ServiceState state);
QString stateText(serve::ReplicaState state);
Status tintOf(serve::ReplicaState state);
QString roleText(serve::VersionRole role);

// "1,240/s", "0.4/s"
QString rateText(double perSecond);
// "0.42 ms", "12.7 ms", "1.8 s"; "–" where there is none.
QString latencyText(double milliseconds);
// "http://127.0.0.1:8100", or "unix:PATH"; says so while the port is not known.
QString addressOf(const serve::ServiceView& service);
// How many answers were errors of the client (4xx) or of the service (5xx).
struct AnswerErrors {
    std::int64_t client = 0, service = 0;
};
AnswerErrors errorsOf(const serve::ServiceStatus& status);
// The version of this role; null: there is none.
const serve::VersionStatus* versionOf(const serve::ServiceStatus& status, serve::VersionRole role);

} // namespace trainyard::ui
