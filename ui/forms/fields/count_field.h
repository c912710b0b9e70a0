// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "ui/forms/fields/vary_toggle.h"
#include "ui/widgets/inputs/unit_field.h"

#include <QComboBox>

class QHBoxLayout;

namespace trainyard::ui {

// A whole number with a choice of units, each of which is a field of the run file: a batch per worker or global, a
// length in epochs or steps. It can vary.
class CountField : public QObject {
    Q_OBJECT
public:
    struct Unit {
        QString path, word;
    };
    // `path`: the field's name in errors and changes. A single unit is shown inside the field.
    CountField(const QString& path, const QString& title, const QList<Unit>& units, QObject* parent);

    const QString& title() const { return m_title; }
    // Whether a path of the run file belongs to this field.
    bool is(const QString& path) const;
    void set(std::int64_t value, int unit = 0);
    Result<std::int64_t> value() const;
    int unit() const { return m_units ? m_units->currentIndex() : 0; }

    UnitField* number() const { return m_number; }
    QComboBox* units() const { return m_units; } // null: there is only one unit
    VaryToggle* toggle() const { return m_toggle; }
    // Adds number and units to the end of a row of a form.
    void addTo(QHBoxLayout& line) const;

Q_SIGNALS:
    void changed();

private:
    QString m_path, m_title;
    QStringList m_paths; // of the units
    UnitField* m_number;
    QComboBox* m_units = nullptr;
    VaryToggle* m_toggle;
};

} // namespace trainyard::ui
