// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/home/run_home.h"

#include "engine/queue/placement.h"
#include "engine/run/attach/run_control.h"
#include "engine/run/record/checkpoint_book.h"
#include "engine/run/record/home_notes.h"
#include "engine/run/record/run_folder.h"
#include "engine/run/supervise/hosts/host_pool.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/spec/values/params.h"
#include "engine/store/run_query.h"
#include "engine/sweep/control/steer_sweep.h"
#include "engine/sweep/control/sweep_control.h"
#include "ui/models/desktop/background.h"
#include "ui/models/home/terminal_call.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QTemporaryFile>

namespace trainyard::ui {

namespace {

Result<void> signInTo(const spec::RunSpec& spec, const SignIn& signIn) {
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

constexpr const char* kRehearsalSeconds = "120";

// Also for ranks of a run on this computer: the terminal program reaches every host.
std::vector<std::string> rehearsalWords(const std::string& run, int rank) {
    return {"rehearse", run, "--rank", std::to_string(rank), "--seconds", kRehearsalSeconds};
}

run::Rehearsal rehearsalFrom(const QJsonObject& printed) {
    const auto seconds = [&](const char* key) { return printed[QLatin1String(key)].toDouble(); };
    return {.rank = printed[QLatin1String("rank")].toInt(),
            .host = printed[QLatin1String("host")].toString().toStdString(),
            .step = printed[QLatin1String("step")].toInteger(),
            .secondsToNotice = seconds("seconds_to_notice"),
            .secondsToRegroup = seconds("seconds_to_regroup"),
            .secondsToNextStep = seconds("seconds_to_next_step"),
            .stepsLost = printed[QLatin1String("steps_lost")].toInteger()};
}

// Runs a command to its end and reads the object that it prints.
void readTerminal(const Home::Means& means, const std::vector<std::string>& words, Home::Then<QJsonObject> then) {
    QStringList given;
    for (const auto& word : words) given << QString::fromStdString(word);
    callTerminal(means.owner, means.workspace, given, [then](const Result<QByteArray>& printed) {
        if (printed) then(QJsonDocument::fromJson(*printed).object());
        else then(printed.error());
    });
}

Home::Then<QJsonObject> thenRehearsal(Home::Then<run::Rehearsal> then) {
    return [then = std::move(then)](const Result<QJsonObject>& printed) {
        if (printed) then(rehearsalFrom(*printed));
        else then(printed.error());
    };
}

// This computer: the engine does it.
class Here final : public Home {
public:
    using Home::Home;

    void start(const spec::RunSpec& spec, const run::StartOptions& options, Then<std::string> then) const override {
        const auto work = [means = m_means, spec, options]() -> Result<std::string> {
            TY_TRY(signInTo(spec, means.signIn));
            return run::startRun(means.workspace, queue::placedNow(means.workspace, spec), options);
        };
        inBackground(m_means.owner, work, then);
    }
    void startSweep(const spec::SweepSpec& spec, Then<std::string> then) const override {
        const auto work = [means = m_means, spec]() -> Result<std::string> {
            TY_ASSIGN(const auto run, spec::parseRunSpec(spec.runJson, spec.name));
            TY_TRY(signInTo(run, means.signIn));
            return sweep::startSweep(means.workspace, spec);
        };
        inBackground(m_means.owner, work, then);
    }
    void stop(const std::string& run, wire::StopMode mode, Then<void> then) const override {
        const auto work = [in = m_means.workspace, run, mode] { return run::stopRun(in, run, mode); };
        inBackground(m_means.owner, work, then);
    }
    void stopSweep(const std::string& sweep, wire::StopMode mode, Then<void> then) const override {
        const auto work = [in = m_means.workspace, sweep, mode] { return sweep::stopSweep(in, sweep, mode); };
        inBackground(m_means.owner, work, then);
    }
    void steer(const std::string& sweep, const sweep::Steering& asked, Then<void> then) const override {
        const auto work = [in = m_means.workspace, sweep, asked]() -> Result<void> {
            TY_TRY(sweep::steerSweep(in, sweep, asked));
            return {};
        };
        inBackground(m_means.owner, work, then);
    }
    void command(const std::string& run, wire::CommandKind kind, double value,
                 Then<wire::CommandDone> then) const override {
        const auto work = [in = m_means.workspace, run, kind, value] { return run::commandRun(in, run, kind, value); };
        inBackground(m_means.owner, work, then);
    }
    void rehearse(const std::string& run, int rank, Then<run::Rehearsal> then) const override {
        const auto signIn = [means = m_means, run]() -> Result<void> {
            TY_ASSIGN(const auto spec, resumedSpec(means.workspace, run, {}));
            return signInTo(spec, means.signIn);
        };
        inBackground(m_means.owner, signIn, [means = m_means, run, rank, then](const Result<void>& signedIn) {
            if (signedIn) readTerminal(means, rehearsalWords(run, rank), thenRehearsal(then));
            else then(signedIn.error());
        });
    }
    void resume(const std::string& run, const run::ResumeChanges& changes, Then<void> then) const override {
        const auto work = [means = m_means, run, changes]() -> Result<void> {
            // An unreadable file is reported when the run resumes, or replaced.
            const auto spec = resumedSpec(means.workspace, run, changes.settings);
            if (spec) TY_TRY(signInTo(*spec, means.signIn));
            return run::resumeRun(means.workspace, run, changes);
        };
        inBackground(m_means.owner, work, then);
    }
    void edit(const std::vector<run::RunEdit>& edits, Then<std::vector<run::RunEdit>> then) const override {
        const auto work = [in = m_means.workspace, edits] { return run::editRuns(in, edits); };
        inBackground(m_means.owner, work, then);
    }
    void signIn(Then<void> then) const override { then({}); }
    store::Workspace record() const override { return m_means.workspace; }
};

// The edit that undoes this one, from the mirror's copy of the run.
std::vector<run::RunEdit> editBack(const store::Workspace& mirror, const run::RunEdit& edit) {
    const auto query = store::RunQuery::open(mirror);
    if (!query) return {};
    const auto row = (*query)->run(edit.run);
    if (!row) return {};
    run::RunEdit back{.run = edit.run};
    if (edit.tags) back.tags = row->tags;
    if (edit.notes) back.notes = row->notes;
    if (edit.color) back.color = row->color;
    if (edit.archived) back.archived = !*edit.archived;
    return {back};
}

using Words = std::vector<std::string>;

Words wordsOf(const std::string& run, wire::CommandKind kind, double value) {
    switch (kind) {
    case wire::CommandKind::Pause: return {"pause", run};
    case wire::CommandKind::Unpause: return {"unpause", run};
    case wire::CommandKind::Checkpoint: return {"checkpoint", run};
    case wire::CommandKind::SetLearningRate:
        return {"set-lr", run, QString::number(value, 'g', QLocale::FloatingPointShortest).toStdString()};
    case wire::CommandKind::Stacks: return {"stacks", run};
    case wire::CommandKind::Resize: return {"set-workers", run, QString::number(value, 'f', 0).toStdString()};
    }
    return {};
}

Words wordsOf(const std::string& sweep, const sweep::Steering& asked) {
    using Verb = sweep::Steering::Verb;
    Words words{"sweep", sweep::toString(asked.verb), sweep};
    if (sweep::isOfTrial(asked.verb)) words.push_back(std::to_string(asked.trial));
    if (asked.verb == Verb::Add) words.push_back(std::to_string(asked.count));
    if (asked.verb == Verb::Restrict) words.push_back(spec::toText(asked.restriction));
    if (asked.parallel) words.push_back("parallel=" + std::to_string(*asked.parallel));
    if (asked.trials) words.push_back("trials=" + std::to_string(*asked.trials));
    for (const auto& [path, value] : asked.params)
        words.insert(words.end(), {"--set", path + "=" + spec::toText(value)});
    return words;
}

// The name of a run that lives elsewhere cannot be edited.
Words wordsOf(const run::RunEdit& edit) {
    if (edit.tags) return {"tag", edit.run, *edit.tags};
    if (edit.notes) return {"notes", edit.run, *edit.notes};
    if (edit.color) return {"color", edit.run, edit.color->empty() ? "auto" : *edit.color};
    if (edit.archived) return {*edit.archived ? "archive" : "restore", edit.run};
    return {};
}

// Another computer: each verb is a trainyardctl command.
class Elsewhere : public Home {
public:
    using Home::Home;

    void start(const spec::RunSpec& spec, const run::StartOptions& options, Then<std::string> then) const override {
        Words command{"run"};
        if (!options.resumeFrom.empty()) {
            const auto file = std::filesystem::path(options.resumeFrom).filename().string();
            command.insert(command.end(),
                           {"--from", options.forkedFrom + "@" + std::to_string(run::checkpointStep(file))});
        }
        startFile(spec::toJson(spec), command, then);
    }
    void startSweep(const spec::SweepSpec& spec, Then<std::string> then) const override {
        startFile(spec::toJson(spec), {"sweep"}, then);
    }
    void stop(const std::string& run, wire::StopMode mode, Then<void> then) const override {
        Words words{mode == wire::StopMode::Kill ? "kill" : "stop", run};
        if (mode == wire::StopMode::StopNow) words.emplace_back("--now");
        call(words, then);
    }
    void stopSweep(const std::string& sweep, wire::StopMode mode, Then<void> then) const override {
        stop(sweep, mode, then);
    }
    void steer(const std::string& sweep, const sweep::Steering& asked, Then<void> then) const override {
        call(wordsOf(sweep, asked), then);
    }
    void command(const std::string& run, wire::CommandKind kind, double value,
                 Then<wire::CommandDone> then) const override {
        read(wordsOf(run, kind, value), [kind, value, then](const Result<QJsonObject>& printed) {
            if (!printed) return then(printed.error());
            wire::CommandDone done;
            done.kind = kind;
            done.value = value;
            done.step = (*printed)[QLatin1String("step")].toInteger();
            then(done);
        });
    }
    void rehearse(const std::string& run, int rank, Then<run::Rehearsal> then) const override {
        signIn([this, self = shared_from_this(), run, rank, then](const Result<void>& signedIn) {
            if (signedIn) read(rehearsalWords(run, rank), thenRehearsal(then));
            else then(signedIn.error());
        });
    }
    void resume(const std::string& run, const run::ResumeChanges& changes, Then<void> then) const override {
        Words words{"resume", run};
        if (changes.moreEpochs > 0) words = {"continue", run, std::to_string(changes.moreEpochs)};
        for (const auto& each : changes.settings) words.insert(words.end(), {"--set", each});
        words.emplace_back("--detach");
        signIn([this, self = shared_from_this(), words, then](const Result<void>& signedIn) {
            if (signedIn) call(words, then);
            else then(signedIn);
        });
    }
    void edit(const std::vector<run::RunEdit>& edits, Then<std::vector<run::RunEdit>> then) const override {
        for (const auto& each : edits)
            call(wordsOf(each), [back = editBack(record(), each), then](const Result<void>& done) {
                if (done) then(back);
                else then(done.error());
            });
    }
    store::Workspace record() const override { return run::mirrorWorkspace(m_means.workspace); }

private:
    // The command that starts a file.
    virtual Words startWords(const Words& command, const std::string& file) const = 0;

    void read(const Words& words, Then<QJsonObject> then) const { readTerminal(m_means, words, std::move(then)); }
    void call(const Words& words, Then<void> then) const {
        read(words, [then](const Result<QJsonObject>& printed) {
            then(printed ? Result<void>() : Result<void>(printed.error()));
        });
    }
    // Starts from a temporary file, deleted after the start; `command` is also the key of the id in the answer.
    void startFile(const std::string& text, const Words& command, Then<std::string> then) const {
        auto* file = new QTemporaryFile(QDir::tempPath() + QStringLiteral("/XXXXXX.json"), m_means.owner);
        const auto ended = [file, key = QString::fromStdString(command.front()),
                            then](const Result<QJsonObject>& printed) {
            file->deleteLater();
            if (printed) then((*printed)[key].toString().toStdString());
            else then(printed.error());
        };
        const QByteArray bytes = QByteArray::fromStdString(text);
        if (!file->open() || file->write(bytes) != bytes.size() || !file->flush())
            return ended(environmentError(file->errorString().toStdString(), file->fileName().toStdString()));
        signIn([this, self = shared_from_this(), words = startWords(command, file->fileName().toStdString()),
                ended](const Result<void>& signedIn) {
            if (signedIn) read(words, ended);
            else ended(signedIn.error());
        });
    }
};

class OnHost final : public Elsewhere {
public:
    OnHost(Means means, std::string host) : Elsewhere(std::move(means)), m_host(std::move(host)) {}
    void signIn(Then<void> then) const override {
        inBackground(m_means.owner, [signIn = m_means.signIn, host = m_host] { return signIn({host}); }, then);
    }

private:
    Words startWords(const Words& command, const std::string& file) const override {
        Words words = command;
        words.insert(words.end(), {file, "--on", m_host, "--detach"});
        return words;
    }

    std::string m_host;
};

class InJob final : public Elsewhere {
public:
    InJob(Means means, run::SlurmRequest request) : Elsewhere(std::move(means)), m_request(std::move(request)) {}
    void signIn(Then<void> then) const override { then({}); } // its files are on the file system of this computer

private:
    Words startWords(const Words&, const std::string& file) const override {
        Words words{"slurm", "submit", file};
        for (const auto& option : run::submitOptions(m_request)) words.push_back(option);
        return words;
    }

    run::SlurmRequest m_request; // for a job to submit
};

} // namespace

HomePtr homeInJob(Home::Means means, const run::SlurmRequest& request) {
    return std::make_shared<InJob>(std::move(means), request);
}

HomePtr homeNamed(Home::Means means, const std::string& host) {
    if (host.empty()) return std::make_shared<Here>(std::move(means));
    if (host == spec::kSlurmHost) return homeInJob(std::move(means), {});
    return std::make_shared<OnHost>(std::move(means), host);
}

HomePtr homeOf(Home::Means means, const std::string& id) {
    const auto note = run::homeNote(means.workspace, id);
    return homeNamed(std::move(means), note ? note->host : std::string());
}

} // namespace trainyard::ui
