// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <memory>

namespace trainyard::ui {

// Desktop notices through the notification service on D-Bus. Without one, nothing happens.
class DesktopNotices : public QObject {
    Q_OBJECT
public:
    explicit DesktopNotices(QObject* parent = nullptr);
    ~DesktopNotices() override;

    // Returns at once. Shows text literally, markup included. A click on the notice, or on its button `action`, emits
    // opened() with `what`.
    void show(const QString& title, const QString& text, const QString& action, const QString& what);

Q_SIGNALS:
    void opened(const QString& what);

private:
    class Bus;
    std::unique_ptr<Bus> m_bus; // null without D-Bus
};

// Whether to announce a run that ends while another window is in front; remembered.
bool desktopNoticesWanted();
void setDesktopNoticesWanted(bool wanted);

} // namespace trainyard::ui
