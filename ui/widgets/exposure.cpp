// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/exposure.h"

#include <QEvent>
#include <QWidget>
#include <QWindow>

#include <utility>

namespace trainyard::ui {

namespace {

class ExposureWatch : public QObject {
public:
    ExposureWatch(QWindow* window, std::function<void(bool)> act)
        : QObject(window), m_window(window), m_act(std::move(act)) {
        window->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == m_window && event->type() == QEvent::Expose) {
            const bool before = std::exchange(m_exposed, m_window->isExposed());
            if (m_exposed != before) m_act(m_exposed);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    QWindow* m_window;
    std::function<void(bool)> m_act;
    bool m_exposed = false;
};

constexpr const char* kWatched = "trainyardExposureWatch";

} // namespace

bool isOnScreen(const QWidget& widget) {
    const QWindow* window = widget.window()->windowHandle();
    return window != nullptr && window->isExposed();
}

void watchExposure(QWidget& window, std::function<void(bool)> act) {
    QWindow* handle = window.windowHandle();
    if (handle == nullptr || handle->property(kWatched).toBool()) return; // shown again
    handle->setProperty(kWatched, true);
    new ExposureWatch(handle, std::move(act));
}

} // namespace trainyard::ui
