// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/axis.h"
#include "ui/models/workbench.h"
#include "ui/widgets/sheets/sheet.h"

class QPushButton;

namespace trainyard::ui {

class PointFields;

// Asks for the values of the configuration to start next: a field for each axis that applies.
class EnqueueSheet : public Sheet {
    Q_OBJECT
public:
    // Filled in with `values`, where they are given.
    EnqueueSheet(Workbench& bench, QWidget* window, const QString& sweep, std::vector<spec::Axis> axes,
                 const spec::Params& values);

private:
    QWidget* buildFooter();
    void enqueue();

    Workbench& m_bench;
    QString m_sweep;
    PointFields* m_fields;
    QPushButton* m_go = nullptr;
};

} // namespace trainyard::ui
