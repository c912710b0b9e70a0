// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/program/argument_shape.h"

#include <QWidget>

class QComboBox;
class QVBoxLayout;

namespace trainyard::ui {

class Switch;
class UnitField;

// The editor of one argument of a script: a text with the default as its placeholder, a choice, or a switch. What is
// not changed from the default is not given.
class ArgumentField : public QWidget {
    Q_OBJECT
public:
    explicit ArgumentField(const ArgumentShape& shape, QWidget* parent = nullptr);

    const ArgumentShape& shape() const { return m_shape; }
    // Nothing: as the script has it.
    void setGiven(const std::optional<program::Given>& given);
    std::optional<program::Given> given() const;
    // Marks the field and says why below its row; empty clears the mark.
    void setError(const QString& message);
    bool hasError() const { return !m_message.isEmpty(); }
    // Shows errors in the layout of its row, `indent` pixels from the left.
    void showErrorsIn(QVBoxLayout* row, int indent);
    QWidget* editor() const;

Q_SIGNALS:
    void changed();
    void finished(); // Enter was pressed

private:
    void makeChoice();
    void makeText();

    ArgumentShape m_shape;
    UnitField* m_text = nullptr;
    QComboBox* m_choice = nullptr;
    Switch* m_switch = nullptr;
    QString m_message;
};

} // namespace trainyard::ui
