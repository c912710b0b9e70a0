// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/new_run/drop_use.h"

#include <QPointer>
#include <QWidget>

class QDropEvent;

namespace trainyard::ui {

// Covers the window during a drag: says what a drop would do, or why it cannot.
class DropHint : public QWidget {
    Q_OBJECT
public:
    explicit DropHint(QWidget* over);

    // Empty `why`: the drop is possible.
    void show(const QString& what, const QString& why);
    QString what() const { return m_what; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_what, m_why;
};

// Files and folders dropped anywhere on a window; widgets that take drops themselves come first.
class FileDrop : public QObject {
    Q_OBJECT
public:
    explicit FileDrop(QWidget* window);

Q_SIGNALS:
    void dropped(const trainyard::ui::TrainingSource& source);
    // Runs of other programs.
    void importDropped(const QStringList& paths);
    // A drop that no run can start from.
    void refused(const QString& why);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool enter(QDropEvent& event);
    void move(QDropEvent& event);
    void drop(QDropEvent& event);
    void showHint();
    const DropUse& use() const { return m_place == DropPlace::RunsTable ? m_onRuns : m_elsewhere; }

    QWidget* m_window;
    QPointer<DropHint> m_hint;
    QStringList m_paths; // of the drag
    DropUse m_onRuns, m_elsewhere;
    DropPlace m_place = DropPlace::Elsewhere; // place under the pointer
};

} // namespace trainyard::ui
