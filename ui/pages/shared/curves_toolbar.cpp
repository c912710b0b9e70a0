// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shared/curves_toolbar.h"

#include "ui/actions/action.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/widgets/inputs/segmented_control.h"

#include <QAction>
#include <QMenu>
#include <QSlider>

namespace trainyard::ui {

double weightOfSlider(int position) {
    return position <= 0 ? 0.0 : std::min(0.999, 1.0 - std::pow(10.0, -3.0 * position / 1000.0));
}

void showWeight(QSlider& slider, Label& beside) {
    const double weight = weightOfSlider(slider.value());
    beside.setText(weight <= 0 ? CurvesToolbar::tr("off") : fixedText(weight, weight > 0.99 ? 3 : 2));
    slider.setProperty("shown", beside.text());
    slider.setProperty("number", weight);
    slider.setProperty("largest", weightOfSlider(slider.maximum()));
}

int sliderOfWeight(double weight) {
    return weight <= 0 ? 0 : static_cast<int>(std::lround(-std::log10(1.0 - std::min(weight, 0.999)) / 3.0 * 1000.0));
}

CurvesToolbar::CurvesToolbar(PlotGroup& group, QWidget* parent) : QWidget(parent), m_group(group) {
    build();
    connectChoices();
    restore();
    showLive();
}

void CurvesToolbar::build() {
    const Theme& theme = Theme::current();
    setFixedHeight(theme.px(44));
    m_x = new SegmentedControl({tr("Step"), tr("Epoch"), tr("Time"), tr("Wall")});
    m_x->setAccessibleName(tr("Horizontal axis"));
    m_y = new SegmentedControl({tr("Auto y"), tr("Linear"), tr("Log")});
    m_y->setAccessibleName(tr("Vertical axis"));
    m_smoothLabel = new Label(tr("Smooth"), TextRole::SmallSecondary);
    m_smooth = new QSlider(Qt::Horizontal);
    m_smooth->setRange(0, 1000);
    m_smooth->setPageStep(100);
    m_smooth->setMinimumWidth(theme.px(48));
    m_smooth->setMaximumWidth(theme.px(96));
    m_smooth->setAccessibleName(tr("Smoothing"));
    m_smooth->setToolTip(
        tr("Weight of the moving average; off at the left end. The raw curve stays visible, fainter."));
    m_smoothLabel->setBuddy(m_smooth);
    m_weight = new Label(QString(), TextRole::Small);
    m_weight->setMinimumWidth(m_weight->fontMetrics().horizontalAdvance(QStringLiteral("0.000")));
    m_live = new QToolButton;
    m_live->setIcon(icon(QStringLiteral("live")));
    setKind(m_live, "flat");
    m_live->setAutoRaise(true);
    m_more = iconButton(QStringLiteral("more"), tr("More drawing options"));
    m_more->setMenu(new QMenu(m_more));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_logX = new QAction(this);
    m_band = new QAction(this);
    m_events = new QAction(this);
    auto* layout = row(this, 12);
    setMargins(layout, 12, 0, 12, 0);
    layout->addWidget(m_x);
    layout->addWidget(m_y);
    layout->addWidget(m_smoothLabel);
    layout->addWidget(m_smooth, 1);
    layout->addWidget(m_weight);
    layout->addWidget(addToggle(m_logX, "log-x", tr("log x")));
    layout->addWidget(m_bandButton = addToggle(m_band, "band", tr("± std")));
    layout->addWidget(addToggle(m_events, "events", tr("events")));
    layout->addStretch(1);
    layout->addWidget(m_live);
    layout->addWidget(m_more);
}

// A toggle: a button or, in a narrow window, a line of the menu.
QToolButton* CurvesToolbar::addToggle(QAction* toggle, const char* id, const QString& shortName) {
    toggle->setText(actionText(action(id)));
    toggle->setIconText(shortName); // text of the button
    toggle->setToolTip(actionTip(action(id)));
    toggle->setCheckable(true);
    m_more->menu()->addAction(toggle);
    auto* button = new QToolButton;
    button->setDefaultAction(toggle);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setAccessibleName(toggle->text());
    setKind(button, "flat");
    m_toggles << button;
    return button;
}

void CurvesToolbar::connectChoices() {
    connect(m_x, &SegmentedControl::currentIndexChanged, this, [this](int index) {
        m_group.setXMode(static_cast<XMode>(index));
        Settings::curvesX.set(index);
    });
    connect(m_y, &SegmentedControl::currentIndexChanged, this, [this](int index) {
        m_group.setYMode(static_cast<YMode>(index));
        Settings::curvesY.set(index);
    });
    connect(m_smooth, &QSlider::valueChanged, this, [this](int position) {
        m_group.setSmoothing(weightOfSlider(position));
        Settings::smoothing.set(m_group.smoothing());
        showSmoothing();
    });
    connect(m_logX, &QAction::toggled, this, [this](bool on) {
        m_group.setLogX(on);
        Settings::curvesLogX.set(on);
    });
    connect(m_band, &QAction::toggled, this, [this](bool on) {
        m_group.setShowBand(on);
        Settings::curvesBand.set(on);
    });
    connect(m_events, &QAction::toggled, this, [this](bool on) {
        m_group.setShowEvents(on);
        Settings::curvesEvents.set(on);
    });
    connect(m_live, &QToolButton::clicked, this, &CurvesToolbar::toggleLive);
    connect(&m_group, &PlotGroup::modesChanged, this, &CurvesToolbar::choicesChanged);
    connect(&m_group, &PlotGroup::smoothingChanged, this, &CurvesToolbar::choicesChanged);
    connect(&m_group, &PlotGroup::showEventsChanged, this, &CurvesToolbar::choicesChanged);
    connect(&m_group, &PlotGroup::pausedChanged, this, &CurvesToolbar::showLive);
    connect(&m_group, &PlotGroup::visibleRangeChanged, this, &CurvesToolbar::showLive);
    connect(&m_group, &PlotGroup::fullRangeChanged, this, &CurvesToolbar::showLive);
}

void CurvesToolbar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitWidth();
}

// Where space is short, a word goes first; then the toggles move into a menu, and the live button loses its word (its
// icon and tooltip stay). The band, which runs over several seeds need, stays a step longer. Last goes the slider,
// whose value the settings keep.
void CurvesToolbar::fitWidth() {
    for (int left = 4; left >= 0; --left) {
        m_smoothLabel->setVisible(left == 4);
        for (QToolButton* toggle : std::as_const(m_toggles))
            toggle->setVisible(left >= (toggle == m_bandButton ? 2 : 3));
        m_more->setVisible(left < 3);
        m_live->setToolButtonStyle(left >= 3 ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        layout()->setSpacing(Theme::current().px(left >= 3 ? 12 : 8));
        m_smooth->setVisible(left >= 1);
        m_weight->setVisible(left >= 1);
        layout()->invalidate();
        if (layout()->minimumSize().width() <= width()) return;
    }
}

void CurvesToolbar::restore() {
    m_x->setCurrentIndex(Settings::curvesX.get());
    m_y->setCurrentIndex(Settings::curvesY.get());
    m_group.setXMode(static_cast<XMode>(m_x->currentIndex()));
    m_group.setYMode(static_cast<YMode>(m_y->currentIndex()));
    m_logX->setChecked(Settings::curvesLogX.get());
    m_band->setChecked(Settings::curvesBand.get());
    m_events->setChecked(Settings::curvesEvents.get());
    m_group.setShowEvents(m_events->isChecked());
    m_smooth->setValue(sliderOfWeight(Settings::smoothing.get()));
    m_group.setSmoothing(weightOfSlider(m_smooth->value()));
    showSmoothing();
}

ChartView CurvesToolbar::choices() const {
    return {{},
            m_group.xMode(),
            m_group.yMode(),
            m_logX->isChecked(),
            m_band->isChecked(),
            m_events->isChecked(),
            m_group.smoothing()};
}

void CurvesToolbar::setChoices(const ChartView& view) {
    m_x->setCurrentIndex(static_cast<int>(view.x));
    m_y->setCurrentIndex(static_cast<int>(view.y));
    m_logX->setChecked(view.logX);
    m_band->setChecked(view.band);
    m_events->setChecked(view.events);
    m_smooth->setValue(sliderOfWeight(view.smoothing));
}

void CurvesToolbar::showSmoothing() { showWeight(*m_smooth, *m_weight); }

void CurvesToolbar::toggleLogX() { m_logX->toggle(); }

void CurvesToolbar::toggleBand() { m_band->toggle(); }

void CurvesToolbar::toggleEvents() { m_events->toggle(); }

void CurvesToolbar::showLive() {
    const bool behind = m_group.isBehindLive() && !m_group.isPaused();
    const QString text = m_group.isPaused() ? tr("Paused") : behind ? tr("Jump to live") : tr("Live");
    if (text == m_live->text()) return;
    m_live->setText(text);
    m_live->setAccessibleName(text);
    m_live->setIcon(icon(m_group.isPaused() ? QStringLiteral("pause") : QStringLiteral("live")));
    m_live->setToolTip(m_group.isPaused()
                           ? tr("The live view is paused; points are still recorded. Click to catch up.  Space")
                       : behind ? tr("Newer points lie to the right of the visible range.  End")
                                : tr("New points appear as they arrive; click to pause.  Space"));
    fitWidth();
}

void CurvesToolbar::toggleLive() {
    if (!m_group.isPaused() && m_group.isBehindLive()) m_group.jumpToLive();
    else m_group.setPaused(!m_group.isPaused());
    showLive();
}

} // namespace trainyard::ui
