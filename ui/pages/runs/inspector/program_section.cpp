// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/program_section.h"

#include "engine/program/command/argument_words.h"
#include "engine/program/line/word_split.h"
#include "ui/models/desktop/background.h"
#include "ui/theme/icon.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QTimer>

namespace trainyard::ui {

namespace {

constexpr int kMostTries = 30, kAgainMs = 1000; // to find the record of a run that has just begun

// The words as the run file has them, until the program has been started.
QString commandOf(const spec::Program& program) {
    std::vector<std::string> words = program.command;
    if (!program.module.empty()) words = {"-m", program.module};
    else if (!program.script.empty()) words = {std::filesystem::path(program.script).filename().string()};
    const auto own = program.words.empty() ? program::argumentWords(program.arguments, program.style, nullptr)
                                           : Result<std::vector<std::string>>(program.words);
    if (own) words.insert(words.end(), own->begin(), own->end());
    return QString::fromStdString(program::joinWords(words));
}

// As it was started, without the interpreter and the folder of the script, which stand below.
QString commandOf(const ProgramOrigin& origin, const spec::Program& program) {
    const auto script = QString::fromStdString(program.script);
    std::vector<std::string> words;
    for (const auto& word : origin.words) {
        if (words.empty() && word == origin.interpreter && program.command.empty()) continue;
        const bool isScript = !script.isEmpty() && word == script;
        words.push_back((isScript ? QFileInfo(word).fileName() : word).toStdString());
    }
    return QString::fromStdString(program::joinWords(words));
}

} // namespace

ProgramSection::ProgramSection(Workbench& bench)
    : RunSection(bench, tr("Program")), m_command(new Label(QString(), TextRole::Mono)), m_pairs(new PairList),
      m_packages(new PairList), m_more(button(QString(), QStringLiteral("chevron-right"), "flat")) {
    auto* copy = iconButton(QStringLiteral("copy"), tr("Copy the command line"));
    copy->setFixedSize(Theme::current().px(22), Theme::current().px(22));
    header()->addWidget(copy);
    connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_command->text()); });
    m_command->setWordWrap(true);
    m_command->setTextFormat(Qt::PlainText);
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_command->setAccessibleName(tr("Command line"));
    body()->addWidget(m_command);
    body()->addSpacing(Theme::current().px(4));
    body()->addWidget(m_pairs);
    body()->addWidget(m_more, 0, Qt::AlignLeft);
    body()->addWidget(m_packages);
    m_packages->hide();
    m_more->hide();
    m_more->setCheckable(true);
    connect(m_more, &QPushButton::toggled, this, &ProgramSection::showPackages);
}

// The record is written once the program has started.
void ProgramSection::showRun(const RunItem& run) {
    const QString shown = QStringLiteral("%1\n%2\n%3")
                              .arg(run.id)
                              .arg(static_cast<int>(run.status))
                              .arg(QString::fromStdString(run.row.specJson));
    if (shown == m_shown) return;
    m_shown = shown;
    m_tries = 0;
    const auto spec = run.isProgram ? spec::parseRunSpec(run.row.specJson) : Result<spec::RunSpec>(spec::RunSpec{});
    const bool isShown = spec && spec->program;
    setVisible(isShown);
    if (!isShown) return;
    m_command->setText(commandOf(*spec->program));
    showPairs(*spec->program, {});
    if (!run.row.folder.empty() && run.home.isHere()) lookForRecord(run.row.folder, *spec->program);
}

// What is known of Python comes some seconds after the start.
void ProgramSection::lookForRecord(const std::string& folder, const spec::Program& program) {
    const QString shown = m_shown;
    inBackground(
        this, [folder] { return programOrigin(folder); },
        [this, shown, folder, program](const ProgramOrigin& origin) {
            if (shown != m_shown) return;
            showPairs(program, origin);
            if (!origin.packages.isEmpty() || ++m_tries > kMostTries) return;
            QTimer::singleShot(kAgainMs, this, [this, shown, folder, program] {
                if (shown == m_shown) lookForRecord(folder, program);
            });
        });
}

void ProgramSection::showPairs(const spec::Program& program, const ProgramOrigin& origin) {
    const auto text = [](const std::string& each) { return QString::fromStdString(each); };
    if (const QString started = commandOf(origin, program); !started.isEmpty()) m_command->setText(started);
    QList<PairList::Pair> pairs;
    const auto add = [&pairs](const QString& name, const QString& value, const QString& tip) {
        pairs << PairList::Pair{name, value, tip};
    };
    const bool isPython = program.command.empty();
    const QString python = origin.interpreter.isEmpty() ? text(program.interpreter) : origin.interpreter;
    if (isPython && !origin.python.isEmpty()) add(tr("Interpreter"), tr("Python %1").arg(origin.python), python);
    else if (isPython && python.isEmpty())
        add(tr("Interpreter"), tr("automatic"),
            tr(".venv or venv beside the script or above it, the active environment, or python3"));
    else if (isPython) add(tr("Interpreter"), QFileInfo(python).fileName(), python);
    const QString own = program.folder.empty() ? QFileInfo(text(program.script)).absolutePath() : text(program.folder);
    const QString folder = origin.folder.isEmpty() ? own : origin.folder;
    if (!program.script.empty() || !program.folder.empty()) add(tr("Folder"), QFileInfo(folder).fileName(), folder);
    if (!origin.commit.isEmpty())
        add(tr("Commit"), origin.isChanged ? tr("%1, changed").arg(origin.commit.left(8)) : origin.commit.left(8),
            QStringList{origin.commit, origin.branch, origin.remote}.join(QLatin1Char('\n')).trimmed());
    if (program.code != spec::Program{}.code) add(tr("Code"), text(program.code), {});
    if (!program.prepare.empty()) add(tr("Prepare"), text(program.prepare).simplified(), text(program.prepare));
    if (program.preload != spec::Program{}.preload) add(tr("Preload"), text(program.preload), {});
    if (program.config)
        add(tr("Config file"), QFileInfo(text(program.config->file)).fileName(), text(program.config->file));
    for (const auto& [name, value] : program.environment)
        add(text(name), text(value), tr("Variable of its environment"));
    for (const auto& name : program.secrets) add(text(name), tr("secret"), tr("Variable of its environment"));
    if (program.stop.graceSeconds != spec::Program{}.stop.graceSeconds)
        add(tr("Stop grace"), tr("%1 s").arg(program.stop.graceSeconds), {});
    if (!origin.driver.isEmpty()) add(tr("Driver"), origin.driver, {});
    m_pairs->setPairs(pairs);
    m_origin = origin;
    showPackages();
}

// On demand: an environment has hundreds.
void ProgramSection::showPackages() {
    const int count = static_cast<int>(m_origin.packages.size());
    m_more->setVisible(count > 0);
    m_more->setText(tr("%n packages", nullptr, count));
    m_more->setIcon(icon(m_more->isChecked() ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    m_packages->setVisible(count > 0 && m_more->isChecked());
    if (!m_packages->isVisibleTo(this)) return;
    QList<PairList::Pair> pairs;
    for (const auto& [name, version] : m_origin.packages) pairs << PairList::Pair{name, version, {}};
    m_packages->setPairs(pairs);
}

} // namespace trainyard::ui
