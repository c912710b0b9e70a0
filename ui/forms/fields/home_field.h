// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/layout.h"

#include <QStringList>
#include <QWidget>

class QComboBox;

namespace trainyard::ui {

// The home of a run on hosts: this computer, or one of the hosts, where it continues without this computer. Hidden
// while there is nothing to choose.
class HomeField : public QWidget {
    Q_OBJECT
public:
    explicit HomeField(QWidget* parent = nullptr);

    // Sets the hosts of the run or sweep, besides this computer. Keeps the choice if it is among them.
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
