// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QWidget>

namespace trainyard::ui {

class Switch;
class UnitField;

// The learning rate: one value, or, with the switch on, what a sweep tries.
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
    // While a sweep gives the values, the field only says how many there are.
    void setVaried(bool on);
    void setError(const QString& message);
    // Says how many values will be tried; none: any number of them. `alone`: each of them in one trial.
    void setCount(qsizetype values, bool alone);

Q_SIGNALS:
    void changed();

private:
    UnitField* m_lr;
    Switch* m_switch;
    double m_single = 0; // of a run, once the form gives one
    bool m_varied = false;
};

} // namespace trainyard::ui
