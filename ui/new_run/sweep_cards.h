// SPDX-License-Identifier: GPL-3.0-or-later
// What the preview pane says of a sweep, in the place of what it says of the data of a single run.
#pragma once

#include "engine/sweep/judge/foresee.h"
#include "ui/models/new_run/preview.h"
#include "ui/widgets/card.h"
#include "ui/widgets/layout.h"

#include <optional>

namespace trainyard::ui {

class ConfigurationTable;

// How much there is at most, and typically, where trials are stopped early: "at most 180, typically 83".
QString boundText(const QString& most, const QString& typical);

// The configurations, and how they are searched.
class SweepCards : public QObject {
    Q_OBJECT
public:
    explicit SweepCards(QObject* parent = nullptr);

    Card* configurations() const { return m_configurations; }
    Card* search() const { return m_search; }
    // `preview` and `shown`, the first trial's, tell how many samples a pass has.
    void show(const spec::SweepSpec& sweep, const sweep::Foreseen& foreseen, const QStringList& titles,
              const std::optional<Preview>& preview, const spec::RunSpec& shown);
    // Nothing is known while something is wrong.
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
