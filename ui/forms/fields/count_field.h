// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "ui/forms/fields/vary_toggle.h"
#include "ui/widgets/inputs/unit_field.h"

#include <QComboBox>

class QHBoxLayout;

namespace trainyard::ui {

// A whole number of a run in one of its units, each of which is a field of the run file: a batch per worker or of all
// workers, a length in epochs or in steps. It can be varied.
class CountField : public QObject {
    Q_OBJECT
public:
    struct Unit {
        QString path, word;
    };
    // `path`: what errors and changes call the field. The word of a single unit stands in the field.
    CountField(const QString& path, const QString& title, const QList<Unit>& units, QObject* parent);

    const QString& title() const { return m_title; }
    // Whether a path of the run file means this field.
    bool is(const QString& path) const;
    void set(std::int64_t value, int unit = 0);
    Result<std::int64_t> value() const;
    int unit() const { return m_units ? m_units->currentIndex() : 0; }

    UnitField* number() const { return m_number; }
    QComboBox* units() const { return m_units; } // null: there is one
    VaryToggle* toggle() const { return m_toggle; }
    // Number and units to the end of a row of a form.
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
