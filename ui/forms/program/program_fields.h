// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/program_spec.h"
#include "ui/forms/fields/field_fold.h"
#include "ui/forms/fields/param_field.h"

#include <QHash>

namespace trainyard::ui {

class Label;

// The fields of a run file's "program" besides the program itself and its arguments, one a row.
class ProgramFields : public QWidget {
    Q_OBJECT
public:
    explicit ProgramFields(FieldFold& fold, QWidget* parent = nullptr);

    void set(const spec::Program& program);
    // Changes the program; unreadable fields are marked and added to `errors`.
    void apply(spec::Program& program, QStringList& errors);
    // Marks the field of a path, "program.stop.graceSeconds"; false: it is none of these.
    bool setError(const QString& path, const QString& message);
    QString titleOf(const QString& path) const; // empty: none of these
    ParamField* field(const QString& path) const { return m_fields.value(path); }

Q_SIGNALS:
    void changed();

private:
    QHash<QString, ParamField*> m_fields;
};

} // namespace trainyard::ui
