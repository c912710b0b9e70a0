// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/fields/param_field.h"
#include "ui/forms/fields/vary_toggle.h"
#include "ui/widgets/layout.h"

#include <QHash>

#include <limits>

class QComboBox;

namespace trainyard::ui {

// A form's rows: label 112 wide, field beside it; two short fields share a row.
class FormGrid : public QWidget {
    Q_OBJECT
public:
    // Fields that can be varied leave room for their toggles, at the right of each.
    enum Kind { Plain, Varied };
    explicit FormGrid(Kind kind = Plain, QWidget* parent = nullptr);

    // A row of its own. Returns the label.
    Label* addRow(const QString& label, QWidget* field, QWidget* tail = nullptr);
    // Takes the free right half of the row before when there is one.
    Label* addShort(const QString& label, QWidget* field, QWidget* tail = nullptr);
    // A field with its title, which can be varied by these paths; none: it cannot. `alone`: in a row of its own.
    void addParam(ParamField* field, const QStringList& paths, bool alone = false);
    // The spot that makes a field an axis, with these paths; null: its type cannot be one. place() positions it.
    static VaryToggle* toggleOf(ParamField& field, const QStringList& paths);
    // Places the editor of its values below the row with the field `rowOf`.
    static void place(const VaryToggle& toggle, QWidget& rowOf);
    // A layout for widgets below the row of a field.
    static QVBoxLayout* below(QWidget* field);
    // The left edge of the fields, in pixels.
    static int fieldStart();
    void clear();

private:
    void addTail(QHBoxLayout* line, QWidget* tail);

    Kind m_kind;
    QVBoxLayout* m_rows;
    QHBoxLayout* m_open = nullptr; // a row with a free right half
};

// A named choice of the catalog (model, dataset, ...) with its parameters below.
class ChoiceRows : public QWidget {
    Q_OBJECT
public:
    // `path`: the run file's key, such as "optimizer". `leaveOut`: parameters shown elsewhere. Plain: no part of it can
    // be an axis of a sweep.
    ChoiceRows(const QString& label, const QString& path, const QStringList& leaveOut = {},
               FormGrid::Kind kind = FormGrid::Varied, QWidget* parent = nullptr);

    void setEntries(const std::vector<spec::Entry>& entries);
    void setChoice(const spec::Choice& choice);
    // The current choice; marks unreadable fields and counts them in `wrong`.
    spec::Choice choice(int* wrong);
    const spec::Entry* entry() const;
    QComboBox* combo() const { return m_combo; }
    // The field of a path such as "optimizer.momentum"; null if it is not one of these.
    ParamField* field(const QString& path) const;
    // Marks the choice or one of its parameters; false: the path is neither.
    bool setError(const QString& path, const QString& message);
    void setNameError(const QString& message);
    bool hasNameError() const { return !m_error->isHidden(); }
    void clearErrors();
    QString path() const { return m_path; }
    // Only the first `count` parameters are always shown; the rows of the others start hidden.
    void setFirstParams(int count) { m_firstParams = count; }
    const QList<QWidget*>& rest() const { return m_rest; }
    // The present entry and parameters are nothing special from now on: a preset's.
    void takeAsUsual();
    // Whether the entry is that one, or the first of all.
    bool isUsual() const;

Q_SIGNALS:
    void changed();
    void entryChanged();

private:
    void rebuild();
    QStringList pathsOf(const std::string& param) const;

    FormGrid::Kind m_kind;
    QString m_path;
    QStringList m_leaveOut;
    std::vector<spec::Entry> m_entries;
    QComboBox* m_combo;
    Label* m_error;
    FormGrid* m_grid;
    QHash<QString, ParamField*> m_fields;
    spec::Params m_extra; // given parameters without a field (unknown to this worker); kept
    int m_firstParams = std::numeric_limits<int>::max();
    QList<QWidget*> m_rest; // rows after the first parameters
    struct Usual {
        QString name; // an entry's
        QHash<QString, std::string> values{};
    } m_usual{}; // kept while rows are made anew
};

} // namespace trainyard::ui
