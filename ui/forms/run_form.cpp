// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/run_form.h"

#include "engine/run/start/first_run.h"
#include "engine/spec/run/learning_rate.h"
#include "engine/spec/run/task_kind.h"
#include "ui/forms/advanced_form.h"
#include "ui/forms/fields/field_title.h"
#include "ui/forms/fields/lr_field.h"
#include "ui/forms/fields/lr_finder.h"
#include "ui/forms/fields/usual_optimizer.h"
#include "ui/forms/fields/weight_rows.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/switch.h"

#include <QApplication>
#include <QComboBox>
#include <QShortcut>
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

constexpr int kAllParams = 99;

// A small word between the fields of a row, of the same height, with the space around it.
Label* betweenFields(const QString& text, TextRole role, int after) {
    const Theme& theme = Theme::current();
    auto* label = new Label(text, role);
    label->setFixedHeight(theme.px(28));
    label->setContentsMargins(theme.px(4), 0, theme.px(after), 0);
    return label;
}

} // namespace

const std::array<RunForm::ChoiceKind, RunForm::kChoices> RunForm::kChoiceTable{
    {{"dataset", &spec::RunSpec::dataset, &spec::Catalog::datasets, true},
     {"model", &spec::RunSpec::model, &spec::Catalog::models, true},
     {"optimizer", &spec::RunSpec::optimizer, &spec::Catalog::optimizers, false},
     {"schedule", &spec::RunSpec::schedule, &spec::Catalog::schedules, false},
     {"loss", &spec::RunSpec::loss, &spec::Catalog::losses, true}}};

RunForm::RunForm(const spec::Catalog& catalog, const QStringList& hosts, QWidget* parent)
    : SettingsForm(parent), m_catalog(catalog), m_layout(column(this, 4)),
      m_advanced(new AdvancedForm(QStringList{QStringLiteral("precision"), QStringLiteral("seed"),
                                              QStringLiteral("scaling.workers"), QStringLiteral("scaling.device")} +
                                  WeightRows::paths())) {
    setMargins(m_layout, 20, 12, 0, 16); // a field's toggle stands to its right
    build(hosts);
    m_axes->sync();
    auto* vary = new QShortcut(QKeySequence(Qt::ALT | Qt::Key_V), this);
    vary->setContext(Qt::WidgetWithChildrenShortcut);
    connect(vary, &QShortcut::activated, this, [this] {
        if (auto* toggle = VaryToggle::ofField(this, QApplication::focusWidget())) toggle->click();
    });
}

CountField* RunForm::countField(const QString& path, const QString& title, const QList<CountField::Unit>& units) {
    auto* field = new CountField(path, title, units, this);
    connect(field, &CountField::changed, this, &RunForm::changed);
    return field;
}

void RunForm::build(const QStringList& hosts) {
    const Theme& theme = Theme::current();
    const auto heading = [this, &theme](const QString& text) {
        if (m_layout->count() > 0) m_layout->addSpacing(theme.px(8));
        m_layout->addWidget(new Label(text, TextRole::Heading));
    };
    heading(tr("Data"));
    buildTask();
    addChoice(Dataset, 2);
    buildBatch();
    heading(tr("Model"));
    addChoice(Model, 3);
    buildWeights();
    heading(tr("Training"));
    buildLength();
    addChoice(Optimizer, 0, {QStringLiteral("lr")});
    buildLr();
    m_usual = new UsualOptimizer(m_catalog, *m_choices[Model], *m_choices[Optimizer], *m_lr);
    m_layout->addWidget(m_usual);
    for (const auto which : {Schedule, Loss}) {
        addChoice(which, kAllParams);
        m_fold.add({m_choices[which]});
    }
    buildPrecision();
    heading(tr("Where"));
    m_where = new WhereFields(hosts, m_advanced->makeElsewhere(QStringLiteral("scaling.workers")),
                              m_advanced->makeElsewhere(QStringLiteral("scaling.device")));
    m_layout->addWidget(m_where);
    m_sweep = new SweepFields([this](const QString& path) { return fieldTitle(path, m_base, m_catalog); });
    m_layout->addWidget(m_sweep);
    m_layout->addSpacing(theme.px(4));
    m_layout->addWidget(m_advanced);
    m_fold.add({m_advanced}, [this] { return m_advanced->isChanged() || m_advanced->isOpen(); });
    m_layout->addStretch();
    m_axes = new AxisEditors(this);
    connect(m_axes, &AxisEditors::changed, this, &RunForm::changed);
    connect(m_sweep, &SweepFields::changed, this, &RunForm::changed);
    connect(m_sweep, &SweepFields::removed, this, [this](const QString& path) {
        m_axes->vary(path, false);
        Q_EMIT changed();
    });
    for (auto* choice : m_choices) {
        connect(choice, &ChoiceRows::entryChanged, m_axes, [this, choice] { m_axes->dropLost(choice->path()); });
        connect(choice, &ChoiceRows::entryChanged, this, [this] { m_fold.update(); });
        connect(choice, &ChoiceRows::changed, this, &RunForm::changed);
    }
    connect(m_choices[Model], &ChoiceRows::entryChanged, m_usual, &UsualOptimizer::follow);
    connect(m_choices[Dataset], &ChoiceRows::entryChanged, this, &RunForm::followData);
    // Another optimizer needs its own default learning rate.
    connect(m_choices[Optimizer], &ChoiceRows::entryChanged, this, [this] {
        if (const auto lr = spec::defaultLearningRate(m_choices[Optimizer]->entry())) m_lr->setLr(*lr);
    });
    connect(m_lr, &LrField::changed, this, &RunForm::changed);
    connect(m_where, &WhereFields::changed, this, &RunForm::changed);
    connect(m_advanced, &AdvancedForm::changed, this, &RunForm::changed);
}

void RunForm::buildTask() {
    m_task =
        new SegmentedControl({tr("Classification"), tr("Regression"), tr("Language"), tr("Labels"), tr("Program")});
    m_task->setFilling();
    m_task->setAccessibleName(tr("Task"));
    m_task->setToolTip(tr("What the model predicts: classes, numbers, the next token of a text, or any number of "
                          "labels; or a program of your "
                          "own"));
    auto* grid = new FormGrid(FormGrid::Varied);
    grid->addRow(tr("Task"), m_task);
    m_layout->addWidget(grid);
    connect(m_task, &SegmentedControl::currentIndexChanged, this, &RunForm::changeTask);
}

// Offers only choices that fit the task, and restores an earlier choice for it.
void RunForm::changeTask(int index) {
    const auto& words = spec::taskWords();
    if (index >= static_cast<int>(words.size())) {
        const QSignalBlocker quiet(m_task);
        m_task->setCurrentIndex(static_cast<int>(spec::taskFromString(m_shown.task).valueOr(spec::TaskKind{})));
        Q_EMIT taskRequested({});
        return;
    }
    spec::RunSpec spec = read().spec;
    spec.task = words[static_cast<std::size_t>(index)];
    if (spec.task == m_base.task) {
        spec.dataset = m_base.dataset;
        spec.model = m_base.model;
        spec.loss = m_base.loss;
        spec.checkpoint.scoreBy = m_base.checkpoint.scoreBy;
        spec.checkpoint.mode = m_base.checkpoint.mode;
    }
    spec::fitToTask(spec, m_catalog);
    m_sweep->followCheckpoint();
    putAnew(spec);
}

// Another task, or other data: updates the dependent fields.
void RunForm::putAnew(const spec::RunSpec& spec) {
    put(spec);
    followData();
    m_usual->follow();
    for (const auto which : {Dataset, Model, Loss}) m_axes->dropLost(m_choices[which]->path());
    Q_EMIT changed();
}

// Batch and length follow the data until the user sets them.
void RunForm::followData() {
    spec::RunSpec spec = read().spec;
    if (!run::hasUsualLength(spec, m_catalog)) return;
    run::fitLengthToData(spec, m_catalog);
    putLength(spec);
}

void RunForm::addChoice(Choices which, int firstParams, const QStringList& leaveOut) {
    const QString titles[] = {tr("Dataset"), tr("Architecture"), tr("Optimizer"), tr("Schedule"), tr("Loss")};
    const auto& [path, choice, entries, isOfTask] = kChoiceTable[which];
    m_choices[which] = new ChoiceRows(titles[which], QLatin1String(path), leaveOut);
    m_choices[which]->setFirstParams(firstParams);
    m_fold.addRest(*m_choices[which]);
    if (!isOfTask) m_choices[which]->setEntries(m_catalog.*entries);
    m_layout->addWidget(m_choices[which]);
}

void RunForm::buildBatch() {
    const Theme& theme = Theme::current();
    auto* grid = new FormGrid(FormGrid::Varied);
    auto* batch = new QWidget;
    auto* line = row(batch);
    m_batch = countField(
        QStringLiteral("batch"), tr("Batch"),
        {{QStringLiteral("batch.perRank"), tr("per worker")}, {QStringLiteral("batch.global"), tr("global")}});
    m_batch->units()->setAccessibleName(tr("Batch size is"));
    m_batch->units()->setToolTip(tr("per worker: samples per step on each rank; global: on all ranks together"));
    m_batch->addTo(*line);
    line->addWidget(m_batch->toggle(), 0, Qt::AlignTop);
    auto* times = betweenFields(tr("×"), TextRole::SmallSecondary, 6);
    line->addWidget(times, 0, Qt::AlignTop);
    m_accumulate = countField(QStringLiteral("batch.accumulate"), tr("Accumulation"),
                              {{QStringLiteral("batch.accumulate"), tr("accum.")}});
    m_accumulate->number()->setMaximumWidth(theme.px(84));
    m_accumulate->number()->edit()->setToolTip(tr("Backward passes per optimizer step"));
    line->addWidget(m_accumulate->number());
    grid->addRow(tr("Batch"), batch, m_accumulate->toggle());
    for (const auto* field : {m_batch, m_accumulate}) FormGrid::place(*field->toggle(), *batch);
    m_fold.add({times, m_accumulate->number(), m_accumulate->toggle()}, [this] {
        return m_accumulate->toggle()->isChecked() || m_accumulate->value().valueOr(0) != 1 ||
               !m_accumulate->number()->error().isEmpty();
    });
    m_layout->addWidget(grid);
}

void RunForm::buildLength() {
    auto* grid = new FormGrid(FormGrid::Varied);
    auto* length = new QWidget;
    auto* line = row(length);
    m_length = countField(QStringLiteral("length"), tr("Length"),
                          {{QStringLiteral("epochs"), tr("epochs")}, {QStringLiteral("steps"), tr("steps")}});
    m_length->units()->setAccessibleName(tr("Unit of length"));
    m_length->addTo(*line);
    line->addWidget(m_length->toggle(), 0, Qt::AlignTop);
    auto* seedTitle = betweenFields(tr("Seed"), TextRole::Secondary, 8);
    line->addWidget(seedTitle, 0, Qt::AlignTop);
    auto* seed = m_advanced->makeElsewhere(QStringLiteral("seed"));
    line->addWidget(seed, 1);
    auto* varySeed = FormGrid::toggleOf(*seed, {QStringLiteral("seed")});
    grid->addRow(tr("Length"), length, varySeed);
    for (const auto* toggle : {m_length->toggle(), varySeed}) FormGrid::place(*toggle, *length);
    m_fold.add({seedTitle, seed, varySeed}, [seed, varySeed] { return varySeed->isChecked() || needsRow(*seed); });
    m_layout->addWidget(grid);
}

double RunForm::lrOrDefault() const {
    return m_lr->lr().valueOr(
        spec::defaultLearningRate(m_choices[Optimizer]->entry()).value_or(spec::kMaxLearningRate));
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
        if (m_lr->sweeping()) return; // its box can become the range
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

void RunForm::buildWeights() {
    QList<ParamField*> fields;
    for (const QString& path : WeightRows::paths()) fields << m_advanced->makeElsewhere(path);
    m_weights = new WeightRows(m_catalog, fields);
    m_layout->addWidget(m_weights);
    m_fold.add({m_weights->foldable()}, [this] { return m_weights->isNeeded(); });
    connect(m_weights, &WeightRows::offerTaken, this, &RunForm::takeOffer);
    connect(m_weights, &WeightRows::quickHeadRequested, this, &RunForm::quickHeadRequested);
    connect(m_weights, &WeightRows::freezeChosen, this, [this](const QString& globs) {
        m_advanced->field(QStringLiteral("finetune.freeze"))->setValue(globs.toStdString());
        Q_EMIT changed();
    });
}

// The model that a file of weights is of, and pictures of the size that it is made for.
void RunForm::takeOffer(const spec::Choice& model, int side) {
    spec::RunSpec spec = read().spec;
    if (!model.name.empty()) spec.model = model;
    auto& params = spec.dataset.params;
    if (side > 0)
        for (const char* each : {"width", "height"}) params[each] = static_cast<std::int64_t>(side);
    // They are of pictures normalised in one way. What somebody has chosen stays.
    const auto* entry = m_choices[Dataset]->entry();
    const auto* normalise = entry && side > 0 && !model.name.empty() ? entry->find("normalise") : nullptr;
    if (normalise && (!params.contains("normalise") || params["normalise"] == normalise->defaultValue))
        params["normalise"] = std::string("weights");
    putAnew(spec);
}

void RunForm::buildPrecision() {
    auto* grid = new FormGrid(FormGrid::Varied);
    const QString path = QStringLiteral("precision");
    grid->addParam(m_advanced->makeElsewhere(path, ParamField::Segments, m_catalog.precisions), {path});
    m_layout->addWidget(grid);
    m_fold.add({grid});
}

void RunForm::offerSlurm(const std::vector<run::SlurmPartition>& partitions) {
    if (partitions.empty()) return;
    m_where->offerSlurm(partitions);
    Q_EMIT changed();
}

void RunForm::offerOptimizer() { m_usual->offer(); }

void RunForm::takeAsUsual() {
    for (auto* rows : m_choices) rows->takeAsUsual();
    for (const char* path : {"precision", "seed"}) m_advanced->field(QLatin1String(path))->takeAsUsual();
    m_fold.begin();
}

void RunForm::setSpec(const spec::RunSpec& spec) {
    m_base = spec;
    m_axes->clear();
    put(spec);
    m_sweep->clear();
    const double lr = spec.optimizer.number("lr", spec::defaultLearningRate(m_choices[Optimizer]->entry()).value_or(0));
    if (lr > 0) m_lr->setLr(lr);
    m_usual->take();
    m_fold.begin();
}

// Everything except the learning rate, which may vary.
void RunForm::put(const spec::RunSpec& spec) {
    if (const auto task = spec::taskFromString(spec.task)) {
        const QSignalBlocker quiet(m_task);
        m_task->setCurrentIndex(static_cast<int>(*task));
    }
    for (std::size_t which = 0; which < kChoices; ++which) {
        const auto& [path, choice, entries, isOfTask] = kChoiceTable[which];
        if (isOfTask) m_choices[which]->setEntries(serving(m_catalog.*entries, spec.task));
        m_choices[which]->setChoice(spec.*choice);
    }
    putLength(spec);
    m_advanced->setSpec(spec);
    m_where->setHosts(spec.hosts, spec.spareHosts);
    m_axes->sync();
    m_fold.update();
}

void RunForm::putLength(const spec::RunSpec& spec) {
    m_batch->set(spec.batch.global.value_or(spec.batch.perRank.value_or(32)), spec.batch.global ? 1 : 0);
    m_accumulate->set(spec.batch.accumulate);
    m_length->set(spec.steps.value_or(spec.epochs.value_or(5)), spec.steps ? 1 : 0);
}

void RunForm::change(const spec::RunSpec& spec) {
    put(spec);
    if (const double lr = spec.optimizer.number("lr", 0); lr > 0) m_lr->setLr(lr);
}

CountField* RunForm::countOf(const QString& path) const {
    for (auto* field : {m_batch, m_accumulate, m_length})
        if (field->is(path)) return field;
    return nullptr;
}

ParamField* RunForm::paramOf(const QString& path) const {
    for (const auto* rows : m_choices)
        if (auto* field = rows->field(path)) return field;
    return m_advanced->field(path);
}

QWidget* RunForm::widgetOf(const QString& path) const {
    if (path == QLatin1String(kLrPath)) return m_lr;
    if (path == QLatin1String("task")) return m_task;
    if (path == QLatin1String("hosts")) return m_where->combo();
    if (const auto* count = countOf(path)) return count->number();
    for (const auto* rows : m_choices)
        if (path == rows->path()) return rows->combo();
    return paramOf(path);
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
    putAnew(spec);
}

void RunForm::setSweep(const spec::SweepSpec& sweep) {
    m_sweep->setSweep(sweep, m_base.checkpoint);
    m_axes->setSpace(sweep.space);
}

void RunForm::swapEnds() {
    if (auto* editor = m_axes->editorOf(kLrPath)) editor->swapEnds();
}

QWidget* RunForm::firstFault() const {
    for (auto* field : findChildren<UnitField*>())
        if (!field->error().isEmpty() && field->isVisible()) return field->edit();
    for (auto* rows : m_choices)
        if (rows->hasNameError()) return rows->combo();
    return nullptr;
}

QWidget* RunForm::first() const { return m_choices[Dataset]->combo(); }

QWidget* RunForm::taskField() const { return m_task; }

void RunForm::setTask(const std::string& task) {
    if (const auto kind = spec::taskFromString(task)) m_task->setCurrentIndex(static_cast<int>(*kind));
}

void RunForm::setEarlierSweeps(const QStringList& sweeps) { m_sweep->setEarlierSweeps(sweeps); }

void RunForm::setSweeping(bool on) { m_lr->setSweeping(on); }

} // namespace trainyard::ui
