// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/axis.h"
#include "ui/models/workbench.h"
#include "ui/widgets/sheet.h"

class QComboBox;
class QPushButton;

namespace trainyard::ui {

class UnitField;

// Asks for the values of a configuration that is to be the next to start: a field for each axis that counts.
class EnqueueSheet : public Sheet {
    Q_OBJECT
public:
    // Filled in with `values`, where they are given.
    EnqueueSheet(Workbench& bench, QWidget* window, const QString& sweep, std::vector<spec::Axis> axes,
                 const spec::Params& values);

private:
    struct Field {
        QWidget* row = nullptr;
        UnitField* text = nullptr;   // of a range
        QComboBox* choice = nullptr; // of a list
    };
    QWidget* buildField(const spec::Axis& axis, const spec::Params& values);
    QWidget* buildFooter();
    spec::Params given() const; // of the fields that count
    void judge();
    void enqueue();

    Workbench& m_bench;
    QString m_sweep;
    std::vector<spec::Axis> m_axes;
    std::vector<Field> m_fields;
    QPushButton* m_go = nullptr;
};

} // namespace trainyard::ui
