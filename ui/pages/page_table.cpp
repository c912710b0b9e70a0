// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page_table.h"

#include <QCoreApplication>
#include <QKeySequence>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kKeys = 9;

} // namespace

const std::vector<Page>& pages() {
#define TRAINYARD_MAKE(page) page(),
    static const std::vector<Page> all = {TRAINYARD_PAGES(TRAINYARD_MAKE)};
#undef TRAINYARD_MAKE
    return all;
}

int pageIndex(const QString& id) {
    const auto at =
        std::find_if(pages().begin(), pages().end(), [&](const Page& page) { return id == QLatin1String(page.id); });
    return at == pages().end() ? -1 : static_cast<int>(at - pages().begin());
}

QString pageTitle(const Page& page) { return QCoreApplication::translate("Page", page.title); }

QString pageKeys(int index) {
    return index < 0 || index >= kKeys
               ? QString()
               : QKeySequence(QStringLiteral("Ctrl+%1").arg(index + 1)).toString(QKeySequence::NativeText);
}

QString pageDigits() { return QStringLiteral("1 … %1").arg(std::min(kKeys, static_cast<int>(pages().size()))); }

} // namespace trainyard::ui
