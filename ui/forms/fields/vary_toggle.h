// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace trainyard::ui {

// The small toggle beside a field that makes it an axis of a sweep. Faint at rest; plain while the pointer or the focus
// is in its row, and in the form of a sweep; in the accent colour while on. Tab reaches it only while it is on: before
// that, its field is the row's one stop, and Alt+V there presses it.
class VaryToggle : public QAbstractButton {
    Q_OBJECT
public:
    // `title`: the field's title in the form.
    explicit VaryToggle(const QString& title, QWidget* parent = nullptr);
    // The width that a row leaves for one, in design pixels.
    static constexpr int kWidth = 24;
    // The toggle of a field with the focus; null: it has none.
    static VaryToggle* ofField(QWidget* form, QWidget* field);
    QSize sizeHint() const override;
    // The form describes a sweep: shows every toggle plainly, so that the user sees what else can vary.
    void setSweeping(bool on);
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void checkStateSet() override;
    void nextCheckState() override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void watchRow();

    QWidget* m_row = nullptr;
    bool m_near = false, m_sweeping = false;
};

} // namespace trainyard::ui
