// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QWidget;

namespace trainyard::ui {

class Workbench;

// One page of the window. The rail, the keys, the command palette, --page, the sheet of shortcuts and what is
// remembered follow from its row.
struct Page {
    const char* id;    // stays: it is saved, and written after --page
    const char* title; // as a person reads it, to be translated
    const char* icon;
    QWidget* (*make)(Workbench& bench); // on its first showing
    bool atEnd = false;                 // of the rail: this page and those after it
};
// In the order of the rail and of the keys Ctrl+1, Ctrl+2, ...
const std::vector<Page>& pages();
// -1 for an id that no page has.
int pageIndex(const QString& id);
QString pageTitle(const Page& page);
// "Ctrl+1"; empty from the tenth page on.
QString pageKeys(int index);
// "1 … 6": the keys of all pages that have one.
QString pageDigits();

} // namespace trainyard::ui
