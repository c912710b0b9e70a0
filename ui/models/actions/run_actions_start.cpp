// SPDX-License-Identifier: GPL-3.0-or-later
// What needs a sign-in to hosts: starting, resuming and fetching.
#include "engine/queue/placement.h"
#include "engine/run/record/away_runs.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/supervise/hosts/host_pool.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/store/run_query.h"
#include "ui/models/actions/run_actions.h"
#include "ui/models/away/away_call.h"
#include "ui/models/away/fetch_job.h"
#include "ui/models/desktop/background.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryFile>

namespace trainyard::ui {

namespace {

Result<void> signInTo(const spec::RunSpec& spec, const RunActions::SignIn& signIn) {
    auto signedIn = signIn(run::hostsToReach(spec));
    return signedIn || !run::startsWithout(spec, signedIn.error()) ? std::move(signedIn) : Result<void>();
}

// The file that a run is resumed with.
Result<spec::RunSpec> resumedSpec(const store::Workspace& workspace, const std::string& run,
                                  const std::vector<std::string>& settings) {
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    TY_ASSIGN(const auto row, query->run(run));
    TY_ASSIGN(const auto before, spec::readRunSpec(run::RunFolder{row.folder}.runFile().string()));
    TY_ASSIGN(const auto text, spec::withOverrides(spec::toJson(before), settings));
    return spec::parseRunSpec(text, "run " + row.name);
}

} // namespace

void RunActions::start(const spec::RunSpec& spec, const run::StartOptions& options) {
    m_starting = spec.scaling.workers;
    Q_EMIT startingChanged();
    inBackground(
        this,
        [workspace = m_workspace, spec, options, signIn = m_signIn]() -> Result<std::string> {
            TY_TRY(signInTo(spec, signIn));
            return run::startRun(workspace, queue::placedNow(workspace, spec), options);
        },
        [this](Result<std::string> run) {
            m_starting = 0;
            if (run) Q_EMIT runStarted(QString::fromStdString(*run));
            else Q_EMIT failed(tr("The run did not start"), run.error());
            Q_EMIT startingChanged();
        });
}

// Through a file of its own, which goes once it is started. `words`: of the command, before the file.
void RunActions::startThere(const QString& host, const QString& what, const std::string& text, QStringList words,
                            const std::function<void(const Result<QByteArray>&)>& started) {
    auto* file = new QTemporaryFile(QDir::tempPath() + QStringLiteral("/XXXXXX.json"), this);
    const QByteArray bytes = QByteArray::fromStdString(text);
    if (!file->open() || file->write(bytes) != bytes.size() || !file->flush()) {
        Q_EMIT failed(what, environmentError(file->errorString().toStdString(), file->fileName().toStdString()));
        return file->deleteLater();
    }
    words << file->fileName() << QStringLiteral("--on") << host << QStringLiteral("--detach");
    const auto ended = [this, file, what, started](const Result<QByteArray>& printed) {
        file->deleteLater();
        started(printed);
        if (!printed) Q_EMIT failed(what, printed.error());
    };
    inBackground(
        this, [signIn = m_signIn, host = host.toStdString()] { return signIn({host}); },
        [this, words, ended](const Result<void>& signedIn) {
            if (signedIn) callAway(this, m_workspace, words, ended);
            else ended(signedIn.error());
        });
}

void RunActions::startOn(const QString& host, const spec::RunSpec& spec, const QString& from) {
    QStringList words{QStringLiteral("run")};
    if (!from.isEmpty()) words << QStringLiteral("--from") << from;
    m_starting = spec.scaling.workers;
    Q_EMIT startingChanged();
    startThere(host, tr("The run did not start"), spec::toJson(spec), words, [this](const Result<QByteArray>& printed) {
        m_starting = 0;
        if (printed) Q_EMIT runStarted(QJsonDocument::fromJson(*printed).object()[QLatin1String("run")].toString());
        Q_EMIT startingChanged();
    });
}

void RunActions::submitToSlurm(const QByteArray& text, const run::SlurmRequest& request) {
    auto* file = new QTemporaryFile(QDir::tempPath() + QStringLiteral("/XXXXXX.json"), this);
    if (!file->open() || file->write(text) != text.size() || !file->flush()) {
        Q_EMIT failed(tr("The job was not submitted"),
                      environmentError(file->errorString().toStdString(), file->fileName().toStdString()));
        return file->deleteLater();
    }
    QStringList words{QStringLiteral("slurm"), QStringLiteral("submit"), file->fileName()};
    for (const auto& option : run::submitOptions(request)) words << QString::fromStdString(option);
    callAway(this, m_workspace, words, [this, file](const Result<QByteArray>& printed) {
        file->deleteLater();
        if (!printed) return Q_EMIT failed(tr("The job was not submitted"), printed.error());
        const QJsonObject job = QJsonDocument::fromJson(*printed).object();
        if (job.contains(QLatin1String("sweep"))) Q_EMIT sweepStarted(job[QLatin1String("sweep")].toString());
        else Q_EMIT runStarted(job[QLatin1String("run")].toString());
    });
}

void RunActions::startSweep(const spec::SweepSpec& spec) {
    inBackground(
        this,
        [workspace = m_workspace, spec, signIn = m_signIn]() -> Result<std::string> {
            TY_ASSIGN(const auto run, spec::parseRunSpec(spec.runJson, spec.name));
            TY_TRY(signInTo(run, signIn));
            return sweep::startSweep(workspace, spec);
        },
        [this](Result<std::string> sweep) {
            if (sweep) Q_EMIT sweepStarted(QString::fromStdString(*sweep));
            else Q_EMIT failed(tr("The sweep did not start"), sweep.error());
        });
}

void RunActions::startSweepOn(const QString& host, const spec::SweepSpec& spec) {
    if (host.isEmpty()) return startSweep(spec);
    startThere(host, tr("The sweep did not start"), spec::toJson(spec), {QStringLiteral("sweep")},
               [this](const Result<QByteArray>& printed) {
                   if (printed)
                       Q_EMIT sweepStarted(
                           QJsonDocument::fromJson(*printed).object()[QLatin1String("sweep")].toString());
               });
}

void RunActions::resume(const QString& run, std::int64_t moreEpochs) {
    resumeWith(run, moreEpochs, {}, [this](const Result<void>& resumed) {
        if (!resumed) Q_EMIT failed(tr("The run could not be resumed"), resumed.error());
    });
}

void RunActions::resumeThere(const QString& run, const QStringList& words,
                             const std::function<void(const Result<void>&)>& then) {
    const auto ended = [then](const Result<QByteArray>& printed) {
        then(printed ? Result<void>() : Result<void>(printed.error()));
    };
    const auto note = run::awayRun(m_workspace, run.toStdString());
    inBackground(
        this, [signIn = m_signIn, host = note ? note->host : std::string()] { return signIn({host}); },
        [this, words, then, ended](const Result<void>& signedIn) {
            if (signedIn) callAway(this, m_workspace, words, ended);
            else then(signedIn);
        });
}

void RunActions::resumeWith(const QString& run, std::int64_t moreEpochs, const std::vector<std::string>& settings,
                            const std::function<void(const Result<void>&)>& then) {
    if (run::awayRun(m_workspace, run.toStdString())) {
        QStringList words{moreEpochs > 0 ? QStringLiteral("continue") : QStringLiteral("resume"), run};
        if (moreEpochs > 0) words << QString::number(moreEpochs);
        for (const auto& each : settings) words << QStringLiteral("--set") << QString::fromStdString(each);
        return resumeThere(run, words << QStringLiteral("--detach"), then);
    }
    inBackground(
        this,
        [workspace = m_workspace, id = run.toStdString(), moreEpochs, settings, signIn = m_signIn]() -> Result<void> {
            // A file that cannot be read is told of by what resumes the run, or made anew.
            const auto spec = resumedSpec(workspace, id, settings);
            if (spec) TY_TRY(signInTo(*spec, signIn));
            run::ResumeChanges changes{moreEpochs, {}, settings};
            return run::resumeRun(workspace, id, changes);
        },
        then);
}

void RunActions::fetch(const QString& what, const QString& name, const QString& host, const QString& told,
                       const std::function<void()>& then) {
    for (const auto* job : findChildren<FetchJob*>())
        if (job->what() == what) return; // it is on its way
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
    const auto start = [this, job](const Result<void>& signedIn) {
        if (signedIn) {
            Q_EMIT jobStarted(job);
            return job->start();
        }
        job->deleteLater();
        Q_EMIT failed(tr("Nothing was fetched"), signedIn.error());
    };
    inBackground(job, [signIn = m_signIn, host = host.toStdString()] { return signIn({host}); }, start);
}

void RunActions::fetch(const QString& run, const QString& name, const QString& host) {
    fetch(run, name, host, tr("Fetched %1 from %2").arg(name, host), {});
}

void RunActions::fetchCheckpoint(const QString& run, const QString& name, qint64 step) {
    const auto note = run::awayRun(m_workspace, run.toStdString());
    fetch(QStringLiteral("%1@%2").arg(run).arg(step), tr("%1, step %2").arg(name).arg(step),
          note ? QString::fromStdString(note->host) : QString(), tr("Fetched step %1 of %2").arg(step).arg(name),
          [this, run] { Q_EMIT checkpointFetched(run); });
}

} // namespace trainyard::ui
