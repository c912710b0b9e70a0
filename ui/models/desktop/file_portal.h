// SPDX-License-Identifier: GPL-3.0-or-later
// Built where Qt has D-Bus.
#pragma once

#include "ui/models/desktop/file_question.h"

#include <QObject>
#include <QVariantMap>

namespace trainyard::ui {

// A question that the desktop asks: org.freedesktop.portal.FileChooser on the session bus. Deletes itself at its end.
class FilePortal : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // Emits one of the signals. `window` identifies the window below the dialog, "x11:1a" or nothing.
    void ask(const FileQuestion& question, const QString& folder, const QString& window);

Q_SIGNALS:
    void answered(const trainyard::ui::ChosenFiles& chosen); // no path: it was cancelled
    void refused();                                          // there is no such portal

private Q_SLOTS:
    void onResponse(uint response, const QVariantMap& results);

private:
    void send(const FileQuestion& question, const QString& folder, const QString& window);
    void refuse();
};

} // namespace trainyard::ui
