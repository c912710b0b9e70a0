// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/sections.h"
#include "ui/forms/fields/form_grid.h"

#include <functional>

namespace trainyard::ui {

// The fields of a run file that every model and dataset has, built from their table and collapsed at first: a line that
// expands them, then a small heading and a grid for each section.
class AdvancedForm : public QWidget {
    Q_OBJECT
public:
    // `leaveOut`: paths shown elsewhere, or not at all. Plain: no field can be an axis of a sweep. `usual`: the run
    // whose values are the defaults.
    explicit AdvancedForm(const QStringList& leaveOut, FormGrid::Kind kind = FormGrid::Varied,
                          const spec::RunSpec& usual = {}, QWidget* parent = nullptr);

    // The field of a path in `leaveOut`, for another place: it is set, read and marked with the others. `options`:
    // instead of the table's.
    ParamField* makeElsewhere(const QString& path, ParamField::Look look = ParamField::Usual,
                              const std::vector<std::string>& options = {});

    void setSpec(const spec::RunSpec& spec);
    // The spec with the values of the fields; marks unreadable fields and adds them to `errors`.
    spec::RunSpec applied(const spec::RunSpec& spec, QStringList* errors);
    // Marks the field of a path, unless already marked; false: not one of these. Expands the form to show the error.
    bool setError(const QString& path, const QString& message);
    // The field of a path; null if it is not one of these.
    ParamField* field(const QString& path) const { return m_fields.value(path); }
    // Hides the rows of fields that do nothing for the run, unless they are set.
    void showUsed(const std::function<bool(const std::string& path)>& isUsed);
    void setOpen(bool open);
    bool isOpen() const { return m_inner->isVisibleTo(this); }
    // Whether one of the fields here, not elsewhere, differs from its default.
    bool isChanged() const { return m_changed > 0; }

Q_SIGNALS:
    void changed();

private:
    void add(ParamField* field);
    void addSection(const spec::Section& section, const QStringList& leaveOut, QVBoxLayout* layout);
    spec::ParamInfo withUsual(const spec::ParamInfo& info) const;
    void setModeBySeries(const ParamField& series);
    void countChanges();

    FormGrid::Kind m_kind;
    spec::Params m_usual; // by path
    QPushButton* m_toggle;
    QWidget* m_inner;
    int m_changed = 0;
    QHash<QString, ParamField*> m_fields; // by path of the run file
};

} // namespace trainyard::ui
