// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/card/chart_header.h"

#include "ui/plots/canvas/plot_layer.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>

#include <utility>

namespace trainyard::ui {

namespace {

constexpr int kReadMs = 150;

} // namespace

ChartHeader::ChartHeader(const QString& title, QWidget* parent) : QWidget(parent), m_titles{title} {
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
    m_menu = addButton(QStringLiteral("more"), QString(), tr("More about this chart"));
    connect(m_menu, &QPushButton::clicked, this, [this] { Q_EMIT menuRequested(menuPosition()); });
    for (QPushButton* button : m_buttons) row->addWidget(button);
    m_menu->hide();
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_read.setSingleShot(true);
    m_read.setInterval(kReadMs);
    connect(&m_read, &QTimer::timeout, this, [this] {
        if (std::exchange(m_late, false)) update();
    });
    showActions();
}

QPushButton* ChartHeader::addButton(const QString& iconName, const QString& text, const QString& name) {
    auto* button = new QPushButton(text, this);
    if (!iconName.isEmpty()) setButtonIcon(button, iconName);
    setKind(button, "flat");
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setCursor(Qt::ArrowCursor);
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
        // Moved out of sight instead of hidden, so that Tab still reaches them.
        button->setMaximumWidth(m_actions ? QWIDGETSIZE_MAX : 0);
    }
    update();
}

void ChartHeader::setTitles(const QStringList& titles) {
    if (titles == m_titles) return;
    m_titles = titles;
    m_fittedRoom = -1;
    update();
}

void ChartHeader::setPinned(bool on) {
    if (std::exchange(m_pinned, on) != on) update();
}

void ChartHeader::setOnBoard(bool on) {
    m_onBoard = on;
    m_menu->setVisible(on);
    if (on) setCursor(Qt::OpenHandCursor);
    else unsetCursor();
}

QPoint ChartHeader::menuPosition() const { return mapToGlobal(QPoint(width() - Theme::current().px(180), height())); }

void ChartHeader::setTag(const QString& tag) {
    if (tag != m_tag) {
        m_tag = tag;
        update();
    }
}

void ChartHeader::setNote(const QString& note) {
    if (note == m_note) return;
    m_note = note;
    update();
}

void ChartHeader::setValues(const QList<HeaderValue>& values, bool atOnce) {
    if (values == m_values) return;
    m_values = values;
    m_isOfPointer = atOnce;
    m_late = !atOnce && m_read.isActive();
    if (m_late) return;
    update();
    m_read.start();
}

void ChartHeader::setLogChecked(bool on) { m_log->setChecked(on); }

QSize ChartHeader::sizeHint() const { return {Theme::current().px(240), Theme::current().px(36)}; }

void ChartHeader::enterEvent(QEnterEvent*) { showActions(); }

void ChartHeader::leaveEvent(QEvent*) { showActions(); }

void ChartHeader::mousePressEvent(QMouseEvent* event) {
    if (!m_onBoard || event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    m_pressed = event->globalPosition().toPoint();
    parentWidget()->setFocus(Qt::MouseFocusReason); // from now on, the card gets the keys that move the chart
}

void ChartHeader::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->globalPosition().toPoint();
    if (!m_pressed || (!m_dragging && (at - *m_pressed).manhattanLength() < QApplication::startDragDistance())) return;
    if (!m_dragging) {
        m_dragging = true;
        setCursor(Qt::ClosedHandCursor);
        grabKeyboard(); // Escape cancels the drag, whatever has the focus
    }
    Q_EMIT dragged(at, false);
}

void ChartHeader::mouseReleaseEvent(QMouseEvent* event) {
    const bool drops = m_dragging;
    endDrag();
    if (drops) Q_EMIT dragged(event->globalPosition().toPoint(), true);
}

void ChartHeader::keyPressEvent(QKeyEvent* event) {
    if (!m_dragging) return QWidget::keyPressEvent(event);
    if (event->key() != Qt::Key_Escape) return;
    endDrag();
    Q_EMIT dragCancelled();
}

void ChartHeader::endDrag() {
    m_pressed.reset();
    if (!m_dragging) return;
    m_dragging = false;
    releaseKeyboard();
    setCursor(Qt::OpenHandCursor);
}

bool ChartHeader::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        QMetaObject::invokeMethod(this, [this] { showActions(); }, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

// Elides the titles only for a new width or font: the values beside them are painted far more often.
void ChartHeader::fitTitles(qreal room) {
    const Theme& theme = Theme::current();
    if (room == m_fittedRoom && theme.heading == m_fittedFont) return;
    m_fittedRoom = room;
    m_fittedFont = theme.heading;
    m_fitted.clear();
    const QFontMetricsF metrics(theme.heading);
    const qreal line = m_titles.size() > 1 ? theme.px(18) + theme.px(6) : 0;
    qreal left = 0;
    for (const QString& title : std::as_const(m_titles)) {
        if (left >= room) break;
        left += line;
        const QString text = metrics.elidedText(title, Qt::ElideRight, room - left);
        m_fitted << FittedTitle{text, metrics.horizontalAdvance(text)};
        left += m_fitted.last().width + 2 * theme.px(6);
    }
}

QRectF ChartHeader::placed(const QRectF& box) const { return mirrored(layoutDirection(), rect(), box); }

// Where the actions begin, as if it were from left to right.
qreal ChartHeader::actionsBegin() const { return placed(m_buttons.first()->geometry()).left(); }

// Paints pin and titles as far as they fit beside the actions; returns their right end.
qreal ChartHeader::paintTitles(QPainter& painter, const QRectF& area) {
    const Theme& theme = Theme::current();
    const qreal gap = theme.px(6), middle = height() / 2.0;
    qreal left = area.left();
    if (m_pinned) {
        const QRectF at(left, middle - theme.px(7), theme.px(14), theme.px(14));
        icon(QStringLiteral("pin")).paint(&painter, placed(at).toRect());
        left = at.right() + gap;
    }
    const qreal right = m_actions ? actionsBegin() : area.right();
    fitTitles(right - left);
    painter.setFont(theme.heading);
    for (int i = 0; i < m_fitted.size(); ++i) {
        if (m_titles.size() > 1) {
            QPen pen(theme.text2, 2, i == 0 ? Qt::SolidLine : Qt::CustomDashLine, Qt::FlatCap);
            if (const auto dashes = dashOf(i); !dashes.isEmpty()) pen.setDashPattern(dashes);
            painter.setPen(pen);
            const QRectF line = placed(QRectF(left, middle, std::min<qreal>(right - left, theme.px(18)), 0));
            painter.drawLine(line.topLeft(), line.topRight());
            left += theme.px(18) + gap;
        }
        painter.setPen(theme.text);
        painter.drawText(placed(QRectF(left, 0, right - left, height())), Qt::AlignVCenter | Qt::AlignLeft,
                         m_fitted[i].text);
        left += m_fitted[i].width + (i + 1 < m_titles.size() ? 2 * gap : 0);
    }
    return left;
}

void ChartHeader::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    QRectF area = QRectF(rect()).adjusted(theme.px(12), 0, -theme.px(8), 0);
    qreal x = paintTitles(painter, area) + theme.px(8);
    painter.setFont(theme.small);
    painter.setPen(theme.text3);
    // Where space is short, the values replace the note, and the first value the tag.
    const auto room = [&](const HeaderValue& value) { return tabularWidth(theme.body, value.text) + theme.px(24); };
    qreal all = 0;
    for (auto value = m_values.cbegin(); value != m_values.cend() && all <= area.width(); ++value) all += room(*value);
    // At rest, some would pass for all; under the pointer, the best are the last ones.
    const bool fit = m_isOfPointer || x + all <= area.right();
    if (!fit) all = 0;
    const qreal one = m_values.isEmpty() || !fit ? 0 : room(m_values.last());
    bool isTagged = false;
    for (const auto& [word, kept] : {std::pair{m_tag, one}, std::pair{m_note, all}}) {
        const QString text = isTagged && !word.isEmpty() ? QStringLiteral(", ") + word : word;
        const qreal left = isTagged ? x - theme.px(8) : x;
        const qreal width = QFontMetricsF(theme.small).horizontalAdvance(text);
        if (text.isEmpty() || left + width > (m_actions ? actionsBegin() : area.right() - kept)) continue;
        painter.drawText(placed(QRectF(left, 0, width + 1, height())), Qt::AlignVCenter, text);
        x = left + width + theme.px(8);
        isTagged = true;
    }
    if (m_actions || !fit) return;
    qreal right = area.right();
    for (auto it = m_values.crbegin(); it != m_values.crend(); ++it) {
        const qreal width = tabularWidth(theme.body, it->text);
        const qreal chip = theme.px(16);
        if (right - width - chip < x + theme.px(4)) break; // where space is short, the first ones go
        painter.setPen(theme.text);
        paintTabular(painter, placed(QRectF(right - width, 0, width, height())), Qt::AlignRight, theme.body, it->text);
        const QRectF mark(right - width - theme.px(16), 0, theme.px(10), height());
        paintRunChip(painter, placed(mark).center(), it->color, true);
        right -= width + chip + theme.px(8);
    }
}

} // namespace trainyard::ui
