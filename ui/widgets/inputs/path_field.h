// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/inputs/unit_field.h"

#include <QStringList>

class QToolButton;

namespace trainyard::ui {

// The path of a file or folder: typed, chosen in the desktop's dialog, or dropped on the field.
class PathField : public UnitField {
    Q_OBJECT
public:
    enum Kind { File, Folder };
    explicit PathField(Kind kind, QWidget* parent = nullptr);

    // The wanted kind, "File" or "Folder of images": names the field, the button and the dialog.
    void setTitle(const QString& title);
    // File patterns that the dialog offers first, "*.csv"; none: all.
    void setPatterns(const QStringList& patterns);
    // The text as a path: "~/" is the user's home.
    QString path() const;
    // Opens the desktop's dialog.
    void browse();

Q_SIGNALS:
    // A path was chosen or dropped; textEdited() is emitted, too.
    void chosen(const QString& path);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void choose(const QString& path);
    QString dragged(const QDropEvent& event) const; // empty: nothing of this kind
    void setLit(bool on);

    Kind m_kind;
    QString m_title;
    QStringList m_patterns;
    QToolButton* m_browse;
};

} // namespace trainyard::ui
