// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/enqueue_sheet.h"

#include "ui/forms/sweep/point_fields.h"
#include "ui/models/runs/run_item.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

EnqueueSheet::EnqueueSheet(Workbench& bench, QWidget* window, const QString& sweep, std::vector<spec::Axis> axes,
                           const spec::Params& values)
    : Sheet(window, QSize(440, std::min(560, 170 + 36 * static_cast<int>(axes.size())))), m_bench(bench),
      m_sweep(sweep), m_fields(new PointFields(std::move(axes), values, shortPath)) {
    panel()->setAccessibleName(tr("Enqueue a configuration"));
    auto* content = new QWidget;
    auto* inner = column(content, 10);
    setMargins(inner, 20, 16, 20, 16);
    inner->addWidget(new Label(tr("Enqueue a configuration"), TextRole::Title));
    inner->addWidget(new Label(tr("It starts next."), TextRole::SmallSecondary));
    inner->addWidget(m_fields);
    inner->addStretch();
    body()->addWidget(scrolled(content, tr("Enqueue a configuration")), 1);
    body()->addWidget(buildFooter());
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
    const auto judge = [this] { m_go->setEnabled(m_fields->point().ok()); };
    connect(m_fields, &PointFields::changed, this, judge);
    judge();
}

QWidget* EnqueueSheet::buildFooter() {
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* line = row(footer, 8);
    setMargins(line, 20, 11, 20, 10);
    line->addStretch();
    auto* cancel = button(tr("Cancel"));
    m_go = button(tr("Enqueue"), QStringLiteral("plus"), "primary");
    line->addWidget(cancel);
    line->addWidget(m_go);
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    connect(m_go, &QPushButton::clicked, this, &EnqueueSheet::enqueue);
    return footer;
}

void EnqueueSheet::enqueue() {
    const auto point = m_fields->point();
    if (!point) return;
    m_bench.actions.steer(m_sweep, {.verb = sweep::Steering::Verb::Enqueue, .params = *point});
    close();
}

} // namespace trainyard::ui
