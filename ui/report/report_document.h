// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a document on pages.
#pragma once

#include "engine/report/report.h"

#include <QString>

class QTextBlock;
class QTextDocument;

namespace trainyard::ui {

struct ThemeColors;

// An A4 page in pixels at 96 dpi, the unit of the document's layout.
constexpr double kDotsPerInch = 96, kPageWidth = 794, kPageHeight = 1123, kPageMargin = 56;

// Its font family.
inline QString reportFamily() { return QStringLiteral("Inter"); }

// Writes the report into an empty document and lays it out: a heading stays with the text after it, and no table leaves
// its last row alone on a page. `colors` must outlive the document. False: `progress` has stopped it. Any thread.
bool layOutReport(QTextDocument& document, const report::Report& report, const ThemeColors& colors,
                  const report::Progress& progress = {});

// The page on which a block of such a document begins, from 0.
int pageOf(const QTextDocument& document, const QTextBlock& block);

} // namespace trainyard::ui
