// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the form back, and showing what is wrong with it.
#include "engine/spec/learning_rate.h"
#include "ui/forms/advanced_form.h"
#include "ui/forms/rate_field.h"
#include "ui/forms/run_form.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/unit_field.h"

#include <QComboBox>

namespace trainyard::ui {

namespace {

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
    spec::RunSpec judged = spec;
    showErrors(spec::validate(judged, m_catalog), state);
    return state;
}

void RunForm::readSweep(State& state) {
    state.sweeping = m_rate->sweeping();
    m_rate->setError({});
    const auto fail = [&](const std::string& message) {
        state.rateWrong = true;
        m_rate->setError(QString::fromStdString(message));
        state.errors << tr("Learning rate: %1").arg(QString::fromStdString(message));
    };
    if (!state.sweeping) {
        auto rate = m_rate->rate();
        if (!rate) return fail(rate.error().message);
        state.spec.optimizer.params["lr"] = *rate;
        state.rates = {*rate};
        return;
    }
    // A sweep's base needs some rate: each trial has its own.
    state.spec.optimizer.params["lr"] =
        m_rate->rate().valueOr(spec::defaultLearningRate(m_optimizer->entry()).value_or(spec::kMaxLearningRate));
    auto axis = m_rate->axis();
    if (!axis) return fail(axis.error().message);
    spec::SweepSpec sweep;
    sweep.runJson = spec::toJson(state.spec);
    sweep.search = m_rate->random() ? "random" : "grid";
    sweep.trials = m_rate->random() ? m_rate->count() : 0;
    if (m_rate->random()) axis->count = 0;
    sweep.space = {*axis};
    sweep.scoreBy = state.spec.checkpoint.scoreBy;
    sweep.mode = state.spec.checkpoint.mode;
    auto trials = spec::expandTrials(sweep);
    if (!trials) return fail(trials.error().message);
    for (const auto& trial : *trials) state.rates << spec::Choice{"", trial}.number("optimizer.lr", 0);
    for (const double rate : state.rates) {
        spec::RunSpec trial = state.spec;
        trial.optimizer.params["lr"] = rate;
        for (const auto& error : spec::validate(trial, m_catalog))
            if (error.path.rfind("optimizer", 0) == 0 && error.path.find("lr") != std::string::npos)
                return fail(error.value + " " + error.message);
    }
    m_rate->setValues(state.rates);
    state.sweep = std::move(sweep);
}

void RunForm::showErrors(const std::vector<spec::FieldError>& errors, State& state) {
    for (const auto& error : errors) {
        const QString path = QString::fromStdString(error.path);
        const QString message = QString::fromStdString(error.message);
        const QString full =
            error.remedy.empty() ? message : message + QStringLiteral("; ") + QString::fromStdString(error.remedy);
        if (path == QLatin1String("optimizer.lr")) {
            if (!state.sweeping && !state.rateWrong) {
                m_rate->setError(message);
                state.rateWrong = true;
                state.errors << tr("Learning rate %1").arg(message);
            }
            continue;
        }
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
