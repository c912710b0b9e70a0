// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

// Look, curves, and where things are kept.
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

// Puts the saved theme and contrast on the application; called once at start.
void applySavedLook();

} // namespace trainyard::ui
