// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace trainyard::ui {

// The small toggle beside a field that makes it an axis of a sweep. Faint at rest; plain while the pointer or the focus
// is in its row, and all through a sweep; in the colour of a choice while it is on.
class VaryToggle : public QAbstractButton {
    Q_OBJECT
public:
    // `title`: what the form calls the field.
    explicit VaryToggle(const QString& title, QWidget* parent = nullptr);
    // The width that a row leaves for one, in design pixels.
    static constexpr int kWidth = 24;
    QSize sizeHint() const override;
    // The form is of a sweep: where else something can be varied is seen at once.
    void setSweeping(bool on);
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void watchRow();

    QWidget* m_row = nullptr;
    bool m_near = false, m_sweeping = false;
};

} // namespace trainyard::ui
