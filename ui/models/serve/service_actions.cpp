// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/serve/service_actions.h"

#include "engine/serve/control/service_client.h"
#include "ui/models/desktop/background.h"
#include "ui/models/text/format.h"

#include <QPointer>

#include <utility>

namespace trainyard::ui {

namespace {

constexpr double kCanaryShare = 0.1; // that a canary begins with
constexpr int kAtOnce = 4;           // calls, of which a swap waits until its model is checked

Result<void> giveCheckpoint(const serve::ServiceClient& client, const serve::ServedModel& model, SwapMode mode) {
    switch (mode) {
    case SwapMode::Canary: return client.canary(model, kCanaryShare);
    case SwapMode::Shadow: return client.shadow(model);
    case SwapMode::All: break;
    }
    return client.swap(model);
}

} // namespace

ServiceActions::ServiceActions(store::Workspace workspace, QObject* parent)
    : QObject(parent), m_workspace(std::move(workspace)) {
    m_pool.setMaxThreadCount(kAtOnce);
}

// Each call ends within its time.
ServiceActions::~ServiceActions() { m_pool.clear(); }

void ServiceActions::start(const serve::ServiceSpec& spec, QObject* context,
                           std::function<void(const Result<void>&)> done) {
    inBackground(
        m_pool, this,
        [workspace = m_workspace, spec]() -> Result<void> {
            TY_TRY(serve::startService(workspace, spec));
            return {};
        },
        [this, name = QString::fromStdString(spec.name), asker = QPointer(context),
         done = std::move(done)](const Result<void>& result) {
            Q_EMIT changed();
            if (result) Q_EMIT started(name);
            if (asker) done(result);
            else if (!result) Q_EMIT failed(tr("%1 could not be started").arg(name), result.error());
        });
}

void ServiceActions::swap(const QString& service, const serve::ServedModel& model, SwapMode mode, QObject* context,
                          std::function<void(const Result<void>&)> ended) {
    const auto folder = serve::ServiceFolder::of(m_workspace, service.toStdString());
    inBackground(
        m_pool, this, [folder, model, mode] { return giveCheckpoint(serve::ServiceClient(folder), model, mode); },
        [this, service, version = QString::fromStdString(model.version()), asker = QPointer(context),
         ended = std::move(ended)](const Result<void>& result) {
            Q_EMIT changed();
            if (result) {
                Q_EMIT started(service);
                Q_EMIT done(tr("%1 has the version %2").arg(service, version));
            }
            if (asker) ended(result);
            else if (!result) Q_EMIT failed(tr("%1 keeps its version").arg(service), result.error());
        });
}

void ServiceActions::resume(const QString& service) {
    inBackground(
        m_pool, this,
        [workspace = m_workspace, name = service.toStdString()]() -> Result<void> {
            TY_TRY(serve::resumeService(workspace, name));
            return {};
        },
        [this, service](const Result<void>& result) {
            Q_EMIT changed();
            if (result) Q_EMIT started(service);
            else Q_EMIT failed(tr("%1 could not be started").arg(service), result.error());
        });
}

void ServiceActions::call(const QString& service, Call work, const QString& told, const QString& problem) {
    const auto folder = serve::ServiceFolder::of(m_workspace, service.toStdString());
    inBackground(
        m_pool, this, [folder, work = std::move(work)] { return work(serve::ServiceClient(folder)); },
        [this, told, problem](const Result<void>& result) {
            Q_EMIT changed();
            if (result) Q_EMIT done(told);
            else Q_EMIT failed(problem, result.error());
        });
}

void ServiceActions::stop(const QString& service) {
    call(
        service, [](const serve::ServiceClient& client) { return client.stop(); },
        tr("%1 finishes what it has accepted, and ends").arg(service), tr("%1 could not be stopped").arg(service));
}

void ServiceActions::promote(const QString& service, const QString& model) {
    call(
        service, [name = model.toStdString()](const serve::ServiceClient& client) { return client.promote(name); },
        tr("%1 answers with the new version").arg(service), tr("%1 keeps its version").arg(service));
}

void ServiceActions::rollBack(const QString& service, const QString& model) {
    call(
        service, [name = model.toStdString()](const serve::ServiceClient& client) { return client.rollback(name); },
        tr("%1 answers with the former version again").arg(service), tr("%1 keeps its version").arg(service));
}

void ServiceActions::setShare(const QString& service, const QString& model, double share) {
    const QString told = share > 0 ? tr("The canary of %1 gets %2 of the requests").arg(service, percentText(share))
                                   : tr("The canary of %1 has ended").arg(service);
    call(
        service,
        [name = model.toStdString(), share](const serve::ServiceClient& client) {
            return client.setShare(name, share);
        },
        told, tr("The canary of %1 keeps its share").arg(service));
}

void ServiceActions::scale(const QString& service, int least, int most) {
    const QString told = least == most ? tr("%1 keeps %n replicas", nullptr, least).arg(service)
                                       : tr("%1 keeps %2 to %3 replicas").arg(service).arg(least).arg(most);
    call(
        service, [least, most](const serve::ServiceClient& client) { return client.scale(least, most); }, told,
        tr("%1 could not be scaled").arg(service));
}

void ServiceActions::killReplica(const QString& service, int number) {
    call(
        service, [number](const serve::ServiceClient& client) { return client.killReplica(number); },
        tr("Replica %1 of %2 was killed; another takes its place").arg(number).arg(service),
        tr("Replica %1 of %2 could not be killed").arg(number).arg(service));
}

} // namespace trainyard::ui
