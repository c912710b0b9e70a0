// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

// The datasets and models of the catalog, and the devices to train on.
class DataPage : public Surface {
    Q_OBJECT
public:
    explicit DataPage(Workbench& bench, QWidget* parent = nullptr);

private:
    void show(const spec::Catalog& catalog);
    QWidget* entryRow(const spec::Entry& entry, bool dataset);
    void choose(const spec::Entry& entry);
    void train(const spec::Entry& entry, bool dataset);
    void checkFolder();

    Workbench& m_bench;
    QWidget* m_column;
    QVBoxLayout* m_layout;
    QWidget* m_shown = nullptr; // the cards; rebuilt for each catalog
};

} // namespace trainyard::ui
