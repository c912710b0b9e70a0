// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/spec/sweep/sweep_rules.h"

#include <QPushButton>

class QComboBox;
class QVBoxLayout;

namespace trainyard::ui {

class Label;
class UnitEdit;

// The rules that end a trial early ("stop" of a sweep file): a series, a limit, and the epoch or step from which it
// counts.
class StopRules : public QWidget {
    Q_OBJECT
public:
    explicit StopRules(QWidget* parent = nullptr);

    void setRules(const std::vector<spec::StopRule>& rules);
    // `errors`: unreadable numbers, with the rule's path in the sweep file.
    std::vector<spec::StopRule> rules(std::vector<spec::FieldError>& errors) const;
    // The unit that runs count in: "epochs" or "steps".
    void setUnit(const QString& unit);
    void clearErrors();
    // Marks the field of a path such as stop.0.series and shows the error below the rules; the first error stays.
    void setError(const QString& path, const QString& message);
    // The form's title for such a path.
    static QString titleOf(const QString& path);

Q_SIGNALS:
    void changed();

private:
    struct Line {
        QWidget* holder;
        QComboBox *series, *side;
        UnitEdit *limit, *after;
    };
    void add(const spec::StopRule* rule);
    QLayout* upperRow(Line& line, const spec::StopRule* rule);
    QLayout* lowerRow(Line& line, const spec::StopRule* rule);
    void remove(QWidget* holder);
    void renumber();

    QString m_unit;
    QVBoxLayout* m_rows;
    QPushButton* m_add;
    Label* m_error;
    QList<Line> m_lines;
};

} // namespace trainyard::ui
