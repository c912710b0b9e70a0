// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QWidget>

#include <functional>

class QHBoxLayout;
class QVBoxLayout;

namespace trainyard::ui {

class Label;

// A line edit that shows a unit inside, at the right, where it leaves room for the text, and takes an icon at the left.
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
    int unitWidth() const; // 0: it has none, or no room for it

    QString m_unit;
    QString m_icon;
};

// What can be done about a wrong value: a button below its error.
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
    // Stand below the error, and go with it. Those of the same words keep their buttons, and with them the focus.
    void setFixes(const QList<FieldFix>& fixes);
    // Shows errors in a layout of its row instead, `indent` pixels from the left: they need more width than a short
    // field has. `named`: after the field's accessible name, as several fields share the row.
    void showErrorsIn(QVBoxLayout* row, int indent, bool named);

Q_SIGNALS:
    void textEdited(const QString& text);

protected:
    // Stands at the right of the edit.
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
