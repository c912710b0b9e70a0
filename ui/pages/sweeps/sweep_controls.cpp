// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/sweep_controls.h"

#include "ui/actions/share_run.h"
#include "ui/pages/sweeps/enqueue_sheet.h"
#include "ui/theme/icon.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QMainWindow>
#include <QMenu>
#include <QPointer>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

using Verb = sweep::Steering::Verb;

constexpr int kMostSlots = 1024;
constexpr int kSlotsPause = 600; // ms

// A brush is no more exact than three digits.
double rounded(double value, const spec::Axis& axis) {
    return std::clamp(QString::number(value, 'g', 3).toDouble(), axis.from, axis.to);
}

} // namespace

std::optional<spec::Restriction> restrictionOf(const spec::Axis& axis, const QList<Span>& spans) {
    spec::Restriction restriction{.path = axis.path};
    if (axis.isList()) {
        for (const spec::Value& value : axis.values) {
            const double place = spec::placeOf(axis, value);
            const bool inside = std::any_of(spans.begin(), spans.end(),
                                            [&](const Span& span) { return place >= span.low && place <= span.high; });
            if (inside) restriction.values.push_back(value);
        }
        if (restriction.values.empty()) return std::nullopt;
        return restriction;
    }
    if (spans.isEmpty()) return std::nullopt;
    double low = 1, high = 0;
    for (const Span& span : spans) {
        low = std::min(low, span.low);
        high = std::max(high, span.high);
    }
    const auto numberAt = [&](double place) {
        return spec::Choice{{}, {{"v", spec::valueAt(axis, std::clamp(place, 0.0, 1.0))}}}.number("v", 0);
    };
    restriction.from = rounded(numberAt(low), axis);
    restriction.to = rounded(numberAt(high), axis);
    return restriction;
}

SweepControls::SweepControls(const SweepContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    auto* line = row(this, 8);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    buildSlots();
    m_pause = iconButton(QStringLiteral("pause"), tr("Pause: start no new trials"));
    m_pause->setObjectName(QStringLiteral("pause-sweep"));
    m_more = iconButton(QStringLiteral("more"), tr("Steer the sweep"));
    m_menu = new QMenu(m_more);
    m_more->setMenu(m_menu);
    m_more->setPopupMode(QToolButton::InstantPopup);
    line->addWidget(m_slots);
    line->addWidget(m_pause);
    line->addWidget(m_more);
    connect(m_pause, &QToolButton::clicked, this, [this] { ask({.verb = m_paused ? Verb::Resume : Verb::Pause}); });
    connect(m_menu, &QMenu::aboutToShow, this, &SweepControls::fillMenu);
}

void SweepControls::buildSlots() {
    m_slots = new QSpinBox;
    m_slots->setRange(0, kMostSlots);
    m_slots->setSpecialValueText(tr("auto slots"));
    const auto say = [this](int count) { m_slots->setSuffix(count == 1 ? tr(" slot") : tr(" slots")); };
    say(m_slots->value());
    connect(m_slots, &QSpinBox::valueChanged, this, say);
    m_slots->setAccessibleName(tr("Slots"));
    m_slots->setToolTip(tr("How many trials train side by side; auto: as many as the cores allow"));
    const int arrows = Theme::current().px(40); // and margins
    m_slots->setFixedWidth(std::max(Theme::current().px(88),
                                    m_slots->fontMetrics().horizontalAdvance(m_slots->specialValueText()) + arrows));
    m_slotsLater.setSingleShot(true);
    m_slotsLater.setInterval(kSlotsPause);
    connect(m_slots, &QSpinBox::valueChanged, &m_slotsLater, qOverload<>(&QTimer::start));
    connect(&m_slotsLater, &QTimer::timeout, this, [this] { ask({.verb = Verb::Set, .parallel = m_slots->value()}); });
}

void SweepControls::setSweep(const store::SweepRow& sweep) {
    const QString id = QString::fromStdString(sweep.id);
    if (id != m_sweep) m_slotsLater.stop();
    m_sweep = id;
    m_name = QString::fromStdString(sweep.name);
    m_active = wire::isActive(sweep.status);
    m_paused = sweep.status == wire::RunStatus::Paused;
    m_pause->setVisible(m_active);
    m_slots->setVisible(m_active);
    m_pause->setIcon(icon(m_paused ? QStringLiteral("play") : QStringLiteral("pause")));
    const QString what = m_paused ? tr("Resume: start trials again") : tr("Pause: start no new trials");
    m_pause->setToolTip(what);
    m_pause->setAccessibleName(what);
    const QString count = m_context.trials.slotsText();
    const QString side = tr("How many trials train side by side; auto: as many as the cores allow");
    m_slots->setToolTip(count.isEmpty() ? side : side + QLatin1Char('\n') + tr("Now %1").arg(count));
    if (m_slotsLater.isActive() || m_slots->hasFocus()) return; // the user is editing it
    m_slots->setValue(m_context.trials.slots());
    m_slotsLater.stop(); // not a user's change
}

void SweepControls::fillMenu() {
    m_menu->clear();
    const auto add = [this](const QString& text, const char* iconName, auto act) {
        auto* entry = m_menu->addAction(*iconName == '\0' ? QIcon() : icon(QLatin1String(iconName)), text);
        connect(entry, &QAction::triggered, this, act);
        return entry;
    };
    add(tr("Add trials…"), "plus", [this] { askForTrials(); });
    add(tr("Enqueue a configuration…"), "", [this] { enqueue(); });
    add(tr("Restrict to brushes"), "filter", [this] { restrict(); })->setEnabled(isBrushed());
    m_menu->addSeparator();
    if (!m_context.bench.feed.homeOf(m_sweep).isHere())
        add(tr("Remove from the list"), "", [this] { m_context.bench.actions.forgetHome(m_sweep); });
    else // of the record here
        add(tr("Report…"), "export", [this] { askForReport(m_context.bench, {m_sweep}, m_name, window()); });
    if (!m_active) return;
    m_menu->addSeparator();
    auto* finish = add(tr("Finish"), "flag", [this] { ask({.verb = Verb::Finish}); });
    finish->setToolTip(tr("Start no new trials; running ones train to their end"));
    m_menu->setToolTipsVisible(true);
}

void SweepControls::ask(const sweep::Steering& asked) { m_context.bench.actions.steer(m_sweep, asked); }

void SweepControls::askForTrials() {
    auto* sheet = new AskSheet(this, tr("Add trials"), tr("Configurations to add:"), tr("Add"));
    sheet->askForNumber(10, 1, spec::kMaxTrials, [self = QPointer(this)](int count) {
        if (self) self->ask({.verb = Verb::Add, .count = count});
    });
    sheet->open();
}

// Starts with the values of the selected trial, else of the best.
void SweepControls::enqueue() {
    const auto& trials = m_context.trials;
    const int chosen = trials.indexOf(m_context.bench.selection.current());
    const Trial* like = chosen >= 0 ? &trials.trials()[static_cast<std::size_t>(chosen)] : trials.best();
    auto* main = qobject_cast<QMainWindow*>(window());
    auto* sheet = new EnqueueSheet(m_context.bench, main ? main->centralWidget() : window(), m_sweep, trials.axes(),
                                   like ? like->params : spec::Params{});
    sheet->open();
}

bool SweepControls::isBrushed() const {
    const auto brushed = m_context.filter.brushed();
    return std::any_of(brushed.begin(), brushed.end(), [](const QString& path) { return !path.isEmpty(); });
}

void SweepControls::restrict() {
    for (const spec::Axis& axis : m_context.trials.axes()) {
        const auto spans = m_context.filter.brush(axis.path);
        if (spans.isEmpty()) continue;
        if (auto restriction = restrictionOf(axis, spans))
            ask({.verb = Verb::Restrict, .restriction = std::move(*restriction)});
    }
}

} // namespace trainyard::ui
