// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/program_section.h"

#include "engine/program/command/argument_words.h"
#include "engine/program/line/word_split.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>

namespace trainyard::ui {

namespace {

// The words as the run file has them; what the script's own defaults add or leave out is in the log.
QString commandOf(const spec::Program& program) {
    std::vector<std::string> words = program.command;
    if (!program.module.empty()) words = {"-m", program.module};
    else if (!program.script.empty()) words = {std::filesystem::path(program.script).filename().string()};
    const auto own = program.words.empty() ? program::argumentWords(program.arguments, program.style, nullptr)
                                           : Result<std::vector<std::string>>(program.words);
    if (own) words.insert(words.end(), own->begin(), own->end());
    return QString::fromStdString(program::joinWords(words));
}

} // namespace

ProgramSection::ProgramSection(Workbench& bench)
    : RunSection(bench, tr("Program")), m_command(new Label(QString(), TextRole::Mono)), m_pairs(new PairList) {
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
}

void ProgramSection::showRun(const RunItem& run) {
    const QString file = QString::fromStdString(run.row.specJson);
    if (file == m_shown) return;
    m_shown = file;
    const auto spec = run.isProgram ? spec::parseRunSpec(run.row.specJson) : Result<spec::RunSpec>(spec::RunSpec{});
    const bool isShown = spec && spec->program;
    setVisible(isShown);
    if (!isShown) return;
    const spec::Program& program = *spec->program;
    m_command->setText(commandOf(program));
    const auto text = [](const std::string& each) { return QString::fromStdString(each); };
    QList<PairList::Pair> pairs;
    const auto add = [&pairs](const QString& name, const QString& value, const QString& tip) {
        pairs << PairList::Pair{name, value, tip};
    };
    const bool isPython = program.command.empty();
    if (isPython && program.interpreter.empty())
        add(tr("Interpreter"), tr("automatic"),
            tr(".venv or venv beside the script or above it, the active environment, or python3"));
    else if (isPython)
        add(tr("Interpreter"), QFileInfo(text(program.interpreter)).fileName(), text(program.interpreter));
    const QString folder =
        program.folder.empty() ? QFileInfo(text(program.script)).absolutePath() : text(program.folder);
    if (!program.script.empty() || !program.folder.empty()) add(tr("Folder"), QFileInfo(folder).fileName(), folder);
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
    m_pairs->setPairs(pairs);
}

} // namespace trainyard::ui
