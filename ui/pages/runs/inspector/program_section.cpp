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
    if (!program.script.empty())
        pairs << PairList::Pair{tr("Script"), QFileInfo(text(program.script)).fileName(), text(program.script)};
    const bool isPython = program.command.empty();
    if (isPython && program.interpreter.empty())
        pairs << PairList::Pair{tr("Interpreter"), tr("automatic"),
                                tr(".venv or venv beside the script or above it, the active environment, or python3")};
    else if (isPython)
        pairs << PairList::Pair{tr("Interpreter"), QFileInfo(text(program.interpreter)).fileName(),
                                text(program.interpreter)};
    if (!program.folder.empty())
        pairs << PairList::Pair{tr("Folder"), QFileInfo(text(program.folder)).fileName(), text(program.folder)};
    for (const auto& [name, value] : program.environment)
        pairs << PairList::Pair{text(name), text(value), tr("Variable of its environment")};
    pairs << PairList::Pair{tr("Stop grace"), tr("%1 s").arg(program.stop.graceSeconds), {}};
    m_pairs->setPairs(pairs);
}

} // namespace trainyard::ui
