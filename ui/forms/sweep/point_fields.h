// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/sweep/axis.h"

#include <QWidget>

#include <functional>

class QComboBox;

namespace trainyard::ui {

class UnitField;

// A configuration of a space, with a field for each axis that applies, given the others; validated while typing.
class PointFields : public QWidget {
    Q_OBJECT
public:
    using TitleOf = std::function<QString(const QString& path)>;
    // Filled with `values` where given, else with the middle of each axis.
    PointFields(std::vector<spec::Axis> axes, const spec::Params& values, const TitleOf& titleOf,
                QWidget* parent = nullptr);

    // Input error: a value is missing or outside its axis.
    Result<spec::Params> point() const;

Q_SIGNALS:
    void changed();

private:
    struct Field {
        QWidget* row = nullptr;
        UnitField* text = nullptr;   // of a range
        QComboBox* choice = nullptr; // of a list
    };
    Field makeField(const spec::Axis& axis, const spec::Value& value, const QString& title);
    spec::Params given() const; // values of the fields that apply
    void judge();

    std::vector<spec::Axis> m_axes;
    std::vector<Field> m_fields;
};

} // namespace trainyard::ui
