// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/file_drop.h"

#include "ui/pages/runs/table/runs_panel.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"

#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QPainter>

namespace trainyard::ui {

namespace {

QString whatDropDoes(const TrainingSource& source) {
    const QString name = QFileInfo(source.path).fileName();
    switch (source.kind) {
    case TrainingSource::RunFile: return FileDrop::tr("Drop to open %1").arg(name);
    case TrainingSource::Images: return FileDrop::tr("Drop to train on the images in %1").arg(name);
    case TrainingSource::Table: return FileDrop::tr("Drop to train on the table %1").arg(name);
    case TrainingSource::Text: return FileDrop::tr("Drop to train on the text %1").arg(name);
    case TrainingSource::Weights: return FileDrop::tr("Drop to begin with the weights in %1").arg(name);
    case TrainingSource::Script:
    case TrainingSource::Plugin: return FileDrop::tr("Drop to train the model %1").arg(name);
    case TrainingSource::Program: return FileDrop::tr("Drop to run the program %1").arg(name);
    }
    return {};
}

QString whatDropDoes(const DropUse& use, const QStringList& paths) {
    if (use.kind == DropUse::Train) return whatDropDoes(*use.source);
    const QString name = QFileInfo(paths.value(0)).fileName();
    if (use.kind == DropUse::Nothing) return FileDrop::tr("%1 cannot be used here").arg(name);
    if (paths.size() == 1) return FileDrop::tr("Drop to import the runs in %1").arg(name);
    return FileDrop::tr("Drop to import the runs in %n files and folders", nullptr, static_cast<int>(paths.size()));
}

QString whatIsUsed() {
    return FileDrop::tr("%1. You can also import logs of TensorBoard, W&B and MLflow.").arg(trainingSourcesText());
}

DropPlace placeAt(const QWidget& window, const QPoint& point) {
    for (const QWidget* at = window.childAt(point); at; at = at->parentWidget())
        if (qobject_cast<const RunsPanel*>(at)) return DropPlace::RunsTable;
    return DropPlace::Elsewhere;
}

} // namespace

DropHint::DropHint(QWidget* over) : QWidget(over) {
    setAttribute(Qt::WA_TransparentForMouseEvents); // drag events go to the widgets below
    setGeometry(over->rect());
    hide();
}

void DropHint::show(const QString& what, const QString& why) {
    m_what = what;
    m_why = why;
    setAccessibleName(what + QLatin1Char(' ') + why);
    setGeometry(parentWidget()->rect());
    raise();
    QWidget::show();
    update();
}

void DropHint::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.scrim);
    const QColor line = m_why.isEmpty() ? theme.accent : theme.borderStrong;
    const QRectF frame = QRectF(rect()).adjusted(theme.px(16), theme.px(16), -theme.px(16), -theme.px(16));
    painter.setPen(QPen(line, theme.px(2), Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(frame, theme.px(8), theme.px(8));
    QRectF card(0, 0, std::min<qreal>(theme.px(520), width() - theme.px(64)), theme.px(m_why.isEmpty() ? 104 : 168));
    card.moveCenter(frame.center());
    paintFrame(painter, card, theme.px(6), theme.panel, line);
    const qreal side = theme.px(24);
    const QRectF inner = card.adjusted(theme.px(20), theme.px(20), -theme.px(20), -theme.px(16));
    paintIcon(painter, m_why.isEmpty() ? QStringLiteral("import") : QStringLiteral("info"),
              QRectF(inner.center().x() - side / 2, inner.top(), side, side), m_why.isEmpty() ? line : theme.text2);
    painter.setFont(theme.heading);
    painter.setPen(theme.text);
    const QRectF title(inner.left(), inner.top() + side + theme.px(8), inner.width(), theme.px(24));
    painter.drawText(title, Qt::AlignCenter,
                     QFontMetricsF(theme.heading).elidedText(m_what, Qt::ElideMiddle, title.width()));
    if (m_why.isEmpty()) return;
    painter.setFont(theme.small);
    painter.setPen(theme.text2);
    painter.drawText(QRectF(inner.left(), title.bottom() + theme.px(4), inner.width(), inner.bottom() - title.bottom()),
                     Qt::AlignHCenter | Qt::TextWordWrap, m_why);
}

FileDrop::FileDrop(QWidget* window) : QObject(window), m_window(window) {
    window->setAcceptDrops(true);
    window->installEventFilter(this);
}

bool FileDrop::enter(QDropEvent& event) {
    if (!event.mimeData()->hasUrls()) return false; // text, for a field
    m_paths = localPaths(*event.mimeData());
    m_onRuns = dropUse(m_paths, DropPlace::RunsTable);
    m_elsewhere = dropUse(m_paths, DropPlace::Elsewhere);
    m_place = placeAt(*m_window, event.position().toPoint());
    showHint();
    event.setDropAction(Qt::CopyAction);
    event.accept(); // else no leave event would come, and the hint would stay
    return true;
}

void FileDrop::showHint() {
    if (!m_hint) m_hint = new DropHint(m_window);
    m_hint->show(whatDropDoes(use(), m_paths), use().kind == DropUse::Nothing ? whatIsUsed() : QString());
}

void FileDrop::move(QDropEvent& event) {
    const DropPlace place = placeAt(*m_window, event.position().toPoint());
    if (std::exchange(m_place, place) != place) showHint();
    event.accept();
}

void FileDrop::drop(QDropEvent& event) {
    if (m_hint) m_hint->hide();
    const QStringList paths = localPaths(*event.mimeData());
    const DropUse todo = dropUse(paths, placeAt(*m_window, event.position().toPoint()));
    event.setDropAction(Qt::CopyAction);
    event.accept();
    switch (todo.kind) {
    case DropUse::Train: Q_EMIT dropped(*todo.source); break;
    case DropUse::Import: Q_EMIT importDropped(todo.imports); break;
    case DropUse::Nothing:
        Q_EMIT refused(tr("A run cannot start from %1. %2").arg(QFileInfo(paths.value(0)).fileName(), whatIsUsed()));
        break;
    }
}

bool FileDrop::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::DragEnter:
        if (enter(static_cast<QDropEvent&>(*event))) return true;
        break;
    case QEvent::DragMove: move(static_cast<QDropEvent&>(*event)); return true;
    case QEvent::DragLeave:
        if (m_hint) m_hint->hide();
        return true;
    case QEvent::Drop: drop(static_cast<QDropEvent&>(*event)); return true;
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace trainyard::ui
