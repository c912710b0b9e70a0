// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/sections.h"
#include "ui/forms/fields/form_grid.h"

namespace trainyard::ui {

// The fields of a run file that are the same for every model and dataset, built from their one table and collapsed at
// first: a line that opens them, then a small heading and a grid for each section.
class AdvancedForm : public QWidget {
    Q_OBJECT
public:
    // `leaveOut`: paths that are shown elsewhere. Plain: no field can be an axis of a sweep.
    explicit AdvancedForm(const QStringList& leaveOut, FormGrid::Kind kind = FormGrid::Varied,
                          QWidget* parent = nullptr);

    // The field of a path that was left out, for a place of its own: it is set, read and marked with the others.
    // `options`: instead of the table's.
    ParamField* makeElsewhere(const QString& path, ParamField::Look look = ParamField::Usual,
                              const std::vector<std::string>& options = {});

    void setSpec(const spec::RunSpec& spec);
    // The spec with the fields as they stand; what cannot be read is marked in its field and said in `errors`.
    spec::RunSpec applied(const spec::RunSpec& spec, QStringList* errors);
    // Marks the field of a path, unless it is marked already; false: it is not one of these. A mistake does not hide.
    bool setError(const QString& path, const QString& message);
    // The field of a path; null when it is not one of these.
    ParamField* field(const QString& path) const { return m_fields.value(path); }
    void setOpen(bool open);
    bool isOpen() const { return m_inner->isVisibleTo(this); }

Q_SIGNALS:
    void changed();

private:
    void add(ParamField* field);
    void addSection(const spec::Section& section, const QStringList& leaveOut, QVBoxLayout* layout);
    void setModeBySeries(const ParamField& series);
    void countChanges();

    FormGrid::Kind m_kind;
    QPushButton* m_toggle;
    QWidget* m_inner;
    QHash<QString, ParamField*> m_fields; // by path of the run file
};

} // namespace trainyard::ui
