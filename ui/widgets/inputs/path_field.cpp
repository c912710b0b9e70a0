// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/path_field.h"

#include "ui/models/desktop/file_question.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layout.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

namespace trainyard::ui {

PathField::PathField(Kind kind, QWidget* parent) : UnitField(QString(), parent), m_kind(kind) {
    setAcceptDrops(true);
    edit()->setAcceptDrops(false); // it would insert the URL
    m_browse = iconButton(QStringLiteral("folder"), tr("Browse…"));
    connect(m_browse, &QToolButton::clicked, this, &PathField::browse);
    addTail(m_browse);
    setTitle(kind == Folder ? tr("Folder") : tr("File"));
}

void PathField::setTitle(const QString& title) {
    m_title = title;
    edit()->setAccessibleName(title);
    m_browse->setAccessibleName(tr("Browse for %1").arg(title));
    m_browse->setToolTip(tr("Browse…, or drop one on the field"));
}

void PathField::setPatterns(const QStringList& patterns) { m_patterns = patterns; }

QString PathField::path() const {
    const QString typed = text().trimmed();
    return typed.startsWith(QLatin1String("~/")) ? QDir::homePath() + typed.mid(1) : typed;
}

void PathField::browse() {
    FileQuestion question{.kind = m_kind == Folder ? FileQuestion::Kind::Folder : FileQuestion::Kind::File,
                          .title = m_title};
    if (m_kind == File && !m_patterns.isEmpty())
        question.filters << QStringLiteral("%1 (%2)").arg(m_title, m_patterns.join(QLatin1Char(' ')))
                         << tr("All files (*)");
    const QFileInfo now(path());
    if (!path().isEmpty()) question.folder = m_kind == Folder ? now.absoluteFilePath() : now.absolutePath();
    askForFiles(
        this, question, [this](const ChosenFiles& chosen) { choose(chosen.path()); },
        [this] { edit()->setFocus(Qt::OtherFocusReason); });
}

void PathField::choose(const QString& path) {
    setText(path);
    Q_EMIT textEdited(path);
    Q_EMIT chosen(path);
}

QString PathField::dragged(const QDropEvent& event) const {
    for (const QUrl& url : event.mimeData()->urls()) {
        const QFileInfo file(url.toLocalFile());
        if (url.isLocalFile() && (m_kind == Folder ? file.isDir() : file.isFile())) return file.absoluteFilePath();
    }
    return {};
}

void PathField::setLit(bool on) {
    edit()->setProperty("kind", on ? QByteArray("drop") : error().isEmpty() ? QByteArray() : QByteArray("error"));
    edit()->update();
}

void PathField::dragEnterEvent(QDragEnterEvent* event) {
    // A drop that does not fit this field may fit the window.
    if (!isEnabled() || dragged(*event).isEmpty()) return event->ignore();
    setLit(true);
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

void PathField::dragLeaveEvent(QDragLeaveEvent*) { setLit(false); }

void PathField::dropEvent(QDropEvent* event) {
    setLit(false);
    event->setDropAction(Qt::CopyAction);
    event->accept();
    choose(dragged(*event));
}

} // namespace trainyard::ui
