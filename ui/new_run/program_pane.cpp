// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/program_pane.h"

#include "engine/program/checkpoints/resume_words.h"
#include "ui/new_run/preview_cards.h"
#include "ui/widgets/layout.h"

#include <QFileInfo>

namespace trainyard::ui {

namespace {

// As a person reads it: a placeholder needs no quotes.
QString lineOf(const std::vector<std::string>& words) {
    QStringList all;
    for (const auto& word : words) all << QString::fromStdString(word);
    return all.join(QLatin1Char(' '));
}

// Whether a run gives the argument the folder that it offers.
bool isApart(const spec::Program& program, const std::string& name) {
    const auto given = program.arguments.find(name);
    return given != program.arguments.end() && spec::argumentText(given->second).find("{output}") != std::string::npos;
}

bool varies(const std::vector<spec::Axis>& space, const std::string& name) {
    return std::ranges::any_of(space, [&name](const auto& axis) { return axis.path == "program.arguments." + name; });
}

} // namespace

ProgramPane::ProgramPane(const Workbench& bench, ProgramForm& form, QWidget* parent)
    : QWidget(parent), m_form(form), m_check(new CheckCard(bench, m_facts, &m_program)) {
    auto* all = column(this);
    all->addWidget(form.arguments(), 1);
    auto* below = column(nullptr);
    setMargins(below, 20, 4, 20, 12);
    below->addWidget(m_check);
    all->addLayout(below);
    connect(&m_looker, &ProgramLooker::changed, this, [this] {
        m_program.look = m_looker.look();
        m_program.busy = m_looker.isBusy();
        m_check->refresh();
    });
}

void ProgramPane::learn(const SettingsForm::State& state) {
    const spec::Program& program = *state.spec.program;
    const auto& script = m_form.arguments()->script();
    m_program.resume = lineOf(program.resume.empty() ? program::suggestionsFor(script).resume : program.resume);
    m_program.shared.clear();
    if (!state.sweep) return;
    for (const auto& shape : m_form.arguments()->shapes())
        if (const std::string& name = shape.argument.name;
            !shape.offer.isEmpty() && !isApart(program, name) && !varies(state.sweep->space, name))
            m_program.shared = QString::fromStdString(shape.info.title);
}

void ProgramPane::setState(const SettingsForm::State& state) {
    if (!state.spec.program) return;
    m_facts.state = state;
    learn(state);
    const spec::Program& program = *state.spec.program;
    const QString file = m_form.scriptPath();
    if (program.command.empty() && QFileInfo(file).isFile()) {
        const QString folder =
            program.folder.empty() ? QFileInfo(file).absolutePath() : QString::fromStdString(program.folder);
        m_looker.ask(QString::fromStdString(program.interpreter), file, folder);
    }
    if (state.errors.isEmpty()) m_check->askHosts();
    m_check->refresh();
}

} // namespace trainyard::ui
