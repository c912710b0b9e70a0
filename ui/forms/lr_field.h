// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep_spec.h"
#include "ui/forms/sweep_fields.h"

#include <QWidget>

class QLineEdit;

namespace trainyard::ui {

class Label;
class SegmentedControl;
class Switch;
class UnitField;

// The learning rate: one value, or, with the switch on, a list or a range to try.
class LrField : public QWidget {
    Q_OBJECT
public:
    explicit LrField(QWidget* parent = nullptr);

    void setLr(double lr);
    // The single value; Input error when it is not a number.
    Result<double> lr() const;
    bool sweeping() const;
    void setSweeping(bool on);
    // Turns the switch on with these values; they are kept to the bit until a person changes them.
    void setAxis(const spec::Axis& axis, const std::string& search, int trials);
    // Where the switch begins when it is turned on in a sweep that searches so.
    void setSearch(const std::string& search, int trials);
    // The values to try; Input error with the reason when there are none.
    Result<LrAxis> axis() const;
    // Marks what is wrong; empty clears it.
    void setError(const QString& message);
    // Says which values will be tried; `alone`: each of them in one trial.
    void setValues(const QList<double>& values, bool alone);
    // Whether swapping the ends of the range would put it right.
    bool endsAreSwapped() const;
    void swapEnds();

Q_SIGNALS:
    void changed();

private:
    void makeControls();
    void layOutPanel();
    void showMode();
    void edited();
    Result<spec::Axis> listed() const;
    Result<spec::Axis> range() const;

    UnitField* m_lr;
    Switch* m_switch;
    QWidget* m_panel;
    SegmentedControl *m_kind, *m_scale;
    QWidget *m_listRow, *m_rangeRow, *m_scaleRow;
    QLineEdit *m_list, *m_from, *m_to, *m_count;
    Label* m_note;
    double m_single = 0;               // of a run, once the form gives one
    std::optional<spec::Axis> m_given; // what the panel was filled with, until it is edited
};

} // namespace trainyard::ui
