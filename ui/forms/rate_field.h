// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep_spec.h"

#include <QWidget>

class QLineEdit;

namespace trainyard::ui {

class Label;
class SegmentedControl;
class Switch;
class UnitField;

// The learning rate: one value, or, with the switch on, a list or a range to try.
class RateField : public QWidget {
    Q_OBJECT
public:
    explicit RateField(QWidget* parent = nullptr);

    void setRate(double rate);
    // The single value; Input error when it is not a number.
    Result<double> rate() const;
    bool sweeping() const;
    void setSweeping(bool on);
    void setAxis(const spec::Axis& axis, const std::string& search, int trials);
    // The values to try; Input error with the reason when there are none.
    Result<spec::Axis> axis() const;
    bool random() const;
    int count() const;
    // Marks what is wrong; empty clears it.
    void setError(const QString& message);
    // Says which values will be tried.
    void setValues(const QList<double>& values);
    void swapEnds();

Q_SIGNALS:
    void changed();

private:
    void makeControls();
    void layOutPanel();
    void showMode();

    UnitField* m_rate;
    Switch* m_switch;
    QWidget* m_panel;
    SegmentedControl *m_kind, *m_scale;
    QWidget *m_listRow, *m_rangeRow, *m_scaleRow;
    QLineEdit *m_list, *m_from, *m_to, *m_count;
    Label* m_note;
    double m_single = 0.1;
};

} // namespace trainyard::ui
