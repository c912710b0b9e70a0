// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the form back, and showing what is wrong with it.
#include "engine/spec/learning_rate.h"
#include "ui/forms/advanced_form.h"
#include "ui/forms/field_title.h"
#include "ui/forms/lr_field.h"
#include "ui/forms/run_form.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/unit_field.h"

#include <QComboBox>

#include <algorithm>
#include <set>
#include <utility>

namespace trainyard::ui {

namespace {

// Trials that are judged while a person types, from the first to the last; all are when the sweep begins.
constexpr std::size_t kJudged = 64;

QList<double> ratesOf(const std::vector<spec::Params>& trials, double single) {
    QList<double> learningRates;
    std::set<double> seen;
    for (const auto& trial : trials) {
        const double lr = spec::Choice{"", trial}.number(kLrPath, single);
        if (seen.insert(lr).second) learningRates << lr;
    }
    return learningRates;
}

QString sentence(const QString& title, const QString& message) {
    return title.isEmpty() ? message : title + QLatin1Char(' ') + message;
}

// The form's field for a path of the run file: both counts of a batch share one field, and so do both lengths.
QString fieldPath(const QString& path) {
    if (path == QLatin1String("batch.perRank") || path == QLatin1String("batch.global")) return QStringLiteral("batch");
    if (path == QLatin1String("steps")) return QStringLiteral("epochs");
    return path;
}

} // namespace

void RunForm::note(State& state, const QString& path, const QString& message) {
    const QString title = m_titles.value(fieldPath(path), path);
    state.errors << sentence(title, message);
}

void RunForm::readNumbers(spec::RunSpec& spec, State& state) {
    for (auto* field : m_numbers) field->setError({});
    const auto whole = [&](const char* path, auto& into) {
        auto* field = m_numbers[QLatin1String(path)];
        auto number = readInteger(field->text());
        if (!number) {
            const QString message = QString::fromStdString(number.error().message);
            field->setError(message);
            state.errors << m_titles.value(QLatin1String(path)) + QStringLiteral(": ") + message;
            return;
        }
        using Number = std::remove_reference_t<decltype(into)>;
        if constexpr (std::is_same_v<Number, int>) {
            into = static_cast<int>(
                std::clamp<std::int64_t>(*number, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
        } else {
            into = *number;
        }
    };
    std::int64_t batch = 1;
    whole("batch", batch);
    spec.batch.perRank.reset();
    spec.batch.global.reset();
    (m_batchKind->currentIndex() == 0 ? spec.batch.perRank : spec.batch.global) = batch;
    whole("batch.accumulate", spec.batch.accumulate);
    std::int64_t length = 1;
    whole("epochs", length);
    spec.epochs.reset();
    spec.steps.reset();
    (m_lengthKind->currentIndex() == 0 ? spec.epochs : spec.steps) = length;
    whole("seed", spec.seed);
    whole("scaling.workers", spec.scaling.workers);
}

RunForm::State RunForm::read() {
    State state;
    spec::RunSpec& spec = state.spec;
    spec = m_base;
    int wrong = 0;
    for (auto* rows : {m_data, m_model, m_optimizer, m_schedule, m_loss}) rows->clearErrors();
    spec.task = taskWord();
    spec.dataset = m_data->choice(&wrong);
    spec.model = m_model->choice(&wrong);
    spec.optimizer = m_optimizer->choice(&wrong);
    spec.schedule = m_schedule->choice(&wrong);
    spec.loss = m_loss->choice(&wrong);
    if (wrong > 0) state.errors << tr("%n fields cannot be read", nullptr, wrong);
    readNumbers(spec, state);
    spec.scaling.device = m_device->currentText().toStdString();
    spec.precision = m_precision->items().value(m_precision->currentIndex()).toStdString();
    const auto before = state.errors.size();
    spec = m_advanced->applied(spec, &state.errors);
    if (state.errors.size() > before) m_advanced->setOpen(true); // a mistake must not hide
    spec.hosts.clear();
    for (const QString& host : m_host->currentData().toStringList()) spec.hosts.push_back(host.toStdString());
    readSweep(state);
    spec::RunSpec judged = state.shown;
    showErrors(spec::validate(judged, m_catalog), state);
    return state;
}

void RunForm::readLr(State& state, LrAxis& lr) {
    m_lr->setError({});
    std::string wrong;
    if (m_lr->sweeping()) {
        // A sweep's base needs some learning rate: each trial has its own.
        state.spec.optimizer.params["lr"] =
            m_lr->lr().valueOr(spec::defaultLearningRate(m_optimizer->entry()).value_or(spec::kMaxLearningRate));
        if (auto axis = m_lr->axis()) lr = *axis;
        else wrong = axis.error().message;
    } else if (auto single = m_lr->lr()) {
        state.spec.optimizer.params["lr"] = *single;
    } else {
        wrong = single.error().message;
    }
    if (!wrong.empty()) noteLr(state, QString::fromStdString(wrong));
}

void RunForm::noteLr(State& state, const QString& message) {
    state.lrError = message;
    state.endsAreSwapped = m_lr->sweeping() && m_lr->endsAreSwapped();
    m_lr->setError(message);
    state.errors << tr("Learning rate: %1").arg(message);
}

// The widget of a path of the run file; null when it has none.
QWidget* RunForm::fieldOf(const QString& path) const {
    if (auto* number = m_numbers.value(fieldPath(path))) return number;
    for (auto* rows : {m_data, m_model, m_optimizer, m_schedule, m_loss}) {
        if (path == rows->path() || path == rows->path() + QStringLiteral(".name")) return rows->combo();
        if (auto* field = rows->field(path)) return field;
    }
    return m_advanced->field(path);
}

// What the sweep gives is not asked for a second time.
void RunForm::disableVaried() {
    for (const auto& field : std::exchange(m_varied, {}))
        if (field) field->setEnabled(true);
    for (const auto& axis : m_sweep->given().space) {
        if (axis.path == kLrPath) continue;
        if (auto* field = fieldOf(QString::fromStdString(axis.path))) m_varied << field;
    }
    for (const auto& field : m_varied) field->setEnabled(false);
}

void RunForm::readSweep(State& state) {
    disableVaried();
    state.sweeping = m_lr->sweeping() || m_sweep->any();
    LrAxis lr;
    readLr(state, lr);
    state.shown = state.spec;
    const double single = state.spec.optimizer.number("lr", 0);
    state.learningRates = {single};
    if (!state.sweeping) m_sweep->hide();
    if (!state.sweeping || !state.lrError.isEmpty()) return;
    spec::SweepSpec sweep = m_sweep->sweepOf(baseOfTrials(state.spec), lr);
    auto trials = spec::foreseenConfigurations(sweep);
    QString fault;
    if (trials) {
        state.trials = spec::countTrials(sweep).valueOr(0);
        state.learningRates = ratesOf(*trials, single);
        m_lr->setValues(state.learningRates, !m_sweep->any());
        if (auto first = spec::trialSpec(sweep, trials->front(), 0)) state.shown = *first;
        fault = faultOf(sweep, *trials);
    } else {
        fault = QString::fromStdString(trials.error().text());
    }
    m_sweep->show(sweep, state.trials, fault);
    if (fault.isEmpty()) state.sweep = std::move(sweep);
    else if (m_sweep->any()) state.errors << tr("Sweep: %1").arg(fault);
    else noteLr(state, fault);
}

// Where a sweep varies which model or optimizer it is, defaults that the form filled in for one must not follow to
// another.
spec::RunSpec RunForm::baseOfTrials(const spec::RunSpec& spec) const {
    spec::RunSpec base = spec;
    const std::pair<const ChoiceRows*, spec::Choice spec::RunSpec::*> choices[] = {
        {m_data, &spec::RunSpec::dataset},
        {m_model, &spec::RunSpec::model},
        {m_optimizer, &spec::RunSpec::optimizer},
        {m_schedule, &spec::RunSpec::schedule},
        {m_loss, &spec::RunSpec::loss}};
    for (const auto& [rows, member] : choices) {
        const auto* entry = rows->entry();
        if (!entry || !m_sweep->varies(rows->path().toStdString() + ".name")) continue;
        auto& params = (base.*member).params;
        for (const auto& info : entry->params) {
            const auto at = params.find(info.name);
            if (at != params.end() && !(m_base.*member).params.contains(info.name) &&
                spec::toText(at->second) == spec::toText(info.defaultValue))
                params.erase(at);
        }
    }
    return base;
}

// What is wrong with a trial and not with the fields that all trials share, which tell it themselves.
QString RunForm::faultOf(const spec::SweepSpec& sweep, const std::vector<spec::Params>& trials) {
    std::set<std::string> shared;
    const std::size_t judged = std::min(trials.size(), kJudged);
    for (std::size_t i = 0; i < judged; ++i) {
        const std::size_t at = judged < 2 ? 0 : i * (trials.size() - 1) / (judged - 1);
        auto trial = spec::trialSpec(sweep, trials[at], static_cast<int>(at));
        if (!trial) return QString::fromStdString(trial.error().text());
        for (const auto& error : spec::validate(*trial, m_catalog)) {
            const bool varied = std::any_of(trials[at].begin(), trials[at].end(),
                                            [&](const auto& param) { return overlap(param.first, error.path); });
            if (i == 0 && !varied) shared.insert(error.path);
            if (shared.contains(error.path)) continue;
            const QString what = QString::fromStdString(error.value + ' ' + error.message);
            if (!m_sweep->any()) return what;
            return tr("trial %1: %2 %3")
                .arg(at)
                .arg(fieldTitle(QString::fromStdString(error.path), *trial, m_catalog), what);
        }
    }
    return {};
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
        if (m_sweep->touches(error.path)) continue; // told of the sweep
        if (auto* field = m_numbers.value(fieldPath(path))) {
            if (field->error().isEmpty()) {
                field->setError(full);
                note(state, path, message);
            }
            continue;
        }
        bool placed = false;
        for (auto* rows : {m_data, m_model, m_optimizer, m_schedule, m_loss}) {
            if (path == rows->path() + QStringLiteral(".name") || path == rows->path()) {
                rows->setNameError(full);
                placed = true;
            } else if (auto* field = rows->field(path)) {
                if (!field->hasError()) field->setError(full);
                m_titles.insert(path, QString::fromStdString(field->info().title));
                placed = true;
            }
        }
        if (auto* field = m_advanced->field(path)) {
            if (!field->hasError()) field->setError(full);
            m_titles.insert(path, QString::fromStdString(field->info().title));
            m_advanced->setOpen(true);
            placed = true;
        }
        if (placed) note(state, path, message);
        else state.errors << sentence(path, full);
    }
}

} // namespace trainyard::ui
