// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/serve/service_words.h"

#include "ui/models/text/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

struct ServeWords {
    Q_DECLARE_TR_FUNCTIONS(Serve)
};

} // namespace

QString stateText(serve::ServiceState state) {
    switch (state) {
    case serve::ServiceState::Starting: return ServeWords::tr("Starting");
    case serve::ServiceState::Ready: return ServeWords::tr("Ready");
    case serve::ServiceState::Draining: return ServeWords::tr("Draining");
    case serve::ServiceState::Stopped: return ServeWords::tr("Stopped");
    case serve::ServiceState::Failed: return ServeWords::tr("Failed");
    case serve::ServiceState::Unreachable: return ServeWords::tr("Unreachable");
    }
    return {};
}

Status tintOf(serve::ServiceState state) {
    switch (state) {
    case serve::ServiceState::Ready: return Status::Success;
    case serve::ServiceState::Starting: return Status::Info;
    case serve::ServiceState::Draining:
    case serve::ServiceState::Unreachable: return Status::Warn;
    case serve::ServiceState::Failed: return Status::Error;
    case serve::ServiceState::Stopped: break;
    }
    return Status::Neutral;
}

QString stateText(serve::ReplicaState state) {
    switch (state) {
    case serve::ReplicaState::Starting: return ServeWords::tr("Starting");
    case serve::ReplicaState::Warming: return ServeWords::tr("Warming up");
    case serve::ReplicaState::Idle: return ServeWords::tr("Idle");
    case serve::ReplicaState::Busy: return ServeWords::tr("Busy");
    case serve::ReplicaState::Ended: return ServeWords::tr("Ended");
    }
    return {};
}

Status tintOf(serve::ReplicaState state) {
    switch (state) {
    case serve::ReplicaState::Starting:
    case serve::ReplicaState::Warming: return Status::Info;
    case serve::ReplicaState::Busy: return Status::Success;
    case serve::ReplicaState::Ended: return Status::Error;
    case serve::ReplicaState::Idle: break;
    }
    return Status::Neutral;
}

QString roleText(serve::VersionRole role) {
    switch (role) {
    case serve::VersionRole::Current: return ServeWords::tr("Current");
    case serve::VersionRole::Former: return ServeWords::tr("Former");
    case serve::VersionRole::Canary: return ServeWords::tr("Canary");
    case serve::VersionRole::Shadow: return ServeWords::tr("Shadow");
    case serve::VersionRole::Candidate: return ServeWords::tr("Candidate");
    }
    return {};
}

QString rateText(double perSecond) {
    if (!std::isfinite(perSecond)) return kNoValue;
    return ServeWords::tr("%1/s").arg(perSecond > 0 && perSecond < 10 ? fixedText(perSecond, 1)
                                                                      : countText(std::round(perSecond)));
}

QString latencyText(double milliseconds) {
    if (!(milliseconds > 0) || !std::isfinite(milliseconds)) return kNoValue;
    if (milliseconds >= 1000) return ServeWords::tr("%1 s").arg(fixedText(milliseconds / 1000, 1));
    return ServeWords::tr("%1 ms").arg(fixedText(milliseconds, milliseconds < 10 ? 2 : 1));
}

QString addressOf(const serve::ServiceView& service) {
    const std::string url = service.status.url.empty() ? service.spec.url() : service.status.url;
    return url.empty() ? ServeWords::tr("port not known yet") : QString::fromStdString(url);
}

AnswerErrors errorsOf(const serve::ServiceStatus& status) {
    AnswerErrors errors;
    for (const auto& [code, count] : status.codes) {
        if (code >= 500) errors.service += count;
        else if (code >= 400) errors.client += count;
    }
    return errors;
}

const serve::VersionStatus* versionOf(const serve::ServiceStatus& status, serve::VersionRole role) {
    const auto at = std::find_if(status.versions.begin(), status.versions.end(),
                                 [role](const serve::VersionStatus& each) { return each.role == role; });
    return at == status.versions.end() ? nullptr : &*at;
}

} // namespace trainyard::ui
