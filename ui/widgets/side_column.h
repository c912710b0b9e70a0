// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QSplitter;

namespace trainyard::ui {

// Gives the first of three columns the spare width of a page that is `width` pixels wide, from `least` design pixels up
// to a quarter of a wide page: names are longer than `least`, and the charts in the middle need only two columns. The
// user's choice stays: nothing happens once a handle was moved, or after keepColumns().
void fitColumns(QSplitter& splitter, int width, int least);
void keepColumns(QSplitter& splitter);
bool keepsColumns(const QSplitter& splitter);

} // namespace trainyard::ui
