// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/usual_optimizer.h"

#include "engine/run/start/first_run.h"
#include "engine/spec/run/learning_rate.h"
#include "ui/forms/fields/form_grid.h"
#include "ui/forms/fields/lr_field.h"
#include "ui/models/text/engine_text.h"

#include <utility>

namespace trainyard::ui {

UsualOptimizer::UsualOptimizer(const spec::Catalog& catalog, const ChoiceRows& model, ChoiceRows& optimizer,
                               LrField& lr)
    : Label(QString(), TextRole::SmallTertiary), m_catalog(catalog), m_model(model), m_optimizer(optimizer), m_lr(lr) {
    setWordWrap(true);
    setContentsMargins(FormGrid::fieldStart(), 0, Theme::current().px(VaryToggle::kWidth), 0);
    hide();
}

// The optimizer in the fields; nothing if they cannot be read, or if the learning rate varies.
std::optional<spec::Choice> UsualOptimizer::now() {
    int wrong = 0;
    spec::Choice choice = m_optimizer.choice(&wrong);
    const auto lr = m_lr.lr();
    if (wrong > 0 || !lr || m_lr.sweeping()) return std::nullopt;
    choice.params["lr"] = *lr;
    return choice;
}

void UsualOptimizer::offer() {
    const auto usual = spec::usualOptimizer(m_model.entry());
    m_offered = now();
    m_isUsual = m_offered && usual && usual->name == m_offered->name;
    refresh();
}

void UsualOptimizer::take() {
    m_offered.reset();
    refresh();
}

void UsualOptimizer::follow() {
    const auto usual = spec::usualOptimizer(m_model.entry());
    if (m_offered && now() == m_offered && (usual || m_isUsual)) {
        const spec::Choice next = usual ? *usual : run::firstRun(m_catalog, 1).optimizer;
        m_optimizer.setChoice(next);
        if (const double lr = next.number("lr", 0); lr > 0) m_lr.setLr(lr);
        offer();
    }
    refresh();
}

void UsualOptimizer::refresh() {
    const auto usual = spec::usualOptimizer(m_model.entry());
    const auto* optimizer = usual ? spec::Catalog::find(m_catalog.optimizers, usual->name) : nullptr;
    setVisible(optimizer != nullptr);
    if (optimizer)
        setText(tr("%1 is usually trained with %2 and a learning rate of %3.")
                    .arg(engineText(m_model.entry()->title), engineText(optimizer->title),
                         numberText(usual->number("lr", 0))));
}

} // namespace trainyard::ui
