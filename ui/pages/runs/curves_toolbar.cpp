// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves_toolbar.h"

#include "ui/models/settings.h"
#include "ui/theme/icon.h"
#include "ui/widgets/segmented_control.h"

#include <QSlider>

namespace trainyard::ui {

double weightOfSlider(int position) {
    return position <= 0 ? 0.0 : std::min(0.999, 1.0 - std::pow(10.0, -3.0 * position / 1000.0));
}

int sliderOfWeight(double weight) {
    return weight <= 0 ? 0 : static_cast<int>(std::lround(-std::log10(1.0 - std::min(weight, 0.999)) / 3.0 * 1000.0));
}

CurvesToolbar::CurvesToolbar(PlotGroup& group, QWidget* parent) : QWidget(parent), m_group(group) {
    const Theme& theme = Theme::current();
    setFixedHeight(theme.px(44));
    auto* layout = row(this, 12);
    setMargins(layout, 12, 0, 12, 0);
    m_x = new SegmentedControl({tr("Step"), tr("Epoch"), tr("Time")});
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
    m_smooth->setToolTip(tr("Weight of the moving average; at the left end off. The raw curve stays, fainter."));
    m_smoothLabel->setBuddy(m_smooth);
    m_weight = new Label(QString(), TextRole::Small);
    m_weight->setMinimumWidth(m_weight->fontMetrics().horizontalAdvance(QStringLiteral("0.000")));
    m_live = new QToolButton;
    m_live->setIcon(icon(QStringLiteral("live")));
    m_live->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_live->setProperty("kind", "flat");
    m_live->setAutoRaise(true);
    auto* exporter = iconButton(QStringLiteral("export"), tr("Export charts or points"), QStringLiteral("Ctrl+E"));
    layout->addWidget(m_x);
    layout->addWidget(m_y);
    layout->addWidget(m_smoothLabel);
    layout->addWidget(m_smooth, 1);
    layout->addWidget(m_weight);
    layout->addStretch(1);
    layout->addWidget(m_live);
    layout->addWidget(exporter);

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
    connect(m_live, &QToolButton::clicked, this, &CurvesToolbar::toggleLive);
    connect(exporter, &QToolButton::clicked, this,
            [this, exporter] { Q_EMIT exportRequested(exporter->mapToGlobal(QPoint(0, exporter->height()))); });
    connect(&group, &PlotGroup::pausedChanged, this, &CurvesToolbar::showLive);
    connect(&group, &PlotGroup::visibleRangeChanged, this, &CurvesToolbar::showLive);
    connect(&group, &PlotGroup::fullRangeChanged, this, &CurvesToolbar::showLive);
    restore();
    showLive();
}

void CurvesToolbar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const Theme& theme = Theme::current();
    // Too narrow for everything: words go first, then the slider, whose value the settings keep.
    m_smoothLabel->setVisible(width() >= theme.px(660));
    m_smooth->setVisible(width() >= theme.px(570));
    m_weight->setVisible(width() >= theme.px(570));
}

void CurvesToolbar::restore() {
    m_x->setCurrentIndex(Settings::curvesX.get());
    m_y->setCurrentIndex(Settings::curvesY.get());
    m_group.setXMode(static_cast<XMode>(m_x->currentIndex()));
    m_group.setYMode(static_cast<YMode>(m_y->currentIndex()));
    m_smooth->setValue(sliderOfWeight(Settings::smoothing.get()));
    m_group.setSmoothing(weightOfSlider(m_smooth->value()));
    showSmoothing();
}

void CurvesToolbar::showSmoothing() {
    const double weight = m_group.smoothing();
    m_weight->setText(weight <= 0 ? tr("off") : QString::number(weight, 'f', weight > 0.99 ? 3 : 2));
}

void CurvesToolbar::showLive() {
    const bool behind = m_group.isBehindLive() && !m_group.isPaused();
    m_live->setText(m_group.isPaused() ? tr("Paused") : behind ? tr("Jump to live") : tr("Live"));
    m_live->setIcon(icon(m_group.isPaused() ? QStringLiteral("pause") : QStringLiteral("live")));
    m_live->setToolTip(m_group.isPaused()
                           ? tr("The live view is paused; points are still recorded. Press to catch up.  Space")
                       : behind ? tr("Newer points lie to the right of what is shown.  End")
                                : tr("New points are drawn as they come; press to hold the picture.  Space"));
}

void CurvesToolbar::toggleLive() {
    if (!m_group.isPaused() && m_group.isBehindLive()) m_group.jumpToLive();
    else m_group.setPaused(!m_group.isPaused());
    showLive();
}

} // namespace trainyard::ui
