// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/program/program_form.h"

#include "engine/program/command/interpreter.h"
#include "engine/program/command/own_program.h"
#include "engine/program/line/word_split.h"
#include "engine/run/record/series/likely_score.h"
#include "engine/spec/run/better.h"
#include "engine/spec/run/task_kind.h"
#include "ui/forms/advanced_form.h"
#include "ui/forms/fields/field_title.h"
#include "ui/forms/fields/where_fields.h"
#include "ui/forms/program/command_edit.h"
#include "ui/forms/program/program_fields.h"
#include "ui/widgets/inputs/path_field.h"
#include "ui/widgets/inputs/segmented_control.h"

#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QFileInfo>
#include <QPlainTextEdit>
#include <QShortcut>
#include <QSignalBlocker>

#include <algorithm>

namespace trainyard::ui {

namespace {

using Words = std::vector<std::string>;

constexpr QLatin1String kModule("-m ");
constexpr int kPrograms = 4; // after the tasks

// The paths of the sections that mean nothing to a program, or stand elsewhere in the form.
QStringList leftOut() {
    QStringList all{QStringLiteral("seed"),
                    QStringLiteral("scaling.workers"),
                    QStringLiteral("scaling.device"),
                    QStringLiteral("checkpoint.scoreBy"),
                    QStringLiteral("checkpoint.mode"),
                    QStringLiteral("checkpoint.keep"), // of copies, which the run file alone asks for
                    QStringLiteral("failure.maxRestarts"),
                    QStringLiteral("failure.nonFinite")};
    for (const auto& section : spec::runSections())
        for (const auto& info : section.params)
            for (const auto& [path, remedy] : spec::fieldsNotOfPrograms())
                if (overlap(path, info.name)) all << QString::fromStdString(info.name);
    return all;
}

// Of "python3 dir/train.py --lr 1" only what stands behind the script, so that a whole command can be pasted.
Words behindScript(const Words& words, const QString& script) {
    const std::string name = QFileInfo(script).fileName().toStdString();
    const auto at = std::ranges::find_if(words, [&name](const std::string& word) {
        return !name.empty() && (word == name || word.ends_with('/' + name));
    });
    return at == words.end() || at - words.begin() > 64 ? words : Words(std::next(at), words.end());
}

} // namespace

ProgramForm::ProgramForm(const QStringList& hosts, QWidget* parent)
    : SettingsForm(parent), m_base(spec::programRun({})), m_layout(column(this, 4)), m_arguments(new ArgumentPane),
      m_advanced(new AdvancedForm(leftOut(), FormGrid::Varied, spec::programRun({}))) {
    setMargins(m_layout, 20, 12, 0, 16); // a field's toggle stands to its right
    build(hosts);
    listen();
    m_axes->sync();
}

ProgramForm::~ProgramForm() {
    if (m_arguments && !m_arguments->parentWidget()) delete m_arguments;
}

void ProgramForm::build(const QStringList& hosts) {
    const Theme& theme = Theme::current();
    buildProgram();
    m_layout->addSpacing(theme.px(8));
    m_layout->addWidget(new Label(tr("Command line"), TextRole::Heading));
    auto* command = row();
    m_command = new CommandEdit;
    command->addWidget(m_command, 1);
    command->addSpacing(theme.px(VaryToggle::kWidth));
    m_layout->addLayout(command);
    m_layout->addSpacing(theme.px(8));
    m_layout->addWidget(new Label(tr("Where"), TextRole::Heading));
    buildWhere(hosts);
    m_sweep = new SweepFields([this](const QString& path) { return titleOf(path); });
    m_sweep->field(QStringLiteral("scoreBy"))
        ->findChild<QLineEdit*>()
        ->setPlaceholderText(tr("a series, such as val/loss"));
    m_sweep->hide();
    m_layout->addWidget(m_sweep);
    m_layout->addSpacing(theme.px(4));
    m_layout->addWidget(m_advanced);
    m_fold.add({m_advanced}, [this] { return m_advanced->isChanged() || m_advanced->isOpen(); });
    m_layout->addStretch();
    m_axes = new AxisEditors(this);
    m_axes->alsoIn(m_arguments);
}

void ProgramForm::buildProgram() {
    m_layout->addWidget(new Label(tr("Program"), TextRole::Heading));
    m_task =
        new SegmentedControl({tr("Classification"), tr("Regression"), tr("Language"), tr("Labels"), tr("Program")});
    m_task->setFilling();
    m_task->setAccessibleName(tr("Task"));
    m_task->setCurrentIndex(kPrograms);
    m_script = new PathField(PathField::File);
    m_script->setTitle(tr("Script"));
    m_script->setPatterns({QStringLiteral("*.py")});
    m_script->edit()->setPlaceholderText(tr("drop a train.py, or type -m and a module"));
    m_words = new UnitField;
    m_words->edit()->setAccessibleName(tr("Command"));
    m_interpreter = new UnitField;
    m_interpreter->edit()->setAccessibleName(tr("Interpreter"));
    m_interpreter->edit()->setPlaceholderText(tr("found beside the script"));
    m_interpreter->edit()->setToolTip(tr("A Python, the folder of a virtual environment, or conda:NAME"));
    m_folder = new PathField(PathField::Folder);
    m_folder->setTitle(tr("Folder"));
    m_folder->edit()->setPlaceholderText(tr("the script's project"));
    m_folder->edit()->setToolTip(tr("Where it runs, so that its relative paths mean what they mean to you"));
    auto* grid = new FormGrid(FormGrid::Varied);
    grid->addRow(tr("Task"), m_task);
    grid->addRow(tr("Script"), m_script);
    grid->addRow(tr("Command"), m_words);
    grid->addRow(tr("Interpreter"), m_interpreter);
    grid->addRow(tr("Folder"), m_folder);
    m_layout->addWidget(grid);
    m_words->parentWidget()->hide();
    m_fields = new ProgramFields(m_fold);
    m_layout->addWidget(m_fields);
}

void ProgramForm::buildWhere(const QStringList& hosts) {
    m_where = new WhereFields(hosts, m_advanced->makeElsewhere(QStringLiteral("scaling.workers")),
                              m_advanced->makeElsewhere(QStringLiteral("scaling.device")));
    m_layout->addWidget(m_where);
    auto* grid = new FormGrid(FormGrid::Varied);
    const auto add = [this, grid](const char* path) {
        auto* field = m_advanced->makeElsewhere(QLatin1String(path));
        grid->addParam(field, {QLatin1String(path)});
        return field;
    };
    for (const char* path : {"checkpoint.scoreBy", "checkpoint.mode", "failure.maxRestarts"}) add(path);
    grid->addParam(
        m_advanced->makeElsewhere(QStringLiteral("failure.nonFinite"), ParamField::Usual, {"warn", "stop", "rollback"}),
        {QStringLiteral("failure.nonFinite")});
    add("seed");
    m_advanced->field(QStringLiteral("checkpoint.scoreBy"))
        ->findChild<QLineEdit*>()
        ->setPlaceholderText(tr("a series, such as val/loss"));
    m_layout->addWidget(grid);
    m_fold.add({grid}, [grid] { return needsRow(*grid); });
}

void ProgramForm::listen() {
    connect(m_task, &SegmentedControl::currentIndexChanged, this, [this](int index) {
        const QSignalBlocker quiet(m_task);
        m_task->setCurrentIndex(kPrograms);
        if (index < kPrograms) Q_EMIT taskRequested(spec::taskWords()[static_cast<std::size_t>(index)]);
    });
    connect(m_script, &UnitField::textEdited, this, [this] {
        followScript();
        Q_EMIT changed();
    });
    for (auto* field : {m_words, m_interpreter, static_cast<UnitField*>(m_folder)})
        connect(field, &UnitField::textEdited, this, &ProgramForm::changed);
    for (auto* field : {m_words, m_interpreter, static_cast<UnitField*>(m_folder), static_cast<UnitField*>(m_script)})
        connect(field->edit(), &QLineEdit::returnPressed, this, &ProgramForm::startRequested);
    connect(m_arguments, &ArgumentPane::changed, this, [this] {
        showCommand();
        Q_EMIT changed();
    });
    connect(m_arguments, &ArgumentPane::ready, this, [this] {
        showCommand();
        m_axes->sync();
        Q_EMIT changed();
    });
    connect(m_arguments, &ArgumentPane::rowsMade, m_axes, &AxisEditors::sync);
    connect(m_arguments, &ArgumentPane::finished, this, &ProgramForm::startRequested);
    connect(m_arguments, &ArgumentPane::scriptWanted, m_script, &PathField::browse);
    // Of a loss less is better: as the terminal has it.
    auto* score = m_advanced->field(QStringLiteral("checkpoint.scoreBy"));
    connect(score, &ParamField::changed, this, [this, score] {
        if (const auto better = spec::betterByName(spec::toText(score->value().valueOr(spec::Value(std::string())))))
            m_advanced->field(QStringLiteral("checkpoint.mode"))->setValue(std::string(spec::toString(*better)));
    });
    connect(m_command, &CommandEdit::refused, this, &ProgramForm::changed);
    connect(m_command, &CommandEdit::finished, this, &ProgramForm::startRequested);
    connect(m_command, &CommandEdit::edited, this, [this](const Words& words) {
        m_arguments->setWords(behindScript(words, m_script->path()));
        Q_EMIT changed();
    });
    connect(m_fields, &ProgramFields::changed, this, &ProgramForm::changed);
    connect(m_advanced, &AdvancedForm::changed, this, &ProgramForm::changed);
    connect(m_where, &WhereFields::changed, this, &ProgramForm::changed);
    connect(m_axes, &AxisEditors::changed, this, &ProgramForm::changed);
    connect(m_sweep, &SweepFields::changed, this, &ProgramForm::changed);
    connect(m_sweep, &SweepFields::removed, this, [this](const QString& path) {
        m_axes->vary(path, false);
        Q_EMIT changed();
    });
    // An editor may write the file in several steps, or put another in its place.
    connect(&m_watch, &QFileSystemWatcher::fileChanged, this, [this] {
        m_known.script.clear();
        followScript();
    });
    const QKeySequence toScheduler(Qt::ALT | Qt::Key_S);
    m_sweep->setToolTip(tr("%1 goes to the scheduler").arg(toScheduler.toString(QKeySequence::NativeText)));
    for (QWidget* part : std::initializer_list<QWidget*>{this, m_arguments}) {
        auto* vary = new QShortcut(QKeySequence(Qt::ALT | Qt::Key_V), part);
        vary->setContext(Qt::WidgetWithChildrenShortcut);
        connect(vary, &QShortcut::activated, this, [part] {
            if (auto* toggle = VaryToggle::ofField(part, QApplication::focusWidget())) toggle->click();
        });
        auto* toSweep = new QShortcut(toScheduler, part);
        toSweep->setContext(Qt::WidgetWithChildrenShortcut);
        connect(toSweep, &QShortcut::activated, m_sweep, &SweepFields::focusScheduler);
    }
}

QString ProgramForm::scriptPath() const {
    const QString typed = m_script->path();
    if (isCommand() || typed.isEmpty()) return {};
    if (!typed.startsWith(kModule)) return typed;
    if (m_folder->path().isEmpty()) return {};
    const QString file = m_folder->path() + QLatin1Char('/') +
                         typed.mid(kModule.size()).trimmed().replace(QLatin1Char('.'), QLatin1Char('/'));
    for (const QString& each : {file + QStringLiteral(".py"), file + QStringLiteral("/__main__.py")})
        if (QFileInfo(each).isFile()) return each;
    return {};
}

void ProgramForm::followScript() {
    const QString path = scriptPath();
    m_arguments->setIsNamed(isCommand() || !m_script->path().isEmpty());
    if (!m_known.script.isNull() && path == m_known.script) return;
    m_known.script = path;
    if (!m_watch.files().isEmpty()) m_watch.removePaths(m_watch.files());
    const bool isFile = QFileInfo(path).isFile();
    if (isFile) m_watch.addPath(path);
    m_known.own = isFile ? program::ownProgram(path.toStdString()) : Words();
    m_arguments->readScript(isFile && m_known.own.empty() ? path : QString());
    showFound();
}

void ProgramForm::showScript() {
    const spec::Program& program = *m_base.program;
    const bool isWords = !program.command.empty();
    m_script->parentWidget()->setVisible(!isWords);
    m_words->parentWidget()->setVisible(isWords);
    m_words->setText(QString::fromStdString(program::joinWords(program.command)));
    m_script->setText(program.module.empty() ? QString::fromStdString(program.script)
                                             : kModule + QString::fromStdString(program.module));
    m_interpreter->setText(QString::fromStdString(program.interpreter));
    m_folder->setText(QString::fromStdString(program.folder));
}

// What an empty field means, as far as this computer can tell.
void ProgramForm::showFound() {
    const std::filesystem::path script = scriptPath().toStdString();
    const auto variables = program::processVariables();
    const bool isKnown = !script.empty() && QFileInfo(scriptPath()).isAbsolute() && m_known.own.empty();
    const auto folder = isKnown ? program::projectFolder(script.parent_path(), variables) : std::filesystem::path();
    const auto python = isKnown ? program::findInterpreter({}, script.parent_path(), variables)
                                : Result<program::Interpreter>(inputError("no script"));
    m_known.interpreter = python ? QString::fromStdString(python->file.string()) : QString();
    m_interpreter->edit()->setPlaceholderText(!m_known.own.empty()            ? tr("none: no script of Python")
                                              : m_known.interpreter.isEmpty() ? tr("found beside the script")
                                                                              : m_known.interpreter);
    m_folder->edit()->setPlaceholderText(folder.empty() ? tr("the script's project")
                                                        : QString::fromStdString(folder.string()));
}

void ProgramForm::setSeriesOf(SeriesOf seriesOf) { m_known.seriesOf = std::move(seriesOf); }

// In the fields that name a series, and as what trials are compared by.
void ProgramForm::offerSeries(const spec::Program& program) {
    const QStringList known = m_known.seriesOf ? m_known.seriesOf(program) : QStringList();
    std::vector<std::string> names;
    for (const QString& name : known) names.push_back(name.toStdString());
    m_sweep->setLikelyScore(run::likelyScore(names));
    if (known == std::exchange(m_known.series, known)) return;
    for (auto* field :
         {m_sweep->field(QStringLiteral("scoreBy")), m_advanced->field(QStringLiteral("checkpoint.scoreBy"))}) {
        auto* edit = field->findChild<QLineEdit*>();
        auto* completer = new QCompleter(known, edit);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        completer->setFilterMode(Qt::MatchContains);
        delete edit->completer();
        edit->setCompleter(completer);
        edit->setPlaceholderText(known.isEmpty() ? tr("a series, such as val/loss")
                                                 : tr("a series, such as %1").arg(known.front()));
    }
}

void ProgramForm::showCommand() {
    if (!m_known.own.empty()) {
        Words shown = m_known.own;
        shown.back() = QFileInfo(m_script->path()).fileName().toStdString();
        m_command->setBefore(QString::fromStdString(program::joinWords(shown)),
                             QString::fromStdString(program::joinWords(m_known.own)));
        m_command->setWords(words());
        return;
    }
    const QString python = m_interpreter->text().trimmed();
    const QString full = python.isEmpty() ? m_known.interpreter : python;
    const QString shown = full.isEmpty() ? QStringLiteral("python3") : QFileInfo(full).fileName();
    const bool isFile = !m_script->path().startsWith(kModule);
    m_command->setBefore(shown + QLatin1Char(' ') +
                             (isFile ? QFileInfo(m_script->path()).fileName() : m_script->text()),
                         full + QLatin1Char(' ') + m_script->path());
    m_command->setWords(words());
}

Words ProgramForm::words() const {
    return program::wordsOf(m_arguments->line(), m_arguments->script(), m_base.program->style);
}

void ProgramForm::put(const spec::RunSpec& spec) {
    m_base = spec;
    if (!m_base.program) m_base.program.emplace();
    showScript();
    followScript();
    m_arguments->setProgram(*m_base.program);
    m_fields->set(*m_base.program);
    m_advanced->setSpec(spec);
    m_where->setHosts(spec.hosts, spec.spareHosts);
    m_axes->sync();
    showCommand();
}

void ProgramForm::setSpec(const spec::RunSpec& spec) {
    m_axes->clear();
    put(spec);
    m_sweep->clear();
    m_fold.begin();
}

void ProgramForm::setSweep(const spec::SweepSpec& sweep) {
    m_sweep->setSweep(sweep, m_base.checkpoint);
    m_axes->setSpace(sweep.space);
}

void ProgramForm::change(const spec::RunSpec& spec) {
    put(spec);
    m_fold.update();
}

void ProgramForm::useScript(const QString& path) {
    State state = read();
    spec::RunSpec spec = state.spec;
    spec.program->command.clear();
    spec.program->module.clear();
    if (spec.program->script != path.toStdString()) { // another's arguments mean nothing to it
        spec.program->arguments.clear();
        spec.program->words.clear();
        spec.program->folder.clear();
        m_axes->clear();
    }
    spec.program->script = path.toStdString();
    put(spec);
    Q_EMIT changed();
}

void ProgramForm::markChanged(const QStringList& paths) {
    for (auto* label : findChildren<Label*>()) {
        const QWidget* field = label->buddy();
        if (!field || (label->role() != TextRole::Secondary && label->role() != TextRole::Changed)) continue;
        const bool isChanged = std::ranges::any_of(paths, [&](const QString& path) {
            const QWidget* of = m_fields->field(path) ? m_fields->field(path) : m_advanced->field(path);
            if (path == QLatin1String("program.script") || path == QLatin1String("program.module")) of = m_script;
            if (path == QLatin1String("program.interpreter")) of = m_interpreter;
            if (path == QLatin1String("program.folder")) of = m_folder;
            if (path == QLatin1String("program.command")) of = m_words;
            return of && (of == field || field->isAncestorOf(of));
        });
        const auto role = isChanged ? TextRole::Changed : TextRole::Secondary;
        if (label->role() != role) label->setRole(role);
    }
}

void ProgramForm::offerSlurm(const std::vector<run::SlurmPartition>& partitions) {
    if (partitions.empty()) return;
    m_where->offerSlurm(partitions);
    Q_EMIT changed();
}

QWidget* ProgramForm::first() const { return !isCommand() ? m_script->edit() : m_words->edit(); }

QWidget* ProgramForm::taskField() const { return m_task; }

QWidget* ProgramForm::whereField() const { return m_where->combo(); }

QWidget* ProgramForm::firstFault() const {
    for (auto* field : findChildren<UnitField*>())
        if (!field->error().isEmpty() && field->isVisible()) return field->edit();
    return m_arguments->firstFault();
}

} // namespace trainyard::ui
