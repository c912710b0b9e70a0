// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

// Look, curves and locations.
class SettingsPage : public Surface {
    Q_OBJECT
public:
    explicit SettingsPage(Workbench& bench, QWidget* parent = nullptr);

private:
    QWidget* lookCard();
    QWidget* languageChoice();
    QWidget* curvesCard();
    QWidget* placesCard();

    Workbench& m_bench;
};

// Applies the saved theme and contrast; called once at start.
void applySavedLook();

} // namespace trainyard::ui
