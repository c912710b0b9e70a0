// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/layout.h"

#include <QStringList>
#include <QWidget>

class QComboBox;

namespace trainyard::ui {

// Where a run on hosts lives: this computer, or one of them, where it goes on without this computer. Hidden while there
// is nothing to choose.
class HomeField : public QWidget {
    Q_OBJECT
public:
    explicit HomeField(QWidget* parent = nullptr);

    // Of the run or sweep, besides this computer. What was chosen stays while it is among them.
    void setHosts(const QStringList& hosts, bool sweeping);
    QString home() const; // the host; empty: this computer
    QComboBox* combo() const { return m_combo; }

Q_SIGNALS:
    void changed();

private:
    void explain();

    QComboBox* m_combo;
    Label* m_note;
    bool m_sweeping = false;
};

} // namespace trainyard::ui
