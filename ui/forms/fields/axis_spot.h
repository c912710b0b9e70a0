// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"

#include <QAbstractButton>
#include <QStringList>

#include <functional>

class QVBoxLayout;

namespace trainyard::ui {

// A field of the form that can vary: its toggle, and the place below it for editing its values. It is destroyed with
// its toggle.
class AxisSpot : public QObject {
    Q_OBJECT
public:
    struct Field {
        std::function<spec::ParamInfo()> info; // named by the path to vary now
        QStringList paths;                     // all paths of this field
        std::function<spec::Value()> value;    // the field's value
        std::function<void(bool)> setVaried;   // its values come from the sweep
    };
    AxisSpot(Field field, QAbstractButton* toggle, QVBoxLayout* below);

    const Field& field() const { return m_field; }
    QAbstractButton* toggle() const { return m_toggle; }
    QVBoxLayout* below() const { return m_below; }
    void setBelow(QVBoxLayout* below) { m_below = below; }

private:
    Field m_field;
    QAbstractButton* m_toggle;
    QVBoxLayout* m_below;
};

} // namespace trainyard::ui
