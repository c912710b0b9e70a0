// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/chart_header.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace trainyard::ui {

ChartHeader::ChartHeader(const QString& title, QWidget* parent) : QWidget(parent), m_title(title) {
    const Theme& theme = Theme::current();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(12), 0, theme.px(6), 0);
    row->setSpacing(theme.px(2));
    row->addStretch(1);
    m_log = addButton(QString(), tr("log"), tr("Logarithmic y axis"));
    m_log->setCheckable(true);
    connect(m_log, &QPushButton::clicked, this, &ChartHeader::logToggled);
    connect(addButton(QStringLiteral("export"), QString(), tr("Export chart or data")), &QPushButton::clicked, this,
            &ChartHeader::exportRequested);
    connect(addButton(QStringLiteral("expand"), QString(), tr("Expand chart")), &QPushButton::clicked, this,
            &ChartHeader::expandRequested);
    for (QPushButton* button : m_buttons) row->addWidget(button);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    showActions();
}

QPushButton* ChartHeader::addButton(const QString& iconName, const QString& text, const QString& name) {
    auto* button = new QPushButton(text, this);
    if (!iconName.isEmpty()) setButtonIcon(button, iconName);
    setKind(button, "flat");
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->installEventFilter(this);
    // Hidden buttons keep their place in the focus chain only if they stay visible to it, so they
    // are shown transparent instead: see showActions().
    m_buttons << button;
    return button;
}

void ChartHeader::showActions() {
    bool focused = false;
    for (const QPushButton* button : std::as_const(m_buttons)) focused = focused || button->hasFocus();
    m_actions = underMouse() || focused;
    for (QPushButton* button : std::as_const(m_buttons)) {
        // Moved out of sight rather than hidden: the Tab key still reaches them.
        button->setMaximumWidth(m_actions ? QWIDGETSIZE_MAX : 0);
    }
    update();
}

void ChartHeader::setTag(const QString& tag) {
    if (tag != m_tag) {
        m_tag = tag;
        update();
    }
}

void ChartHeader::setNote(const QString& note) {
    m_note = note;
    update();
}

void ChartHeader::setValues(const QList<HeaderValue>& values) {
    m_values = values;
    update();
}

void ChartHeader::setLogChecked(bool on) { m_log->setChecked(on); }

QSize ChartHeader::sizeHint() const { return {Theme::current().px(240), Theme::current().px(36)}; }

void ChartHeader::enterEvent(QEnterEvent*) { showActions(); }

void ChartHeader::leaveEvent(QEvent*) { showActions(); }

bool ChartHeader::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        QMetaObject::invokeMethod(this, [this] { showActions(); }, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

void ChartHeader::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    QRectF area = QRectF(rect()).adjusted(theme.px(12), 0, -theme.px(8), 0);
    painter.setFont(theme.heading);
    painter.setPen(theme.text);
    const qreal titleWidth = QFontMetricsF(theme.heading).horizontalAdvance(m_title);
    painter.drawText(area, Qt::AlignVCenter | Qt::AlignLeft, m_title);
    qreal x = area.left() + titleWidth + theme.px(8);
    painter.setFont(theme.small);
    painter.setPen(theme.text3);
    for (const QString& word : {m_tag, m_note}) {
        const qreal width = QFontMetricsF(theme.small).horizontalAdvance(word);
        if (!word.isEmpty()) {
            painter.drawText(QRectF(x, 0, width + 1, height()), Qt::AlignVCenter, word);
            x += width + theme.px(8);
        }
    }
    if (m_actions) return;
    qreal right = area.right();
    for (auto it = m_values.crbegin(); it != m_values.crend(); ++it) {
        const qreal width = tabularWidth(theme.body, it->text);
        const qreal chip = theme.px(16);
        if (right - width - chip < x + theme.px(4)) break; // the last runs go first when it gets narrow
        painter.setPen(theme.text);
        paintTabular(painter, QRectF(right - width, 0, width, height()), Qt::AlignRight, theme.body, it->text);
        paintRunChip(painter, QPointF(right - width - theme.px(11), height() / 2.0), it->color, true);
        right -= width + chip + theme.px(8);
    }
}

} // namespace trainyard::ui
