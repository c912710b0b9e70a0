// SPDX-License-Identifier: GPL-3.0-or-later
// The forms of the sheet: that of a training, and that of a program; which is shown, and what fills it.
#include "engine/base/text/ids.h"
#include "engine/run/record/series/source_series.h"
#include "engine/run/start/first_run.h"
#include "engine/spec/run/learning_rate.h"
#include "ui/models/desktop/background.h"
#include "ui/new_run/change_list.h"
#include "ui/new_run/checkpoint_choice.h"
#include "ui/new_run/draft_offer.h"
#include "ui/new_run/form_strip.h"
#include "ui/new_run/new_run_footer.h"
#include "ui/new_run/new_run_header.h"
#include "ui/new_run/new_run_sheet.h"
#include "ui/new_run/preview_pane.h"
#include "ui/new_run/program_pane.h"

#include <QFileInfo>
#include <QPushButton>
#include <QScrollArea>

#include <algorithm>

namespace trainyard::ui {

namespace {

// The names of a workspace's sweeps in a sweep file: their names, or their ids if two share a name.
QStringList sweepWords(const std::vector<store::SweepRow>& sweeps) {
    QStringList words;
    for (const auto& sweep : sweeps) {
        const auto named = std::ranges::count(sweeps, sweep.name, &store::SweepRow::name);
        words << QString::fromStdString(named == 1 ? sweep.name : sweep.id);
    }
    return words;
}

// Nobody has chosen its settings one by one.
void offerAsUsual(RunForm& form) {
    form.offerOptimizer();
    form.takeAsUsual();
}

} // namespace

const spec::Catalog& NewRunSheet::catalog() const {
    static const spec::Catalog none;
    const auto loaded = m_bench.catalog.catalog();
    return loaded ? *loaded : none;
}

void NewRunSheet::start(const QString& json, bool sweep) {
    m_beginning.file = json;
    m_beginning.sweep = sweep;
    if (const auto file = readBeginning(); file && file->run.program) return startProgram();
    if (const QString script = programOfNewestRun(); json.isEmpty() && !m_beginning.source && !script.isEmpty()) {
        m_draft->offer({});
        return useProgram(script);
    }
    if (m_bench.catalog.catalog()) {
        buildForm();
    } else {
        if (!m_bench.catalog.error().isEmpty()) m_waiting->setText(m_bench.catalog.error());
        m_bench.catalog.load();
    }
}

void NewRunSheet::use(const TrainingSource& source) {
    if (source.kind == TrainingSource::Program) return useProgram(source.path);
    if (!m_forms.run) {
        m_beginning.source = source;
        if (showsProgram()) return chooseTask({});
        return start({}, false);
    }
    show(m_forms.run);
    m_forms.run->use(source);
    setFirst(m_forms.run->first());
}

// What both forms tell the sheet.
void NewRunSheet::adopt(SettingsForm* form) {
    form->setAutoFillBackground(false);
    form->setAllFields(m_strip->showsAll());
    form->setEarlierSweeps(sweepWords(m_bench.feed.sweeps()));
    connect(&m_bench.feed, &WorkspaceFeed::sweepsChanged, form,
            [this, form] { form->setEarlierSweeps(sweepWords(m_bench.feed.sweeps())); });
    connect(form, &SettingsForm::taskRequested, this, &NewRunSheet::chooseTask);
    // If there is a Slurm cluster, its commands are installed here; they may be slow.
    inBackground(
        form, [] { return run::askPartitions(); },
        [form](Result<std::vector<run::SlurmPartition>> partitions) {
            if (partitions) form->offerSlurm(*partitions);
        });
    m_formArea->widget()->layout()->addWidget(form);
}

void NewRunSheet::show(SettingsForm* form) {
    m_forms.shown = form;
    const bool isProgram = showsProgram();
    m_waiting->hide();
    m_formArea->show();
    m_strip->show();
    for (auto* each : {static_cast<SettingsForm*>(m_forms.run), static_cast<SettingsForm*>(m_forms.program)})
        if (each) each->setVisible(each == form);
    m_header->setProgram(isProgram);
    m_paneSide->layout()->itemAt(0)->widget()->setVisible(!isProgram);
    if (m_programPane) m_programPane->setVisible(isProgram);
    form->setAllFields(m_strip->showsAll());
    refresh();
    fitColumns();
}

// Another kind of run, by keyboard too: the focus stays on the same control.
void NewRunSheet::chooseTask(const std::string& task) {
    if (task.empty() && !showsProgram()) {
        if (!m_forms.program) {
            buildProgramForm();
            m_forms.program->setSpec(spec::programRun({}));
        }
        show(m_forms.program);
        return setFirst(m_forms.program->taskField());
    }
    m_beginning.task = task;
    if (!m_forms.run && !m_bench.catalog.catalog()) {
        m_forms.shown = nullptr;
        m_formArea->hide();
        m_waiting->show();
        if (!m_bench.catalog.error().isEmpty()) m_waiting->setText(m_bench.catalog.error());
        return m_bench.catalog.load();
    }
    if (!m_forms.run) {
        m_beginning.file.clear(); // it was the program's
        return buildForm();
    }
    show(m_forms.run);
    m_forms.run->setTask(task);
    setFirst(m_forms.run->taskField());
}

void NewRunSheet::buildForm() {
    if (m_forms.run) return;
    m_forms.run = new RunForm(catalog(), hostAliases());
    adopt(m_forms.run);
    m_header->offerPresets(catalog());
    fill();
    connect(m_forms.run, &RunForm::checkRequested, &m_question, &PreviewQuestion::again);
    connect(m_forms.run, &RunForm::quickHeadRequested, this, &NewRunSheet::launchHead);
    connect(m_forms.run, &RunForm::changed, this, [this] {
        if (showsProgram()) return;
        m_header->showCustom();
        refresh();
    });
    // Only for a plain new run, or a fork of the same run.
    if (m_beginning.file.isEmpty() || !m_beginning.origin.isEmpty()) m_draft->offer(m_beginning.origin);
    show(m_forms.run);
    setFirst(m_forms.run->first());
    if (const std::string task = std::exchange(m_beginning.task, {}); !task.empty()) {
        m_forms.run->setTask(task);
        setFirst(m_forms.run->taskField());
    }
}

void NewRunSheet::buildProgramForm() {
    if (m_forms.program) return;
    m_forms.program = new ProgramForm(hostAliases());
    m_forms.program->setSeriesOf([this](const spec::Program& program) { return seriesOf(program); });
    adopt(m_forms.program);
    m_programPane = new ProgramPane(m_bench, *m_forms.program);
    m_paneSide->layout()->addWidget(m_programPane);
    connect(m_forms.program, &ProgramForm::changed, this, [this] {
        if (showsProgram()) refresh();
    });
    connect(m_forms.program, &ProgramForm::startRequested, startButton(), &QPushButton::click);
}

// A script that is still there, if the newest run that was set up here is that of one; else empty.
QString NewRunSheet::programOfNewestRun() const {
    RunItemPtr newest;
    for (const auto& run : m_bench.feed.runs())
        if (run->importedFrom.isEmpty() && run->isRecorded && (!newest || isNewer(run, newest))) newest = run;
    const QString script = newest ? newest->settings.value(QStringLiteral("program.script")) : QString();
    return QFileInfo(script).isFile() ? script : QString();
}

// Of the newest run of the same program that has any.
QStringList NewRunSheet::seriesOf(const spec::Program& program) const {
    const QString script = QString::fromStdString(program.script), module = QString::fromStdString(program.module);
    RunItemPtr newest;
    for (const auto& run : m_bench.feed.runs()) {
        const bool isSame = run->isProgram && run->settings.value(QStringLiteral("program.script")) == script &&
                            run->settings.value(QStringLiteral("program.module")) == module;
        if (isSame && !run->series.empty() && (!newest || isNewer(run, newest))) newest = run;
    }
    QStringList names;
    if (newest)
        for (const auto& summary : newest->series)
            if (run::tellsOfTraining(summary.series)) names << QString::fromStdString(summary.series);
    return names;
}

// Enter starts the script as it is.
void NewRunSheet::useProgram(const QString& script) {
    if (m_header->name().isEmpty()) m_header->setName(QString::fromStdString(newRunName()));
    if (!m_forms.program) {
        buildProgramForm();
        m_forms.program->setSpec(spec::programRun({}));
    }
    m_forms.program->useScript(script);
    show(m_forms.program);
    startButton()->setAutoDefault(true);
    setFirst(startButton()->isEnabled() ? static_cast<QWidget*>(startButton()) : m_forms.program->first());
}

// A run or sweep file of a program, which needs no catalog.
void NewRunSheet::startProgram() {
    const auto file = readBeginning();
    buildProgramForm();
    if (m_beginning.origin.isEmpty() && !file->sweep) m_before = file->run;
    m_forms.program->setSpec(file->run);
    if (file->sweep) m_forms.program->setSweep(*file->sweep);
    nameRun(*file);
    show(m_forms.program);
    setFirst(m_forms.program->first());
}

Result<NewRunSheet::ReadFile> NewRunSheet::readBeginning() const {
    ReadFile file;
    std::string json = m_beginning.file.toStdString();
    if (json.empty()) return file;
    if (spec::isSweepFile(json)) {
        TY_ASSIGN(file.sweep, spec::parseSweepSpec(json));
        json = file.sweep->runJson;
    }
    if (json.empty()) return file;
    TY_ASSIGN(file.run, spec::parseRunSpec(json));
    return file;
}

void NewRunSheet::nameRun(const ReadFile& file) {
    QString name =
        m_beginning.file.isEmpty() ? QString() : QString::fromStdString(file.sweep ? file.sweep->name : file.run.name);
    for (const auto& run : m_bench.feed.runs())
        if (run->name == name) name.clear(); // a fork needs a name of its own
    m_header->setName(name.isEmpty() ? QString::fromStdString(newRunName()) : name);
}

void NewRunSheet::fill() {
    spec::RunSpec spec = run::firstRun(catalog(), SystemStats::cores());
    m_header->showFirstPreset();
    if (auto source = std::exchange(m_beginning.source, {})) {
        if (source->kind == TrainingSource::Images) run::fitToOwnImages(spec);
        useSource(spec, *source, catalog());
        run::fitLengthToData(spec, catalog());
        spec::fitOptimizer(spec, catalog());
        m_header->showCustom();
    }
    const auto file = readBeginning();
    if (!file) return refuse(file.error(), spec);
    const bool isFile = !m_beginning.file.isEmpty() && (!file->sweep || !file->sweep->runJson.empty());
    if (isFile) {
        spec = file->run;
        m_header->showCustom();
    }
    if (m_beginning.origin.isEmpty() && isFile && !file->sweep) m_before = spec;
    m_forms.run->setSpec(spec);
    if (!isFile) offerAsUsual(*m_forms.run);
    if (file->sweep) m_forms.run->setSweep(*file->sweep);
    if (m_beginning.sweep) m_forms.run->setSweeping(true);
    nameRun(*file);
}

// An unreadable file leaves the sheet with the defaults, and an error.
void NewRunSheet::refuse(const Error& error, const spec::RunSpec& defaults) {
    m_forms.run->setSpec(defaults);
    offerAsUsual(*m_forms.run);
    m_header->setName(QString::fromStdString(newRunName()));
    Q_EMIT m_bench.statusMessage(QString::fromStdString(error.text()), Theme::current().error);
}

} // namespace trainyard::ui
