// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>

#include <functional>
#include <vector>

class QListWidget;

namespace trainyard::ui {

class UnitEdit;

// One entry of the palette: a command, or a run.
struct Command {
    QString text, note, keys, iconName;
    QColor chip; // of a run; invalid for commands
    std::function<void()> act;
    QString name{};         // name of its target; empty: same as its text
    QString untranslated{}; // English words, which are found in every language
};

// Searches runs and commands; words in any order, Enter runs the first.
class CommandPalette : public QWidget {
    Q_OBJECT
public:
    CommandPalette(std::vector<Command> commands, QWidget* window);
    // Opens with its field exactly over `field`.
    void openBelow(QWidget* field);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void filter(const QString& text);
    void run(int row);

    std::vector<Command> m_commands;
    UnitEdit* m_edit;
    QListWidget* m_list;
};

} // namespace trainyard::ui
