// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/run_form.h"

#include "engine/run/start/first_run.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/run/learning_rate.h"
#include "engine/spec/run/sections.h"
#include "engine/spec/run/task_kind.h"
#include "ui/forms/advanced_form.h"
#include "ui/forms/fields/field_title.h"
#include "ui/forms/fields/home_field.h"
#include "ui/forms/fields/lr_field.h"
#include "ui/forms/fields/lr_finder.h"
#include "ui/forms/fields/slurm_fields.h"
#include "ui/forms/fields/usual_optimizer.h"
#include "ui/models/text/engine_text.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/inputs/unit_field.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>
#include <iterator>

namespace trainyard::ui {

namespace {

std::vector<spec::Entry> serving(const std::vector<spec::Entry>& entries, const std::string& task) {
    std::vector<spec::Entry> those;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(those),
                 [&](const spec::Entry& entry) { return entry.serves(task); });
    return those;
}

QComboBox* wordCombo(const QStringList& words, const QString& name) {
    auto* combo = new QComboBox;
    combo->addItems(words);
    combo->setAccessibleName(name);
    return combo;
}

} // namespace

RunForm::RunForm(const spec::Catalog& catalog, const QStringList& hosts, QWidget* parent)
    : QWidget(parent), m_catalog(catalog), m_layout(column(this, 4)) {
    setMargins(m_layout, 20, 12, 0, 16); // what varies a field stands at its right
    build(hosts);
    m_axes->sync();
}

UnitField* RunForm::numberField(const QString& path, const QString& title, const QString& unit) {
    auto* field = new UnitField(unit);
    field->edit()->setAccessibleName(title);
    connect(field, &UnitField::textEdited, this, &RunForm::changed);
    m_numbers.insert(path, field);
    m_titles.insert(path, title);
    return field;
}

VaryToggle* RunForm::numberToggle(const QString& field, const QStringList& paths, QComboBox* kind) {
    const QString title = m_titles.value(field);
    auto* toggle = new VaryToggle(title);
    auto* number = m_numbers.value(field);
    const auto info = [=, this] {
        const QString path = paths.value(kind ? kind->currentIndex() : 0);
        spec::ParamInfo named{.name = path.toStdString(),
                              .title = fieldTitle(path, m_base, m_catalog).toStdString(),
                              .type = spec::ParamType::Integer,
                              .min = path == QLatin1String("seed") ? 0 : 1};
        return named;
    };
    new AxisSpot({.info = info,
                  .paths = paths,
                  .value = [number] { return spec::Value(readInteger(number->text()).valueOr(1)); },
                  .setVaried =
                      [=](bool on) {
                          number->setEnabled(!on);
                          if (kind) kind->setEnabled(!on);
                      }},
                 toggle, nullptr);
    return toggle;
}

// Of a field of the table of sections whose value is a word.
VaryToggle* RunForm::wordToggle(const QString& path, QWidget* field, std::function<QString()> word) {
    spec::ParamInfo named;
    for (const auto& section : spec::runSections())
        for (const auto& info : section.params)
            if (info.name == path.toStdString()) named = info;
    auto* toggle = new VaryToggle(engineText(named.title));
    new AxisSpot({.info = [named] { return named; },
                  .paths = {path},
                  .value = [word = std::move(word)] { return spec::Value(word().toStdString()); },
                  .setVaried = [field](bool on) { field->setEnabled(!on); }},
                 toggle, nullptr);
    return toggle;
}

// Values are edited below the row that `rowOf` is the field of.
void RunForm::place(VaryToggle* toggle, QWidget* rowOf) {
    toggle->findChild<AxisSpot*>()->setBelow(FormGrid::below(rowOf));
}

void RunForm::build(const QStringList& hosts) {
    const Theme& theme = Theme::current();
    const auto heading = [this, &theme](const QString& text) {
        if (m_layout->count() > 0) m_layout->addSpacing(theme.px(8));
        m_layout->addWidget(new Label(text, TextRole::Heading));
    };
    heading(tr("Data"));
    buildTask();
    buildData();
    heading(tr("Model"));
    buildModel();
    heading(tr("Training"));
    buildTraining();
    heading(tr("Where"));
    buildWhere(hosts);
    m_sweep = new SweepFields([this](const QString& path) { return fieldTitle(path, m_base, m_catalog); });
    m_layout->addWidget(m_sweep);
    buildAdvanced();
    m_layout->addStretch();
    m_axes = new AxisEditors(this);
    connect(m_axes, &AxisEditors::changed, this, &RunForm::changed);
    connect(m_sweep, &SweepFields::changed, this, &RunForm::changed);
    connect(m_sweep, &SweepFields::removed, this, [this](const QString& path) {
        m_axes->vary(path, false);
        Q_EMIT changed();
    });
    for (auto* choice : {m_data, m_model, m_optimizer, m_schedule, m_loss}) {
        connect(choice, &ChoiceRows::entryChanged, m_axes, [this, choice] { m_axes->dropLost(choice->path()); });
        connect(choice, &ChoiceRows::changed, this, &RunForm::changed);
        m_titles.insert(choice->path() + QStringLiteral(".name"), choice->combo()->accessibleName());
    }
    connect(m_model, &ChoiceRows::entryChanged, m_usual, &UsualOptimizer::follow);
    connect(m_data, &ChoiceRows::entryChanged, this, &RunForm::followData);
    // Another optimizer needs another learning rate: its own default.
    connect(m_optimizer, &ChoiceRows::entryChanged, this, [this] {
        if (const auto lr = spec::defaultLearningRate(m_optimizer->entry())) m_lr->setLr(*lr);
    });
    for (auto* combo : {m_batchKind, m_lengthKind, m_device, m_host})
        connect(combo, &QComboBox::activated, this, &RunForm::changed);
    connect(m_precision, &SegmentedControl::currentIndexChanged, this, &RunForm::changed);
    connect(m_lr, &LrField::changed, this, &RunForm::changed);
}

void RunForm::buildTask() {
    m_task = new SegmentedControl({tr("Classification"), tr("Regression"), tr("Language")});
    m_task->setAccessibleName(tr("Task"));
    m_task->setToolTip(tr("What is learned: classes, numbers, or the next token of a text"));
    auto* holder = new QWidget;
    auto* line = row(holder);
    line->addWidget(m_task);
    line->addStretch();
    auto* grid = new FormGrid(FormGrid::Varied);
    grid->addRow(tr("Task"), holder);
    m_layout->addWidget(grid);
    connect(m_task, &SegmentedControl::currentIndexChanged, this, &RunForm::changeTask);
}

std::string RunForm::taskWord() const { return spec::taskWords()[static_cast<std::size_t>(m_task->currentIndex())]; }

// Only what serves the task is offered; what was chosen for it before comes back.
void RunForm::changeTask(int index) {
    spec::RunSpec spec = read().spec;
    spec.task = spec::taskWords()[static_cast<std::size_t>(index)];
    if (spec.task == m_base.task) {
        spec.dataset = m_base.dataset;
        spec.model = m_base.model;
        spec.loss = m_base.loss;
        spec.checkpoint.scoreBy = m_base.checkpoint.scoreBy;
        spec.checkpoint.mode = m_base.checkpoint.mode;
    }
    spec::fitToTask(spec, m_catalog);
    m_sweep->followCheckpoint();
    put(spec);
    followData();
    m_usual->follow();
    for (const auto* rows : {m_data, m_model, m_loss}) m_axes->dropLost(rows->path());
    Q_EMIT changed();
}

// Batch and length go with the data, until somebody gives others.
void RunForm::followData() {
    spec::RunSpec spec = read().spec;
    if (!run::hasUsualLength(spec, m_catalog)) return;
    run::fitLengthToData(spec, m_catalog);
    putLength(spec);
}

void RunForm::buildData() {
    m_data = new ChoiceRows(tr("Dataset"), QStringLiteral("dataset"));
    m_layout->addWidget(m_data);
    auto* grid = new FormGrid(FormGrid::Varied);
    auto* batch = new QWidget;
    auto* line = row(batch);
    line->addWidget(numberField(QStringLiteral("batch"), tr("Batch")), 1);
    line->addSpacing(Theme::current().px(8));
    m_batchKind = wordCombo({tr("per worker"), tr("global")}, tr("Batch size is"));
    m_batchKind->setToolTip(tr("per worker: samples of each rank in a step; global: samples of all ranks together"));
    line->addWidget(m_batchKind, 0, Qt::AlignTop);
    auto* varyBatch = numberToggle(QStringLiteral("batch"),
                                   {QStringLiteral("batch.perRank"), QStringLiteral("batch.global")}, m_batchKind);
    line->addWidget(varyBatch, 0, Qt::AlignTop);
    line->addSpacing(Theme::current().px(4));
    auto* times = new Label(tr("×"), TextRole::SmallSecondary);
    times->setFixedHeight(Theme::current().px(28));
    line->addWidget(times, 0, Qt::AlignTop);
    line->addSpacing(Theme::current().px(6));
    auto* accumulate = numberField(QStringLiteral("batch.accumulate"), tr("Accumulation"), tr("accum."));
    accumulate->setMaximumWidth(Theme::current().px(84));
    accumulate->edit()->setToolTip(tr("Backward passes for each optimizer step"));
    line->addWidget(accumulate);
    auto* varySteps = numberToggle(QStringLiteral("batch.accumulate"), {QStringLiteral("batch.accumulate")});
    grid->addRow(tr("Batch"), batch, varySteps);
    for (auto* toggle : {varyBatch, varySteps}) place(toggle, batch);
    m_batchNote = new Label(QString(), TextRole::SmallTertiary);
    m_layout->addWidget(grid);
}

void RunForm::buildModel() {
    m_model = new ChoiceRows(tr("Architecture"), QStringLiteral("model"));
    m_layout->addWidget(m_model);
}

void RunForm::buildTraining() {
    buildLength();
    m_optimizer = new ChoiceRows(tr("Optimizer"), QStringLiteral("optimizer"), {QStringLiteral("lr")});
    m_optimizer->setEntries(m_catalog.optimizers);
    m_layout->addWidget(m_optimizer);
    buildLr();
    m_usual = new UsualOptimizer(m_catalog, *m_model, *m_optimizer, *m_lr);
    m_layout->addWidget(m_usual);
    m_schedule = new ChoiceRows(tr("Schedule"), QStringLiteral("schedule"));
    m_schedule->setEntries(m_catalog.schedules);
    m_layout->addWidget(m_schedule);
    m_loss = new ChoiceRows(tr("Loss"), QStringLiteral("loss"));
    m_layout->addWidget(m_loss);
    buildPrecision();
}

void RunForm::buildLength() {
    auto* grid = new FormGrid(FormGrid::Varied);
    auto* length = new QWidget;
    auto* line = row(length);
    line->addWidget(numberField(QStringLiteral("epochs"), tr("Length")), 1);
    m_lengthKind = wordCombo({tr("epochs"), tr("steps")}, tr("Unit of length"));
    line->addSpacing(Theme::current().px(8));
    line->addWidget(m_lengthKind, 0, Qt::AlignTop);
    auto* varyLength =
        numberToggle(QStringLiteral("epochs"), {QStringLiteral("epochs"), QStringLiteral("steps")}, m_lengthKind);
    line->addWidget(varyLength, 0, Qt::AlignTop);
    line->addSpacing(Theme::current().px(4));
    auto* seedTitle = new Label(tr("Seed"), TextRole::Secondary);
    seedTitle->setFixedHeight(Theme::current().px(28));
    line->addWidget(seedTitle, 0, Qt::AlignTop);
    line->addSpacing(Theme::current().px(8));
    line->addWidget(numberField(QStringLiteral("seed"), tr("Seed")), 1);
    auto* varySeed = numberToggle(QStringLiteral("seed"), {QStringLiteral("seed")});
    grid->addRow(tr("Length"), length, varySeed);
    for (auto* toggle : {varyLength, varySeed}) place(toggle, length);
    m_layout->addWidget(grid);
}

double RunForm::lrOrDefault() const {
    return m_lr->lr().valueOr(spec::defaultLearningRate(m_optimizer->entry()).value_or(spec::kMaxLearningRate));
}

void RunForm::buildLr() {
    auto* grid = new FormGrid(FormGrid::Varied);
    m_lr = new LrField;
    grid->addRow(tr("Learning rate"), m_lr);
    const spec::ParamInfo lr{
        .name = kLrPath, .title = tr("Learning rate").toStdString(), .min = 0, .minExclusive = true, .logScale = true};
    new AxisSpot({.info = [lr] { return lr; },
                  .paths = {QLatin1String(kLrPath)},
                  .value = [this] { return spec::Value(lrOrDefault()); },
                  .setVaried = [this](bool on) { m_lr->setVaried(on); }},
                 m_lr->toggle(), FormGrid::below(m_lr));
    auto* finder = new LrFinder([this]() -> std::optional<spec::RunSpec> {
        State state = read();
        if (!state.errors.isEmpty()) return {};
        return state.spec;
    });
    connect(finder, &LrFinder::found, this, [this, finder](double rate) {
        if (m_lr->sweeping()) return; // its box is offered as the range
        const double before = m_lr->lr().valueOr(rate);
        m_lr->setLr(rate);
        if (before != rate) finder->offerBack(before);
        Q_EMIT changed();
    });
    connect(finder, &LrFinder::takenBack, this, [this](double rate) {
        m_lr->setLr(rate);
        Q_EMIT changed();
    });
    connect(finder, &LrFinder::rangeChosen, this, &RunForm::sweepRates);
    grid->addRow(QString(), finder);
    m_layout->addWidget(grid);
}

void RunForm::sweepRates(double from, double to) {
    setSweeping(true);
    auto* editor = m_axes->editorOf(kLrPath);
    if (!editor) return;
    const auto now = editor->axis();
    const int count = now && now->count > 1 ? now->count : 4;
    editor->setAxis({.path = kLrPath, .from = from, .to = to, .logScale = true, .count = count});
    Q_EMIT changed();
}

void RunForm::buildPrecision() {
    auto* grid = new FormGrid(FormGrid::Varied);
    QStringList precisions;
    for (const auto& precision : m_catalog.precisions) precisions << QString::fromStdString(precision);
    m_precision = new SegmentedControl(precisions);
    m_precision->setAccessibleName(tr("Precision"));
    auto* holder = new QWidget;
    auto* precisionLine = row(holder);
    precisionLine->addWidget(m_precision);
    precisionLine->addStretch();
    auto* vary = wordToggle(QStringLiteral("precision"), m_precision,
                            [this] { return m_precision->items().value(m_precision->currentIndex()); });
    grid->addRow(tr("Precision"), holder, vary);
    place(vary, holder);
    m_layout->addWidget(grid);
}

void RunForm::buildWhere(const QStringList& hosts) {
    auto* grid = new FormGrid(FormGrid::Varied);
    m_host = new QComboBox;
    m_host->setAccessibleName(tr("Hosts"));
    m_host->addItem(tr("This computer"), QStringList());
    for (const QString& host : hosts) m_host->addItem(host, QStringList{host});
    if (hosts.size() > 1) m_host->addItem(tr("All hosts: %1").arg(hosts.join(QStringLiteral(", "))), hosts);
    grid->addRow(tr("Hosts"), m_host);
    auto* workers = numberField(QStringLiteral("scaling.workers"), tr("Workers"));
    auto* varyWorkers = numberToggle(QStringLiteral("scaling.workers"), {QStringLiteral("scaling.workers")});
    grid->addShort(tr("Workers"), workers, varyWorkers);
    place(varyWorkers, workers);
    m_device = wordCombo({QStringLiteral("auto"), QStringLiteral("cpu"), QStringLiteral("cuda")}, tr("Device"));
    grid->addShort(tr("Device"), m_device);
    m_layout->addWidget(grid);
    m_home = new HomeField;
    connect(m_home, &HomeField::changed, this, &RunForm::changed);
    m_layout->addWidget(m_home);
    m_slurm = new SlurmFields;
    connect(m_slurm, &SlurmFields::changed, this, &RunForm::changed);
    m_layout->addWidget(m_slurm);
}

void RunForm::offerSlurm(const std::vector<run::SlurmPartition>& partitions) {
    if (partitions.empty()) return;
    m_slurm->setPartitions(partitions);
    const QStringList hosts{QLatin1String(spec::kSlurmHost)};
    const int known = m_host->findData(hosts); // the run file names it
    if (known >= 0) m_host->setItemText(known, tr("Slurm cluster"));
    else m_host->addItem(tr("Slurm cluster"), hosts);
    Q_EMIT changed();
}

void RunForm::buildAdvanced() {
    m_advanced = new AdvancedForm({QStringLiteral("precision"), QStringLiteral("seed"),
                                   QStringLiteral("scaling.workers"), QStringLiteral("scaling.device")});
    connect(m_advanced, &AdvancedForm::changed, this, &RunForm::changed);
    m_layout->addSpacing(Theme::current().px(4));
    m_layout->addWidget(m_advanced);
}

void RunForm::offerOptimizer() { m_usual->offer(); }

void RunForm::setSpec(const spec::RunSpec& spec) {
    m_base = spec;
    m_axes->clear();
    put(spec);
    m_sweep->clear();
    const double lr = spec.optimizer.number("lr", spec::defaultLearningRate(m_optimizer->entry()).value_or(0));
    if (lr > 0) m_lr->setLr(lr);
    m_usual->take();
}

// All but the learning rate, which may be swept.
void RunForm::put(const spec::RunSpec& spec) {
    if (const auto task = spec::taskFromString(spec.task)) {
        const QSignalBlocker quiet(m_task);
        m_task->setCurrentIndex(static_cast<int>(*task));
    }
    m_data->setEntries(serving(m_catalog.datasets, spec.task));
    m_model->setEntries(serving(m_catalog.models, spec.task));
    m_loss->setEntries(serving(m_catalog.losses, spec.task));
    m_data->setChoice(spec.dataset);
    m_model->setChoice(spec.model);
    m_optimizer->setChoice(spec.optimizer);
    m_schedule->setChoice(spec.schedule);
    m_loss->setChoice(spec.loss);
    putLength(spec);
    putNumber("seed", spec.seed);
    putNumber("scaling.workers", spec.scaling.workers);
    m_advanced->setSpec(spec);
    m_device->setCurrentText(QString::fromStdString(spec.scaling.device));
    m_precision->setCurrentIndex(
        static_cast<int>(std::max<qsizetype>(0, m_precision->items().indexOf(QString::fromStdString(spec.precision)))));
    QStringList hosts;
    for (const auto& host : spec.hosts) hosts << QString::fromStdString(host);
    int at = m_host->findData(hosts);
    if (at < 0) {
        m_host->addItem(hosts.join(QStringLiteral(", ")), hosts);
        at = m_host->count() - 1;
    }
    m_host->setCurrentIndex(at);
    m_axes->sync();
}

void RunForm::putLength(const spec::RunSpec& spec) {
    putNumber("batch", spec.batch.global.value_or(spec.batch.perRank.value_or(32)));
    m_batchKind->setCurrentIndex(spec.batch.global ? 1 : 0);
    putNumber("batch.accumulate", spec.batch.accumulate);
    putNumber("epochs", spec.steps.value_or(spec.epochs.value_or(5)));
    m_lengthKind->setCurrentIndex(spec.steps ? 1 : 0);
}

void RunForm::putNumber(const char* path, std::int64_t value) {
    m_numbers[QLatin1String(path)]->setText(QString::number(value));
}

void RunForm::change(const spec::RunSpec& spec) {
    put(spec);
    if (const double lr = spec.optimizer.number("lr", 0); lr > 0) m_lr->setLr(lr);
}

QWidget* RunForm::widgetOf(const QString& path) const {
    if (path == QLatin1String(kLrPath)) return m_lr;
    if (path == QLatin1String("length")) return m_numbers.value(QStringLiteral("epochs"));
    if (auto* number = m_numbers.value(path)) return number;
    const std::pair<const char*, QWidget*> others[] = {
        {"task", m_task}, {"precision", m_precision}, {"hosts", m_host}, {"scaling.device", m_device}};
    for (const auto& [name, widget] : others)
        if (path == QLatin1String(name)) return widget;
    for (const auto* rows : {m_data, m_model, m_optimizer, m_schedule, m_loss}) {
        if (path == rows->path()) return rows->combo();
        if (auto* field = rows->field(path)) return field;
    }
    return m_advanced->field(path);
}

void RunForm::markChanged(const QStringList& paths) {
    QList<const QWidget*> changed;
    for (const QString& path : paths)
        if (const auto* widget = widgetOf(path)) changed << widget;
    for (auto* label : findChildren<Label*>()) {
        const QWidget* field = label->buddy();
        if (!field || (label->role() != TextRole::Secondary && label->role() != TextRole::Changed)) continue;
        const bool isChanged = std::any_of(changed.begin(), changed.end(), [field](const QWidget* each) {
            return each == field || field->isAncestorOf(each);
        });
        const auto role = isChanged ? TextRole::Changed : TextRole::Secondary;
        if (label->role() != role) label->setRole(role);
    }
}

void RunForm::use(const TrainingSource& source) {
    spec::RunSpec spec = read().spec;
    useSource(spec, source, m_catalog);
    put(spec);
    followData();
    m_usual->follow();
    for (const auto* rows : {m_data, m_model, m_loss}) m_axes->dropLost(rows->path());
    Q_EMIT changed();
}

void RunForm::setSweep(const spec::SweepSpec& sweep) {
    m_sweep->setSweep(sweep, m_base.checkpoint);
    m_axes->setSpace(sweep.space);
}

void RunForm::swapEnds() {
    if (auto* editor = m_axes->editorOf(kLrPath)) editor->swapEnds();
}

QWidget* RunForm::first() const { return m_data->combo(); }

void RunForm::setEarlierSweeps(const QStringList& sweeps) { m_sweep->setEarlierSweeps(sweeps); }

void RunForm::setSweeping(bool on) { m_lr->setSweeping(on); }

} // namespace trainyard::ui
