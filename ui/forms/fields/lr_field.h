// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QWidget>

namespace trainyard::ui {

class Switch;
class UnitField;

// The learning rate: one value or, with the switch on, the values of a sweep.
class LrField : public QWidget {
    Q_OBJECT
public:
    explicit LrField(QWidget* parent = nullptr);

    void setLr(double lr);
    // The single value; Input error when it is not a number.
    Result<double> lr() const;
    bool sweeping() const;
    void setSweeping(bool on);
    Switch* toggle() const { return m_switch; }
    // During a sweep, the field shows only the number of values.
    void setVaried(bool on);
    void setError(const QString& message);
    // Sets the number of values to try; none: any number. `alone`: each value in one trial.
    void setCount(qsizetype values, bool alone);

Q_SIGNALS:
    void changed();

private:
    UnitField* m_lr;
    Switch* m_switch;
    double m_single = 0; // the value of a single run, once the form has set one
    bool m_varied = false;
};

} // namespace trainyard::ui
