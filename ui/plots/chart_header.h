// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QWidget>

class QPushButton;

namespace trainyard::ui {

// One run's value at the crosshair.
struct HeaderValue {
    QColor color;
    QString text;
};

// Title, tag and note of a chart; at the right the values at the crosshair, which make room for
// the chart's actions while the pointer or the keyboard is on the header.
class ChartHeader : public QWidget {
    Q_OBJECT
public:
    explicit ChartHeader(const QString& title, QWidget* parent = nullptr);

    QString title() const { return m_title; }
    void setTag(const QString& tag);
    void setNote(const QString& note);
    void setValues(const QList<HeaderValue>& values);
    void setLogChecked(bool on);
    QSize sizeHint() const override;

Q_SIGNALS:
    void logToggled(bool on);
    void exportRequested();
    void expandRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPushButton* addButton(const QString& iconName, const QString& text, const QString& name);
    void showActions();

    QString m_title, m_tag, m_note;
    QList<HeaderValue> m_values;
    QList<QPushButton*> m_buttons;
    QPushButton* m_log = nullptr;
    bool m_actions = false;
};

} // namespace trainyard::ui
