// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/filter/filter.h"
#include "ui/widgets/inputs/unit_field.h"

#include <functional>

class QCompleter;
class QStringListModel;

namespace trainyard::ui {

// A filter field that completes names, signs and values at the cursor.
class FilterField : public UnitEdit {
    Q_OBJECT
public:
    explicit FilterField(std::function<const run::FilterNames&()> names, run::FilterValues values = {},
                         QWidget* parent = nullptr);
    QStringList offered() const;

Q_SIGNALS:
    // By Enter or the Down key, where neither is meant for the list of completions.
    void left();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void offer();
    void take(const QString& word);

    std::function<const run::FilterNames&()> m_names;
    run::FilterValues m_values;
    QStringListModel* m_words;
    QCompleter* m_completer;
    qsizetype m_from = 0; // start of the word being typed
};

} // namespace trainyard::ui
