// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/side_column.h"

#include "ui/theme/theme.h"

#include <QSplitter>
#include <QVariant>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr const char* kKept = "columnsKept";
constexpr int kMiddle = 710, kLast = 296, kMostFirst = 420; // design pixels

} // namespace

void fitColumns(QSplitter& splitter, int width, int least) {
    if (keepsColumns(splitter)) return;
    const Theme& theme = Theme::current();
    const int last = theme.px(kLast);
    const int most = std::max(theme.px(kMostFirst), width / 4);
    const int first = std::clamp(width - theme.px(kMiddle) - last, theme.px(least), most);
    splitter.setSizes({first, std::max(1, width - first - last), last});
}

void keepColumns(QSplitter& splitter) { splitter.setProperty(kKept, true); }

bool keepsColumns(const QSplitter& splitter) { return splitter.property(kKept).toBool(); }

} // namespace trainyard::ui
