// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QWidget>

#include <functional>

class QHBoxLayout;
class QVBoxLayout;

namespace trainyard::ui {

class Label;

// A line edit that shows a unit inside at the right, if the text leaves room, and an optional icon at the left.
class UnitEdit : public QLineEdit {
    Q_OBJECT
public:
    explicit UnitEdit(const QString& unit = QString(), QWidget* parent = nullptr);

    void setUnit(const QString& unit);
    void setLeadingIcon(const QString& iconName);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void setMargins();
    int unitWidth() const; // 0: no unit, or no room for it

    QString m_unit;
    QString m_icon;
};

// A fix for a wrong value: a button below its error.
struct FieldFix {
    QString text;
    std::function<void()> act;
};

// A UnitEdit with room for an error below it, which takes no space while there is none.
class UnitField : public QWidget {
    Q_OBJECT
public:
    explicit UnitField(const QString& unit = QString(), QWidget* parent = nullptr);

    UnitEdit* edit() const { return m_edit; }
    QString text() const { return m_edit->text(); }
    void setText(const QString& text) { m_edit->setText(text); }
    // Marks the value as wrong and says why; an empty message clears the mark.
    void setError(const QString& message);
    QString error() const { return m_message; }
    // Shows the fixes below the error; they disappear with it. Fixes with the same text keep their buttons, and so the
    // focus.
    void setFixes(const QList<FieldFix>& fixes);
    // Shows errors in a layout of its row instead, `indent` pixels from the left, because they need more width than a
    // short field has. `named`: begins errors with the field's accessible name, if several fields share the row.
    void showErrorsIn(QVBoxLayout* row, int indent, bool named);

Q_SIGNALS:
    void textEdited(const QString& text);

protected:
    // A widget to the right of the edit.
    void addTail(QWidget* tail);

private:
    UnitEdit* m_edit;
    QHBoxLayout* m_line;
    QWidget* m_errorRow;
    QWidget* m_fixes;
    Label* m_error;
    QString m_message;
    bool m_named = false;
};

} // namespace trainyard::ui
