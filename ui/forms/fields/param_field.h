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

// A number as a run file has it: the shortest digits that are read back as the same value.
QString numberText(double value);

// The editor of one parameter, of the kind its type asks for.
class ParamField : public QWidget {
    Q_OBJECT
public:
    enum Look { Usual, Segments }; // segments: all words of an option side by side
    explicit ParamField(const spec::ParamInfo& info, Look look = Usual, QWidget* parent = nullptr);

    const spec::ParamInfo& info() const { return m_info; }
    void setValue(const spec::Value& value);
    // An empty field is the default, which `words` stand for.
    void setEmptyWords(const QString& words);
    // What stands there as the parameter's type; Input error when it cannot be read as one.
    Result<spec::Value> value() const;
    // Marks the field and says why under it; empty clears the mark.
    void setError(const QString& message);
    bool hasError() const;
    // Buttons below the error, of a field that has room for them.
    void setFixes(const QList<FieldFix>& fixes);
    // Of a path: the field, to say which files fit; else null.
    PathField* pathField() const { return m_path; }
    // Fields that are short enough for two to share a row.
    bool isShort() const;

Q_SIGNALS:
    void changed();

private:
    spec::ParamInfo m_info;
    UnitField* m_text = nullptr;
    PathField* m_path = nullptr; // the same one, of a path
    QComboBox* m_choice = nullptr;
    SegmentedControl* m_segments = nullptr;
    Switch* m_switch = nullptr;
    bool m_mayBeEmpty = false;
};

// The text of a field of this type as its value.
Result<spec::Value> readValue(const QString& text, spec::ParamType type);
// Reads "0.05", "1e-3" by the run file's rules, not the locale's.
Result<double> readNumber(const QString& text);
Result<std::int64_t> readInteger(const QString& text);

} // namespace trainyard::ui
