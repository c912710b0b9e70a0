// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QWidget>

namespace trainyard::ui {

class Label;

// A line edit that shows a unit inside, at the right, and takes an icon at the left.
class UnitEdit : public QLineEdit {
    Q_OBJECT
public:
    explicit UnitEdit(const QString& unit = QString(), QWidget* parent = nullptr);

    void setUnit(const QString& unit);
    void setLeadingIcon(const QString& iconName);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void setMargins();

    QString m_unit;
    QString m_icon;
};

// A UnitEdit with room for one line of error below it. The error line takes no space while empty.
class UnitField : public QWidget {
    Q_OBJECT
public:
    explicit UnitField(const QString& unit = QString(), QWidget* parent = nullptr);

    UnitEdit* edit() const { return m_edit; }
    QString text() const { return m_edit->text(); }
    void setText(const QString& text) { m_edit->setText(text); }
    // Marks the value as wrong and says why; an empty message clears the mark.
    void setError(const QString& message);
    QString error() const;

Q_SIGNALS:
    void textEdited(const QString& text);

private:
    UnitEdit* m_edit;
    QWidget* m_errorRow;
    Label* m_error;
};

} // namespace trainyard::ui
