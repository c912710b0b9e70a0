// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/inputs/color_grid.h"
#include "ui/widgets/sheets/sheet.h"

class QComboBox;
class QLineEdit;
class QPushButton;

namespace trainyard::ui {

class Label;

// Sets the colour of one run or several: from the palette, any other, or back to the automatic one; several runs also
// by the value of a setting. A choice takes effect at once and closes the sheet.
class ColorSheet : public Sheet {
    Q_OBJECT
public:
    // Covers the window of `parent`.
    ColorSheet(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent);

    ColorGrid* grid() const { return m_palette; }
    QLineEdit* line() const { return m_line; }       // for any other colour
    QComboBox* setting() const { return m_setting; } // to colour several runs by; null: there is none
    QPushButton* automaticButton() const { return m_automatic; }

private:
    QString words() const;
    void buildPalette();
    QList<ColorGrid::Cell> cells() const;
    QWidget* buildLine();
    QWidget* buildBySetting();
    QWidget* buildFooter();
    void judge(const QString& typed);
    void pick();
    void choose(const QString& color);
    void chooseBy(const QString& setting);

    Workbench& m_bench;
    std::vector<RunItemPtr> m_runs;
    ColorGrid* m_palette = nullptr;
    QLineEdit* m_line = nullptr;
    QComboBox* m_setting = nullptr;
    Label* m_fault = nullptr;
    QPushButton *m_set = nullptr, *m_automatic = nullptr;
};

} // namespace trainyard::ui
