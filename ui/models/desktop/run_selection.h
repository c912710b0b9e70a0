// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QStringList>

namespace trainyard::ui {

// The one selection of the window: the runs drawn in every chart, the run shown in the inspector,
// and the run under the pointer. Kept by id, so that it survives rows that move between groups.
class RunSelection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const QStringList& selected() const { return m_selected; }
    bool isSelected(const QString& run) const { return m_chosen.contains(run); }
    QString current() const { return m_current; }
    // Whether somebody chose the current run; else it is current for want of another.
    bool isCurrentChosen() const { return m_currentChosen; }
    QString hovered() const { return m_hovered; }

    // Replaces the drawn runs; the current run stays when it is among them, else the first becomes it.
    void setSelected(const QStringList& runs);
    void setCurrent(const QString& run);
    // Sets the current run without counting as a choice.
    void suggestCurrent(const QString& run);
    // Draws and shows just this run.
    void show(const QString& run);
    void clear();
    // Draws or hides one run, leaving the others.
    void toggle(const QString& run);
    void setHovered(const QString& run);

Q_SIGNALS:
    void selectedChanged();
    void currentChanged();
    void hoveredChanged();

private:
    void replace(const QStringList& runs);

    QStringList m_selected;
    QSet<QString> m_chosen; // the same: each row of the table asks
    QString m_current, m_hovered;
    bool m_currentChosen = false;
};

} // namespace trainyard::ui
