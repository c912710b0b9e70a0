// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the window. A new page needs a row of TRAINYARD_PAGES and, beside its widget, the function that the row
// names.
#pragma once

#include <QString>

#include <vector>

// In the order of the rail and of the keys Ctrl+1, Ctrl+2, ...
// clang-format off
#define TRAINYARD_PAGES(ROW) \
    ROW(homePage)            \
    ROW(runsPage)            \
    ROW(sweepsPage)          \
    ROW(checkpointsPage)     \
    ROW(dataPage)            \
    ROW(clusterPage)         \
    ROW(servePage)           \
    ROW(settingsPage)
// clang-format on

class QWidget;

namespace trainyard::ui {

class Workbench;

// One page of the window. The rail, the keys, the command palette, --page, the sheet of shortcuts and the remembered
// page follow from its row.
struct Page {
    const char* id;    // never change it: settings and --page use it
    const char* title; // QT_TRANSLATE_NOOP("Page", …)
    const char* icon;
    QWidget* (*make)(Workbench& bench); // called when the page is first shown
    bool atEnd = false;                 // this page and the later ones stand at the end of the rail
};
const std::vector<Page>& pages();
#define TRAINYARD_DECLARE(page) Page page();
TRAINYARD_PAGES(TRAINYARD_DECLARE)
#undef TRAINYARD_DECLARE

// Page::make for a widget that needs only the workbench.
template <class Widget>
QWidget* makePage(Workbench& bench) {
    return new Widget(bench);
}

// -1 for an id that no page has.
int pageIndex(const QString& id);
QString pageTitle(const Page& page);
// "Ctrl+1"; empty from the tenth page on.
QString pageKeys(int index);
// "1 … 6": the keys of all pages that have one.
QString pageDigits();

} // namespace trainyard::ui
