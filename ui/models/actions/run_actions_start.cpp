// SPDX-License-Identifier: GPL-3.0-or-later
// The actions that need a sign-in to hosts: start, resume and fetch.
#include "engine/run/record/home_notes.h"
#include "ui/models/actions/run_actions.h"
#include "ui/models/home/fetch_job.h"

namespace trainyard::ui {

HomePtr RunActions::homeAt(const Destination& to) {
    return to.job ? homeInJob(means(), *to.job) : homeNamed(means(), to.host.toStdString());
}

void RunActions::start(const spec::RunSpec& spec, const run::StartOptions& options, const Destination& to) {
    m_starting = to.job ? 0 : spec.scaling.workers; // a job waits for its turn
    Q_EMIT startingChanged();
    const QString what = to.job ? tr("The job was not submitted") : tr("The run did not start");
    homeAt(to)->start(spec, options, [this, what](const Result<std::string>& run) {
        m_starting = 0;
        if (run) Q_EMIT runStarted(QString::fromStdString(*run));
        else Q_EMIT failed(what, run.error());
        Q_EMIT startingChanged();
    });
}

void RunActions::startSweep(const spec::SweepSpec& spec, const Destination& to) {
    const QString what = to.job ? tr("The job was not submitted") : tr("The sweep did not start");
    homeAt(to)->startSweep(spec, [this, what](const Result<std::string>& sweep) {
        if (sweep) Q_EMIT sweepStarted(QString::fromStdString(*sweep));
        else Q_EMIT failed(what, sweep.error());
    });
}

void RunActions::resume(const QString& run, std::int64_t moreEpochs) {
    resumeWith(run, moreEpochs, {}, orFailed(tr("The run could not be resumed")));
}

void RunActions::resumeWith(const QString& run, std::int64_t moreEpochs, const std::vector<std::string>& settings,
                            const std::function<void(const Result<void>&)>& then) {
    homeOf(run)->resume(run.toStdString(), {moreEpochs, {}, settings}, then);
}

void RunActions::resumeFrom(const QString& run, std::int64_t checkpoint) {
    homeOf(run)->resume(run.toStdString(), {.fromCheckpoint = checkpoint},
                        orFailed(tr("The run could not be resumed")));
}

void RunActions::fetch(const QString& what, const QString& name, const Home& from, const QString& told,
                       const std::function<void()>& then) {
    for (const auto* job : findChildren<FetchJob*>())
        if (job->what() == what) return; // already in progress
    auto* job = new FetchJob(m_workspace, what, name, this);
    connect(job, &BackgroundJob::ended, this, [this, told, then](const Result<void>& result) {
        if (result.ok()) {
            Q_EMIT done(told, {});
            if (then) then();
        } else if (result.error().kind == ErrorKind::Stopped) {
            Q_EMIT done(tr("The transfer was cancelled; Fetch continues it"), {});
        } else {
            Q_EMIT failed(tr("Nothing was fetched"), result.error());
        }
    });
    from.signIn([this, job](const Result<void>& signedIn) {
        if (signedIn) {
            Q_EMIT jobStarted(job);
            return job->start();
        }
        job->deleteLater();
        Q_EMIT failed(tr("Nothing was fetched"), signedIn.error());
    });
}

void RunActions::fetch(const QString& run, const QString& name, const QString& host) {
    fetch(run, name, *homeNamed(means(), host.toStdString()), tr("Fetched %1 from %2").arg(name, host), {});
}

void RunActions::fetchCheckpoint(const QString& run, const QString& name, qint64 step) {
    fetch(QStringLiteral("%1@%2").arg(run).arg(step), tr("%1, step %2").arg(name).arg(step), *homeOf(run),
          tr("Fetched step %1 of %2").arg(step).arg(name), [this, run] { Q_EMIT checkpointFetched(run); });
}

} // namespace trainyard::ui
