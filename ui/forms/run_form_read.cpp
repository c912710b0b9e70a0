// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the form back, and shows its errors.
#include "engine/spec/run/field_use.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/run/learning_rate.h"
#include "engine/spec/run/task_kind.h"
#include "engine/sweep/judge/judge.h"
#include "ui/forms/advanced_form.h"
#include "ui/forms/fields/field_title.h"
#include "ui/forms/fields/lr_field.h"
#include "ui/forms/fields/weight_rows.h"
#include "ui/forms/run_form.h"
#include "ui/models/actions/refusal_fix.h"
#include "ui/models/text/engine_text.h"
#include "ui/widgets/inputs/path_field.h"
#include "ui/widgets/inputs/segmented_control.h"

#include <QComboBox>
#include <QFileInfo>
#include <QRegularExpression>
#include <QScopeGuard>

#include <algorithm>
#include <set>
#include <utility>

namespace trainyard::ui {

namespace {

constexpr std::size_t kMostJudgedTyping = 64; // configurations validated while the user types

QList<double> ratesOf(const std::vector<spec::Params>& trials, double single) {
    QList<double> learningRates;
    std::set<double> seen;
    for (const auto& trial : trials) {
        const double lr = spec::Choice{"", trial}.number(kLrPath, single);
        if (seen.insert(lr).second) learningRates << lr;
    }
    return learningRates;
}

// The error of one trial of a sweep, not of the fields that all trials share, which report their own.
struct TrialFault {
    std::string path; // path in the run file of the axis it comes from; empty: none
    QString message;
};

std::optional<TrialFault> trialFault(const spec::SweepSpec& sweep, const std::vector<spec::Params>& trials,
                                     const spec::Catalog& catalog) {
    std::set<std::string> shared;
    bool first = true;
    for (const auto& [configuration, params] : spec::judgedConfigurations(sweep, trials, kMostJudgedTyping)) {
        const int number = configuration.value_or(0) * spec::seedsOfEach(sweep);
        auto trial = spec::trialSpec(sweep, params, number, &catalog);
        if (!trial) return TrialFault{{}, QString::fromStdString(trial.error().text())};
        for (const auto& error : spec::validate(*trial, catalog)) {
            const auto varied = std::find_if(params.begin(), params.end(),
                                             [&error](const auto& param) { return overlap(param.first, error.path); });
            if (first && varied == params.end()) shared.insert(error.path);
            if (shared.contains(error.path)) continue;
            const QString title = fieldTitle(QString::fromStdString(error.path), *trial, catalog);
            const QString what = QString::fromStdString(error.value + ' ' + error.message);
            QString message = title + ' ' + what;
            if (configuration) message = RunForm::tr("trial %1: %2 %3").arg(number).arg(title, what);
            if (sweep.space.size() == 1 && error.path == kLrPath) message = what;
            return TrialFault{varied == params.end() ? error.path : varied->first, message};
        }
        first = false;
    }
    return {};
}

QString sentence(const QString& title, const QString& message) {
    return title.isEmpty() ? message : title + QLatin1Char(' ') + message;
}

} // namespace

// The form's title for a path of the run file.
QString RunForm::titleOf(const QString& path) const {
    if (const auto* count = countOf(path)) return count->title();
    if (const auto* field = paramOf(path)) return engineText(field->info().title);
    for (const auto* rows : m_choices)
        if (path == rows->path() + QStringLiteral(".name")) return rows->combo()->accessibleName();
    return path;
}

void RunForm::readCounts(spec::RunSpec& spec, State& state) {
    const auto read = [&state](const CountField& field) {
        const auto number = field.value();
        const QString wrong = number ? QString() : QString::fromStdString(number.error().message);
        field.number()->setError(wrong);
        if (!number) state.errors << field.title() + QStringLiteral(": ") + wrong;
        return number;
    };
    const auto batch = read(*m_batch), accumulate = read(*m_accumulate), length = read(*m_length);
    spec.batch.perRank.reset();
    spec.batch.global.reset();
    (m_batch->unit() == 0 ? spec.batch.perRank : spec.batch.global) = batch.valueOr(1);
    if (accumulate) spec.batch.accumulate = *accumulate;
    spec.epochs.reset();
    spec.steps.reset();
    (m_length->unit() == 0 ? spec.epochs : spec.steps) = length.valueOr(1);
}

RunForm::State RunForm::read() {
    State state;
    spec::RunSpec& spec = state.spec;
    spec = m_base;
    int wrong = 0;
    spec.task = spec::taskWords()[static_cast<std::size_t>(m_task->currentIndex())];
    for (std::size_t which = 0; which < kChoices; ++which) {
        m_choices[which]->clearErrors();
        spec.*kChoiceTable[which].choice = m_choices[which]->choice(&wrong);
    }
    if (wrong > 0) state.errors << tr("%n fields cannot be read", nullptr, wrong);
    readCounts(spec, state);
    spec = m_advanced->applied(spec, &state.errors);
    spec.hosts = m_where->hosts();
    spec.spareHosts = m_where->spares();
    spec::dropUsedSpares(spec);
    readSweep(state);
    m_where->showFields(state.sweeping);
    state.slurm = m_where->slurm();
    state.home = m_where->home();
    spec::RunSpec judged = state.shown;
    showErrors(spec::validate(judged, m_catalog), state);
    m_shown = state.shown;
    m_weights->follow(m_shown, state.sweeping);
    m_advanced->showUsed(
        [&](const std::string& path) { return !spec::whyUnused(path, m_shown.task, m_choices[Model]->entry()); });
    m_fold.update();
    return state;
}

void RunForm::readLr(State& state) {
    m_lr->setError({});
    if (m_lr->sweeping()) { // a sweep's base needs some learning rate: each trial has its own
        state.spec.optimizer.params["lr"] = lrOrDefault();
    } else if (const auto single = m_lr->lr()) {
        state.spec.optimizer.params["lr"] = *single;
    } else {
        state.lrError = QString::fromStdString(single.error().message);
        m_lr->setError(state.lrError);
        state.errors << tr("Learning rate: %1").arg(state.lrError);
    }
}

// `path`: of the sweep file; an axis and its parts are marked at its field.
void RunForm::noteSweep(State& state, const std::string& path, const QString& message) {
    const bool axis = path.starts_with("space.");
    const std::string field = axis ? path.substr(6) : path;
    if (axis && overlap(field, kLrPath)) {
        state.lrError = message;
        state.endsAreSwapped = m_axes->editorOf(kLrPath) && m_axes->editorOf(kLrPath)->endsAreSwapped();
        m_lr->setError(message);
    }
    if (!axis || !m_axes->setTrialFault(field, message)) m_sweep->setError(QString::fromStdString(path), message);
}

void RunForm::readSweep(State& state) {
    readLr(state);
    state.shown = state.spec;
    state.learningRates = {state.spec.optimizer.number("lr", 0)};
    state.sweeping = m_axes->any();
    m_axes->clearTrialFaults();
    m_sweep->clearErrors();
    m_sweep->setVisible(state.sweeping);
    if (!state.sweeping) return;
    QList<AxisEditors::Wrong> wrong;
    auto space = m_axes->space(wrong);
    for (const auto& [path, message] : wrong) {
        const QString title = fieldTitle(QString::fromStdString(path), state.spec, m_catalog);
        if (path == kLrPath) noteSweep(state, "space." + path, message);
        state.errors << tr("%1: %2").arg(title, message);
    }
    if (!wrong.isEmpty()) return;
    std::vector<spec::FieldError> errors;
    spec::SweepSpec sweep = m_sweep->sweepOf(baseOfTrials(state.spec), std::move(space), errors);
    m_sweep->show(sweep, errors.empty());
    const auto before = state.errors.size();
    for (const auto& error : errors) {
        if (error.path.starts_with("run") || error.path.starts_with("space")) continue; // checked with the trials
        refuseSweep(state, error.path, error.message, error.remedy);
    }
    if (state.errors.size() == before) readTrials(sweep, state);
}

// An engine error in the words of the form.
void RunForm::refuseSweep(State& state, const std::string& path, const std::string& message,
                          const std::string& remedy) {
    const QString field = QString::fromStdString(path);
    const QString words = QString::fromStdString(remedy.empty() ? message : message + "; " + remedy);
    noteSweep(state, path, words);
    const QString title =
        path.starts_with("space.") ? fieldTitle(field.mid(6), state.spec, m_catalog) : m_sweep->titleOf(field);
    state.errors << tr("Sweep: %1").arg(sentence(title, words));
}

void RunForm::readTrials(spec::SweepSpec& sweep, State& state) {
    const auto trials = spec::foreseenConfigurations(sweep);
    const auto checked = trials ? sweep::checkedSweep(sweep) : Result<spec::SweepSpec>(trials.error());
    if (!checked) return refuseSweep(state, checked.error().where, checked.error().message, checked.error().remedy);
    state.trials = spec::countTrials(sweep).valueOr(0);
    if (auto first = spec::trialSpec(sweep, trials->front(), 0, &m_catalog)) state.shown = *first;
    bool drawn = false;
    for (const auto& axis : sweep.space) {
        const QString path = QString::fromStdString(axis.path);
        state.titles.insert(path, fieldTitle(path, state.spec, m_catalog));
        drawn = drawn || (axis.path == kLrPath && !axis.isListed());
    }
    const bool onlyLr = sweep.space.size() == 1 && sweep.space.front().path == kLrPath;
    state.learningRates = ratesOf(*trials, state.learningRates.front());
    m_lr->setCount(drawn ? 0 : state.learningRates.size(), onlyLr && sweep.seeds == 1);
    const auto fault = trialFault(sweep, *trials, m_catalog);
    if (!fault) {
        state.sweep = std::move(sweep);
        return;
    }
    noteSweep(state, fault->path.empty() ? std::string() : "space." + fault->path, fault->message);
    state.errors << (onlyLr ? tr("Learning rate: %1") : tr("Sweep: %1")).arg(fault->message);
}

// If a sweep varies the model or optimizer itself, defaults that the form filled in for one must not carry over to
// another.
spec::RunSpec RunForm::baseOfTrials(const spec::RunSpec& spec) const {
    spec::RunSpec base = spec;
    for (std::size_t which = 0; which < kChoices; ++which) {
        const auto& [path, choice, entries, isOfTask] = kChoiceTable[which];
        const auto* entry = m_choices[which]->entry();
        if (!entry || !m_axes->varies(std::string(path) + ".name")) continue;
        auto& params = (base.*choice).params;
        for (const auto& info : entry->params) {
            const auto at = params.find(info.name);
            if (at != params.end() && !(m_base.*choice).params.contains(info.name) &&
                spec::toText(at->second) == spec::toText(info.defaultValue))
                params.erase(at);
        }
    }
    return base;
}

// Marks the field of a path of the run file; false: this form has no such field.
bool RunForm::showAt(const QString& path, const QString& message) {
    bool placed = false;
    for (auto* rows : m_choices) placed = rows->setError(path, message) || placed;
    return m_advanced->setError(path, message) || placed;
}

// The path of the field with the file or folder of an error; empty: none.
QString RunForm::pathFieldOf(const QString& where) const {
    for (const auto* rows : {m_choices[Dataset], m_choices[Model]}) {
        const auto* entry = rows->entry();
        if (!entry) continue;
        for (const auto& info : entry->params) {
            const QString path = rows->path() + QStringLiteral(".params.") + QString::fromStdString(info.name);
            const auto* field = rows->field(path);
            const QString held = field && field->pathField() ? field->pathField()->path() : QString();
            if (!held.isEmpty() && where.startsWith(QFileInfo(held).absoluteFilePath())) return path;
        }
    }
    return {};
}

QString RunForm::inWords(QString text) const {
    static const QRegularExpression typed(
        QStringLiteral("--set ([A-Za-z.]+)=([^\\s;)]+)( (?=--set ))?")); // several in a row
    for (auto found = typed.match(text); found.hasMatch(); found = typed.match(text))
        text.replace(found.capturedStart(), found.capturedLength(),
                     tr("set %1 to %2").arg(found.captured(1), found.captured(2)) +
                         (found.capturedLength(3) > 0 ? QStringLiteral(", ") : QString()));
    static const QRegularExpression paths(QStringLiteral("\\b[a-z][A-Za-z]*(\\.[a-z][A-Za-z0-9]*)+\\b"));
    qsizetype at = 0;
    for (auto found = paths.match(text); found.hasMatch(); found = paths.match(text, at)) {
        const QString title = fieldTitle(found.captured(), m_shown, m_catalog);
        at = found.capturedEnd();
        if (title == found.captured()) continue;
        const QString named = QStringLiteral("“%1”").arg(title);
        text.replace(found.capturedStart(), found.capturedLength(), named);
        at = found.capturedStart() + named.size();
    }
    return text;
}

// Buttons below the error of the field at `path`.
QList<FieldFix> RunForm::fieldFixes(const QString& path, const Error& error, std::int64_t samples) {
    QList<FieldFix> offered;
    for (const RefusalFix& fix : fixesOf(error, m_shown, m_choices[Dataset]->entry(), samples)) {
        const auto act = [this, path, apply = fix.apply] {
            if (apply) {
                spec::RunSpec spec = read().spec;
                apply(spec);
                change(spec);
                Q_EMIT changed();
            } else {
                Q_EMIT checkRequested();
            }
            if (auto* now = widgetOf(path)) now->setFocus(); // the button disappears with the error
        };
        offered << FieldFix{fix.label, act};
    }
    return offered;
}

QString RunForm::showRefusal(const Error& error, std::int64_t samples) {
    const QString where = QString::fromStdString(error.where);
    QString message = QString::fromStdString(error.message);
    if (!error.remedy.empty()) message += QStringLiteral("; ") + QString::fromStdString(error.remedy);
    message = inWords(message);
    const auto shown = qScopeGuard([this] { m_fold.update(); }); // a field in error is not hidden
    if (const auto* count = countOf(where)) {
        count->number()->setError(message);
        count->number()->setFixes(fieldFixes(where, error, samples));
        return tr("%1: %2").arg(count->title(), message);
    }
    if (showAt(where, message)) return tr("%1: %2").arg(titleOf(where), message);
    const QString whole = where.isEmpty() ? message : where + QStringLiteral(": ") + message;
    if (const QString path = pathFieldOf(where); !path.isEmpty() && showAt(path, whole)) {
        paramOf(path)->setFixes(fieldFixes(path, error, samples)); // for the content of a file or folder
        return tr("%1: %2").arg(titleOf(path), whole);
    }
    const QString title = fieldTitle(where, m_shown, m_catalog);
    return title == where ? whole : tr("%1: %2").arg(title, message);
}

void RunForm::showErrors(const std::vector<spec::FieldError>& errors, State& state) {
    for (const auto& error : errors) {
        const QString path = QString::fromStdString(error.path);
        const QString message = QString::fromStdString(error.message);
        const QString full =
            error.remedy.empty() ? message : message + QStringLiteral("; ") + QString::fromStdString(error.remedy);
        if (path == QLatin1String("optimizer.lr")) {
            if (!m_lr->sweeping() && state.lrError.isEmpty()) {
                m_lr->setError(message);
                state.lrError = message;
                state.errors << tr("Learning rate %1").arg(message);
            }
            continue;
        }
        if (m_axes->touches(error.path)) continue; // reported with the sweep
        if (const auto* count = countOf(path)) {
            if (!count->number()->error().isEmpty()) continue;
            count->number()->setError(full);
            state.errors << sentence(count->title(), message);
        } else if (showAt(path, full)) {
            state.errors << sentence(titleOf(path), message);
        } else {
            state.errors << sentence(path, full);
            state.unplaced << state.errors.back();
        }
    }
}

} // namespace trainyard::ui
