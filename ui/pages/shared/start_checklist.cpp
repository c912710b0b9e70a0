// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shared/start_checklist.h"

#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>

namespace trainyard::ui {

namespace {

struct StartWords {
    Q_DECLARE_TR_FUNCTIONS(StartChecklist)
};

// What the first rank says of itself, such as how far it is with something that takes long.
QString doingOf(const wire::RunState* state) {
    const std::string doing = state && !state->workers.empty() ? state->workers.front().beat.doing : std::string();
    return doing.empty() ? StartWords::tr("running") : doingText(doing);
}

} // namespace

QList<ChecklistStep> startSteps(int workers, const wire::RunState* state) {
    const std::pair<wire::Phase, QString> phases[] = {
        {wire::Phase::Start, StartWords::tr("Start %n workers", nullptr, workers)},
        {wire::Phase::Rendezvous, StartWords::tr("Rendezvous")},
        {wire::Phase::LoadData, StartWords::tr("Load data")},
        {wire::Phase::FirstStep, StartWords::tr("First step")}};
    QList<ChecklistStep> steps;
    const bool failed = state && (state->status == wire::RunStatus::Failed);
    bool reached = false; // the first unfinished step is in progress
    for (const auto& [phase, text] : phases) {
        ChecklistStep step{text, StepState::Waiting, {}};
        const auto done =
            state ? state->checklist.find(wire::toString(phase)) : std::map<std::string, double>::const_iterator{};
        if (state && done != state->checklist.end()) {
            step.state = StepState::Done;
            step.note = StartWords::tr("%1 s").arg(fixedText(done->second, done->second < 0.1 ? 2 : 1));
        } else if (!reached) {
            reached = true;
            step.state = failed ? StepState::Failed : StepState::Running;
            step.note = failed ? QString::fromStdString(state->error.message) : doingOf(state);
        }
        steps << step;
    }
    return steps;
}

} // namespace trainyard::ui
