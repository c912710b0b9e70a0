// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"
#include "ui/widgets/inputs/unit_field.h"

#include <QWidget>

class QComboBox;

namespace trainyard::ui {

class PathField;
class SegmentedControl;
class Switch;

// A number for a field: the fewest digits that read back as the same value.
QString numberText(double value);

// The editor of one parameter, chosen by its type.
class ParamField : public QWidget {
    Q_OBJECT
public:
    enum Look { Usual, Segments }; // segments: all words of an option side by side
    explicit ParamField(const spec::ParamInfo& info, Look look = Usual, QWidget* parent = nullptr);

    const spec::ParamInfo& info() const { return m_info; }
    void setValue(const spec::Value& value);
    // An empty field means the default, shown as `words`.
    void setEmptyWords(const QString& words);
    // The field's value in the parameter's type; Input error if it cannot be read.
    Result<spec::Value> value() const;
    // Marks the field and says why under it; empty clears the mark.
    void setError(const QString& message);
    bool hasError() const;
    // The present value is nothing special from now on: a preset's.
    void takeAsUsual();
    // The same of another value, as text.
    void setUsual(const std::string& value) { m_usual = value; }
    const std::string& usual() const { return m_usual; }
    // Whether it has that value, or the default.
    bool isUsual() const;
    // Shows buttons below the error, if the field has room for them.
    void setFixes(const QList<FieldFix>& fixes);
    // For a path: the field, to set its file patterns; else null.
    PathField* pathField() const { return m_path; }
    // Fields that are short enough for two to share a row.
    bool isShort() const;

Q_SIGNALS:
    void changed();

private:
    spec::ParamInfo m_info;
    UnitField* m_text = nullptr;
    PathField* m_path = nullptr; // the same field, for a path
    QComboBox* m_choice = nullptr;
    SegmentedControl* m_segments = nullptr;
    Switch* m_switch = nullptr;
    bool m_mayBeEmpty = false;
    std::string m_usual; // as text
};

// The text of a field of this type as its value.
Result<spec::Value> readValue(const QString& text, spec::ParamType type);
// Rule: how a number is typed.
// "0.05" and "1e-3" as in run files, in every language, and "0,05" as people write it (plainNumber(), plainWhole()).
Result<double> readNumber(const QString& text);
Result<std::int64_t> readInteger(const QString& text);
// The numbers of a list, which blanks, commas or semicolons separate. A comma without a blank is a decimal sign where
// the language has it, or where there are semicolons, but not between whole numbers or numbers with a point.
QStringList splitNumbers(const QString& text, bool whole);

} // namespace trainyard::ui
