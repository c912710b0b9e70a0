// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace trainyard::ui {

// The small toggle beside a field that makes it an axis of a sweep. Faint at rest; plain while the pointer or the focus
// is in its row, and in the form of a sweep; in the accent colour while on.
class VaryToggle : public QAbstractButton {
    Q_OBJECT
public:
    // `title`: the field's title in the form.
    explicit VaryToggle(const QString& title, QWidget* parent = nullptr);
    // The width that a row leaves for one, in design pixels.
    static constexpr int kWidth = 24;
    QSize sizeHint() const override;
    // The form describes a sweep: shows every toggle plainly, so that the user sees what else can vary.
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
