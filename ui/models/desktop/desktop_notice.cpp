// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/desktop/desktop_notice.h"

#include "ui/models/desktop/settings.h"

#ifdef TRAINYARD_HAVE_DBUS
#include "ui/models/desktop/notice_bus.h"
#endif

namespace trainyard::ui {

#ifdef TRAINYARD_HAVE_DBUS

class DesktopNotices::Bus : public NoticeBus {};

DesktopNotices::DesktopNotices(QObject* parent) : QObject(parent), m_bus(std::make_unique<Bus>()) {
    connect(m_bus.get(), &NoticeBus::opened, this, &DesktopNotices::opened);
}

void DesktopNotices::show(const QString& title, const QString& text, const QString& action, const QString& what) {
    m_bus->show(title, text, action, what);
}

#else

class DesktopNotices::Bus {};

DesktopNotices::DesktopNotices(QObject* parent) : QObject(parent) {}

void DesktopNotices::show(const QString&, const QString&, const QString&, const QString&) {}

#endif

DesktopNotices::~DesktopNotices() = default;

bool desktopNoticesWanted() { return Settings::desktopNotices.get(); }
void setDesktopNoticesWanted(bool wanted) { Settings::desktopNotices.set(wanted); }

} // namespace trainyard::ui
