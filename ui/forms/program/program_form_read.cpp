// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the form of a program back, and shows its errors.
#include "engine/program/line/word_split.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/sweep/judge/judge.h"
#include "ui/forms/advanced_form.h"
#include "ui/forms/fields/field_title.h"
#include "ui/forms/fields/where_fields.h"
#include "ui/forms/program/command_edit.h"
#include "ui/forms/program/program_fields.h"
#include "ui/forms/program/program_form.h"
#include "ui/models/text/engine_text.h"
#include "ui/widgets/inputs/path_field.h"

#include <QFileInfo>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr QLatin1String kArgument("program.arguments.");

QString fullText(const std::string& message, const std::string& remedy) {
    return QString::fromStdString(remedy.empty() ? message : message + "; " + remedy);
}

} // namespace

spec::Program ProgramForm::programOf(State& state) {
    spec::Program program = *m_base.program;
    const QString typed = m_script->path();
    program.script.clear();
    program.module.clear();
    if (isCommand()) {
        const auto words = program::splitWords(m_words->text().toStdString());
        if (words) program.command = *words;
        else refuse(state, QStringLiteral("program.command"), QString::fromStdString(words.error().text()));
    } else if (typed.startsWith(QLatin1String("-m "))) {
        program.module = typed.mid(3).trimmed().toStdString();
    } else {
        program.script = typed.toStdString();
        const QFileInfo file(typed);
        if (!typed.isEmpty() && !file.exists())
            refuse(state, QStringLiteral("program.script"), tr("there is no such file"));
        else if (file.isDir())
            refuse(state, QStringLiteral("program.script"), tr("is a folder; choose the script in it"));
        else if (!m_known.own.empty()) {
            program.command = m_known.own;
            for (const auto& word : words()) program.command.push_back(word);
            program.script.clear();
        }
    }
    program.interpreter = m_interpreter->text().trimmed().toStdString();
    program.folder = m_folder->path().toStdString();
    if (!program.folder.empty() && !QFileInfo(m_folder->path()).isDir())
        refuse(state, QStringLiteral("program.folder"), tr("there is no such folder"));
    m_fields->apply(program, state.errors);
    return program;
}

void ProgramForm::readProgram(State& state) {
    for (auto* field : {static_cast<UnitField*>(m_script), static_cast<UnitField*>(m_folder), m_interpreter, m_words})
        field->setError({});
    m_arguments->clearErrors();
    spec::Program program = programOf(state);
    QList<ArgumentFault> faults;
    if (program.command.empty()) m_arguments->apply(program, faults);
    for (const auto& missing : m_arguments->missing())
        if (!m_axes->varies(std::string(kArgument.latin1()) + missing.name)) faults << missing;
    for (const auto& [name, title, message] : std::as_const(faults)) {
        m_arguments->setError(name, message);
        state.errors << tr("%1: %2").arg(title, message);
    }
    if (!m_arguments->more()->error().isEmpty())
        state.errors << tr("More arguments: %1").arg(m_arguments->more()->error());
    if (!m_command->error().isEmpty()) state.errors << tr("Command line: %1").arg(m_command->error());
    state.spec.program = std::move(program);
}

SettingsForm::State ProgramForm::read() {
    State state;
    state.spec = m_base;
    readProgram(state);
    offerSeries(*state.spec.program);
    state.spec = m_advanced->applied(state.spec, &state.errors);
    state.spec.hosts = m_where->hosts();
    state.spec.spareHosts = m_where->spares();
    spec::dropUsedSpares(state.spec);
    readSweep(state);
    m_where->showFields(state.sweeping);
    state.slurm = m_where->slurm();
    state.home = m_where->home();
    showErrors(spec::validateFields(state.shown), state);
    m_fold.update();
    return state;
}

// The values of choices are words; those of numbers are typed, as the script has them.
void ProgramForm::typeAxes(std::vector<spec::Axis>& space) const {
    for (auto& axis : space) {
        if (!axis.path.starts_with(std::string(kArgument.latin1()))) continue;
        const auto* shape = m_arguments->shape(axis.path.substr(static_cast<std::size_t>(kArgument.size())));
        if (!shape) continue;
        for (auto& value : axis.values) {
            const auto* word = std::get_if<std::string>(&value);
            const auto typed = word ? valueOfGiven(*shape, std::vector<std::string>{*word})
                                    : Result<spec::ArgumentValue>(inputError("typed"));
            if (typed) value = axisValue(*typed);
        }
    }
}

void ProgramForm::readSweep(State& state) {
    state.shown = state.spec;
    state.sweeping = m_axes->any();
    m_axes->clearTrialFaults();
    m_sweep->clearErrors();
    m_sweep->setVisible(state.sweeping);
    if (!state.sweeping) return;
    QList<AxisEditors::Wrong> wrong;
    auto space = m_axes->space(wrong);
    for (const auto& [path, message] : wrong)
        state.errors << tr("%1: %2").arg(titleOf(QString::fromStdString(path)), message);
    if (m_arguments->keepsWords()) {
        const QString why = tr("a word without a flag; arguments can only vary by name");
        m_arguments->setError({}, why);
        state.errors << tr("More arguments: %1").arg(why);
    }
    if (!state.errors.isEmpty()) return;
    typeAxes(space);
    std::vector<spec::FieldError> errors;
    spec::SweepSpec sweep = m_sweep->sweepOf(state.spec, std::move(space), errors);
    m_sweep->show(sweep, errors.empty());
    const auto note = [this, &state](const std::string& path, const QString& message) {
        const bool isAxis = path.starts_with("space.");
        if (!isAxis || !m_axes->setTrialFault(path.substr(6), message))
            m_sweep->setError(QString::fromStdString(path), message);
        const QString title =
            isAxis ? titleOf(QString::fromStdString(path.substr(6))) : m_sweep->titleOf(QString::fromStdString(path));
        state.errors << tr("Sweep: %1").arg(title.isEmpty() ? message : title + QLatin1Char(' ') + message);
    };
    if (sweep.scoreBy.empty() && errors.empty())
        note("scoreBy", tr("by which series are its trials compared? Name one that the program reports"));
    for (const auto& error : errors)
        if (!error.path.starts_with("run") && !error.path.starts_with("space"))
            note(error.path, fullText(error.message, error.remedy));
    if (!state.errors.isEmpty()) return;
    const auto trials = spec::foreseenConfigurations(sweep);
    const auto checked = trials ? sweep::checkedSweep(sweep) : Result<spec::SweepSpec>(trials.error());
    if (!checked) return note(checked.error().where, fullText(checked.error().message, checked.error().remedy));
    const auto first = spec::trialSpec(sweep, trials->front(), 0);
    if (!first) return note(first.error().where, fullText(first.error().message, first.error().remedy));
    state.shown = *first;
    state.trials = spec::countTrials(sweep).valueOr(0);
    for (const auto& axis : sweep.space) {
        const QString path = QString::fromStdString(axis.path);
        state.titles.insert(path, titleOf(path));
    }
    state.sweep = std::move(sweep);
}

QString ProgramForm::titleOf(const QString& path) const {
    if (const QString own = m_fields->titleOf(path); !own.isEmpty()) return own;
    if (path.startsWith(kArgument))
        if (const auto* shape = m_arguments->shape(path.mid(kArgument.size()).toStdString()))
            return QString::fromStdString(shape->info.title);
    return fieldTitle(path, m_base, {});
}

bool ProgramForm::showAt(const QString& path, const QString& message) {
    UnitField* field = path == QLatin1String("program") || path == QLatin1String("program.script") ||
                               path == QLatin1String("program.module")
                           ? (!isCommand() ? m_script : m_words)
                       : path.startsWith(QLatin1String("program.command"))     ? m_words
                       : path.startsWith(QLatin1String("program.interpreter")) ? m_interpreter
                       : path.startsWith(QLatin1String("program.folder"))      ? m_folder
                                                                               : nullptr;
    if (field) {
        if (field->error().isEmpty()) field->setError(message);
        return true;
    }
    if (path.startsWith(kArgument)) {
        m_arguments->setError(path.mid(kArgument.size()).toStdString(), message);
        return true;
    }
    return m_fields->setError(path, message) || m_advanced->setError(path, message);
}

void ProgramForm::refuse(State& state, const QString& path, const QString& message) {
    const bool placed = showAt(path, message);
    state.errors << tr("%1: %2").arg(titleOf(path), message);
    if (!placed) state.unplaced << state.errors.back();
}

void ProgramForm::showErrors(const std::vector<spec::FieldError>& errors, State& state) {
    for (const auto& error : errors) {
        if (m_axes->touches(error.path)) continue; // reported with the sweep
        // Said in the words of this form, which has a field for each of the three.
        if (error.path == "program") refuse(state, QStringLiteral("program"), tr("choose a script"));
        else refuse(state, QString::fromStdString(error.path), fullText(error.message, error.remedy));
    }
}

} // namespace trainyard::ui
