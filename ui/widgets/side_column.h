// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QSplitter;

namespace trainyard::ui {

// Gives the first of three columns what a page of `width` pixels has over, from `least` design pixels to a quarter of a
// wide page: names are longer than that, and the charts in the middle need no more than two columns of their own. The
// user's choice stays: nothing happens once a handle was moved, or after keepColumns().
void fitColumns(QSplitter& splitter, int width, int least);
void keepColumns(QSplitter& splitter);
bool keepsColumns(const QSplitter& splitter);

} // namespace trainyard::ui
