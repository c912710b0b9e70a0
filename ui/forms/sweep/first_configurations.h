// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/sweep/point_fields.h"

#include <QPushButton>

class QVBoxLayout;

namespace trainyard::ui {

class Label;

// The configurations to try before the searcher's own ("first" of a sweep file): a line for each, and below them the
// fields of the one being added or changed.
class FirstConfigurations : public QWidget {
    Q_OBJECT
public:
    explicit FirstConfigurations(PointFields::TitleOf titleOf, QWidget* parent = nullptr);

    void setConfigurations(std::vector<spec::Params> configurations);
    const std::vector<spec::Params>& configurations() const { return m_configurations; }
    // Sets the axes of the sweep. Drops values of fields that no longer vary.
    void setSpace(const std::vector<spec::Axis>& space);
    void setError(const QString& message); // empty: none

Q_SIGNALS:
    void changed();

private:
    void showLines();
    QWidget* lineOf(std::size_t number);
    QString textOf(const spec::Params& configuration) const;
    void edit(std::size_t number); // `number` equal to their count: a new one
    void closeEditor();

    PointFields::TitleOf m_titleOf;
    std::vector<spec::Params> m_configurations;
    std::vector<spec::Axis> m_space;
    QVBoxLayout* m_lines;
    QPushButton* m_add;
    QWidget* m_editor = nullptr;
    Label* m_error;
};

} // namespace trainyard::ui
