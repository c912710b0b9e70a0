// SPDX-License-Identifier: GPL-3.0-or-later
// The preview pane's cards about a sweep, which replace those about a single run's data.
#pragma once

#include "engine/sweep/judge/foresee.h"
#include "ui/models/new_run/preview.h"
#include "ui/widgets/card.h"
#include "ui/widgets/layout.h"

#include <optional>

namespace trainyard::ui {

class ConfigurationTable;

// The amount at most and typically, if trials are stopped early: "at most 180, typically 83".
QString boundText(const QString& most, const QString& typical);

// The configurations, and the search for them.
class SweepCards : public QObject {
    Q_OBJECT
public:
    explicit SweepCards(QObject* parent = nullptr);

    Card* configurations() const { return m_configurations; }
    Card* search() const { return m_search; }
    // `preview` and `shown` (of the first trial) give the number of samples in a pass.
    void show(const spec::SweepSpec& sweep, const sweep::Foreseen& foreseen, const QStringList& titles,
              const std::optional<Preview>& preview, const spec::RunSpec& shown);
    // Clears the cards while the form has errors.
    void clear();
    // The same share of any cost.
    static double typicalShare(const sweep::Foreseen& foreseen);

private:
    Card *m_configurations, *m_search;
    ConfigurationTable* m_table;
    PairList* m_pairs;
    Label* m_reason;
};

} // namespace trainyard::ui
