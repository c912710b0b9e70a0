// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/sweep_header.h"

#include "engine/spec/run/run_spec.h"
#include "engine/sweep/results/sweep_result.h"
#include "ui/actions/action.h"
#include "ui/models/text/format.h"
#include "ui/pages/sweeps/sweep_controls.h"
#include "ui/widgets/inputs/split_button.h"
#include "ui/widgets/marks/status_chip.h"

#include <QAction>

#include <algorithm>

namespace trainyard::ui {

SweepHeader::SweepHeader(const SweepContext& context, QWidget* parent)
    : Surface(SurfaceColor::Window, BottomEdge, parent), m_bench(context.bench),
      m_title(new Label(QString(), TextRole::Title)), m_about(new Label(QString(), TextRole::SmallSecondary)),
      m_chip(new StatusChip(QString())), m_controls(new SweepControls(context)) {
    setFixedHeight(Theme::current().px(48));
    auto* line = row(this, 12);
    setMargins(line, 12, 0, 12, 1);
    buildStop();
    m_about->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // the buttons keep their width
    line->addWidget(m_title);
    line->addWidget(m_chip);
    line->addWidget(m_about, 1);
    line->addWidget(m_controls);
    line->addWidget(m_stop);
}

void SweepHeader::buildStop() {
    m_stop = new SplitButton(tr("Stop"), QLatin1String(action("stop").icon));
    m_stop->setToolTip(actionName(action("stop")));
    const auto stop = [this](wire::StopMode mode) { m_bench.actions.stopSweep(m_sweep, mode); };
    connect(m_stop, &QToolButton::clicked, this, [stop] { stop(wire::StopMode::SaveAndStop); });
    const std::pair<const char*, wire::StopMode> ways[] = {
        {"stop", wire::StopMode::SaveAndStop}, {"stop-now", wire::StopMode::StopNow}, {"kill", wire::StopMode::Kill}};
    for (const auto& [id, mode] : ways) {
        if (action(id).danger) m_stop->addSeparator();
        auto* item = m_stop->addItem(actionName(action(id)), action(id).danger);
        connect(item, &QAction::triggered, this, [stop, mode = mode] { stop(mode); });
        if (mode == wire::StopMode::SaveAndStop) m_save = item;
    }
}

// A program saves if it wants to.
void SweepHeader::nameStop(const spec::SweepSpec& sweep) {
    const auto run = spec::parseRunSpec(sweep.runJson);
    const QString name = run && run->program ? tr("Stop") : actionName(action("stop"));
    m_stop->setToolTip(name);
    m_save->setText(name);
}

// A mode that contradicts the name of its series decides which trial is called the best, so the header says so.
QString SweepHeader::withModes(QString about, const store::SweepRow& sweep) {
    if (sweep.specJson != m_specJson) {
        m_specJson = sweep.specJson;
        const auto spec = sweep::specOf(sweep);
        m_contrary = spec ? sweep::contraryModes(*spec) : std::vector<spec::Objective>();
        nameStop(spec ? *spec : spec::SweepSpec{});
    }
    for (const auto& each : m_contrary)
        about = (each.mode == "max" ? tr("%1; the highest %2 is the best") : tr("%1; the lowest %2 is the best"))
                    .arg(about, seriesText(QString::fromStdString(each.series)));
    return about;
}

void SweepHeader::setSweep(const store::SweepRow& sweep, std::size_t done, std::size_t known) {
    m_sweep = QString::fromStdString(sweep.id);
    m_title->setText(QString::fromStdString(sweep.name));
    const Residence home = m_bench.feed.homeOf(m_sweep);
    const bool isUnknown = !home.isHere() && sweep.status == wire::RunStatus::Unknown;
    const bool isUncertain = home.isOutOfReach() && (isUnknown || wire::isActive(sweep.status));
    if (isUncertain || isUnknown) m_chip->setChip(home.linkWord(), isUncertain ? Status::Warn : Status::Info);
    else
        m_chip->setChip(statusWord(sweep.status), wire::isActive(sweep.status)                ? Status::Info
                                                  : sweep.status == wire::RunStatus::Finished ? Status::Success
                                                  : sweep.status == wire::RunStatus::Failed   ? Status::Error
                                                                                              : Status::Neutral);
    const auto planned = static_cast<std::size_t>(std::max(0, sweep.trials));
    const QString progress =
        tr("%1 of %2 done")
            .arg(countText(static_cast<double>(done)), countText(static_cast<double>(std::max(planned, known))));
    m_about->setText(withModes(home.after(progress), sweep));
    m_about->setToolTip(m_about->text());
    m_controls->setSweep(sweep);
    m_stop->setVisible(wire::isActive(sweep.status));
}

} // namespace trainyard::ui
