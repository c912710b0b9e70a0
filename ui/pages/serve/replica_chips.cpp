// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/replica_chips.h"

#include "ui/models/serve/service_words.h"
#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/widgets/marks/status_chip.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr int kReplicaHeight = 52, kReplicaGap = 8, kReplicaEdge = 10;

} // namespace

ReplicaChip::ReplicaChip(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    connect(this, &QAbstractButton::clicked, this, [this] { showMenu(mapToGlobal(QPoint(0, height()))); });
}

QString ReplicaChip::title() const { return tr("Replica %1").arg(m_replica.number); }

QString ReplicaChip::counts() const {
    return tr("%1 answered · %n restarts", nullptr, m_replica.restarts)
        .arg(countText(static_cast<double>(m_replica.answered)));
}

void ReplicaChip::setReplica(const serve::ReplicaStatus& replica, bool canBeKilled) {
    m_replica = replica;
    m_canBeKilled = canBeKilled && replica.pid > 0;
    setAccessibleName(QStringLiteral("%1, %2, %3").arg(title(), stateText(replica.state), counts()));
    setToolTip(replica.pid > 0 ? tr("%1, process %2").arg(QString::fromStdString(replica.version)).arg(replica.pid)
                               : QString::fromStdString(replica.version));
    updateGeometry();
    update();
}

QSize ReplicaChip::sizeHint() const {
    const Theme& theme = Theme::current();
    const int first = QFontMetrics(theme.medium).horizontalAdvance(title()) + theme.px(12) +
                      chipWidth(stateText(m_replica.state), {});
    const int second = static_cast<int>(std::ceil(tabularWidth(theme.small, counts())));
    return {std::max(first, second) + 2 * theme.px(kReplicaEdge), theme.px(kReplicaHeight)};
}

void ReplicaChip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintFrame(painter, rect(), 4,
               isDown()       ? theme.controlPressed
               : underMouse() ? theme.controlHover
                              : theme.control,
               theme.borderStrong);
    const QRectF inside = QRectF(rect()).adjusted(theme.px(kReplicaEdge), theme.px(6), -theme.px(kReplicaEdge), 0);
    const QString state = stateText(m_replica.state);
    const int chip = chipWidth(state, {});
    const auto placed = [&](const QRectF& box) { return mirrored(layoutDirection(), rect(), box); };
    painter.setFont(theme.medium);
    painter.setPen(theme.text);
    painter.drawText(placed(QRectF(inside.left(), inside.top(), inside.width() - chip, theme.px(20))), Qt::AlignVCenter,
                     title());
    paintChip(painter, placed(QRectF(inside.right() - chip, inside.top(), chip, theme.px(20))), state,
              tintOf(m_replica.state), {});
    painter.setPen(theme.text2);
    paintTabular(painter, placed(QRectF(inside.left(), inside.top() + theme.px(22), inside.width(), theme.px(16))),
                 Qt::AlignLeft | Qt::AlignVCenter, theme.small, counts());
}

void ReplicaChip::showMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    auto* kill = menu->addAction(tr("Kill for a rehearsal…"), this, [this] { Q_EMIT killRequested(m_replica.number); });
    kill->setProperty("kind", QByteArray("danger"));
    kill->setEnabled(m_canBeKilled);
    menu->popup(at);
}

void ReplicaChip::contextMenuEvent(QContextMenuEvent* event) { showMenu(event->globalPos()); }

ReplicaChips::ReplicaChips(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ReplicaChips::setReplicas(const std::vector<serve::ReplicaStatus>& replicas, bool canBeKilled) {
    while (m_chips.size() > std::ssize(replicas)) delete m_chips.takeLast();
    while (m_chips.size() < std::ssize(replicas)) {
        auto* chip = new ReplicaChip(this);
        connect(chip, &ReplicaChip::killRequested, this, &ReplicaChips::killRequested);
        chip->show();
        m_chips << chip;
    }
    for (std::size_t i = 0; i < replicas.size(); ++i)
        m_chips[static_cast<qsizetype>(i)]->setReplica(replicas[i], canBeKilled);
    arrange();
}

// All as wide as the widest one.
void ReplicaChips::arrange() {
    const Theme& theme = Theme::current();
    const int gap = theme.px(kReplicaGap), high = theme.px(kReplicaHeight);
    int wide = 1;
    for (const ReplicaChip* each : std::as_const(m_chips)) wide = std::max(wide, each->sizeHint().width());
    const int across = std::max(1, (width() + gap) / (wide + gap));
    for (int i = 0; i < m_chips.size(); ++i)
        m_chips[i]->setGeometry(mirrored(layoutDirection(), rect(),
                                         QRectF(i % across * (wide + gap), i / across * (high + gap), wide, high))
                                    .toRect());
    const int lines = (static_cast<int>(m_chips.size()) + across - 1) / across;
    setFixedHeight(std::max(0, lines * (high + gap) - gap));
}

void ReplicaChips::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace trainyard::ui
