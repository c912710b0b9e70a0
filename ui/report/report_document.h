// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a document on pages.
#pragma once

#include "engine/report/report.h"

#include <QString>

class QTextBlock;
class QTextDocument;

namespace trainyard::ui {

struct ThemeColors;

// Pixels of a page of A4 at 96 to the inch, in which the document is laid out.
constexpr double kDotsPerInch = 96, kPageWidth = 794, kPageHeight = 1123, kPageMargin = 56;

// The family of its letters.
inline QString reportFamily() { return QStringLiteral("Inter"); }

// Writes the report into an empty document and lays it out: a heading stands on the page of what follows it, and no
// table leaves its last row alone on a page. `colors` have to live as long as the document. Any thread.
void layOutReport(QTextDocument& document, const report::Report& report, const ThemeColors& colors);

// The page on which a block of such a document begins, from 0.
int pageOf(const QTextDocument& document, const QTextBlock& block);

} // namespace trainyard::ui
