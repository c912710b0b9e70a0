// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page_table.h"

#include "ui/pages/cluster/cluster_page.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/home/home_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/settings/settings_page.h"
#include "ui/pages/sweeps/sweeps_page.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kKeys = 9;

template <class Made>
QWidget* make(Workbench& bench) {
    return new Made(bench);
}

template <>
QWidget* make<HomePage>(Workbench& bench) {
    return new HomePage(bench, QStringLiteral("Ctrl %1").arg(pageDigits()));
}

} // namespace

const std::vector<Page>& pages() {
    static const std::vector<Page> all{
        {"home", QT_TRANSLATE_NOOP("Page", "Home"), "home", make<HomePage>},
        {"runs", QT_TRANSLATE_NOOP("Page", "Runs"), "runs", make<RunsPage>},
        {"sweeps", QT_TRANSLATE_NOOP("Page", "Sweeps"), "sweeps", make<SweepsPage>},
        {"data", QT_TRANSLATE_NOOP("Page", "Data and models"), "data", make<DataPage>},
        {"cluster", QT_TRANSLATE_NOOP("Page", "Cluster"), "cluster", make<ClusterPage>},
        {"settings", QT_TRANSLATE_NOOP("Page", "Settings"), "settings", make<SettingsPage>, true},
    };
    return all;
}

int pageIndex(const QString& id) {
    const auto at =
        std::find_if(pages().begin(), pages().end(), [&](const Page& page) { return id == QLatin1String(page.id); });
    return at == pages().end() ? -1 : static_cast<int>(at - pages().begin());
}

QString pageTitle(const Page& page) { return QCoreApplication::translate("Page", page.title); }

QString pageKeys(int index) {
    return index < 0 || index >= kKeys ? QString() : QStringLiteral("Ctrl+%1").arg(index + 1);
}

QString pageDigits() { return QStringLiteral("1 … %1").arg(std::min(kKeys, static_cast<int>(pages().size()))); }

} // namespace trainyard::ui
