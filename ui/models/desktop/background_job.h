// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QObject>
#include <QString>

namespace trainyard::ui {

// A long job; the status bar shows it, and a click there cancels it. Deletes itself at its end. GUI thread.
class BackgroundJob : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual QString title() const = 0; // "Exporting out.safetensors"
    virtual QString icon() const = 0;  // its name
    virtual QString cancelTip() const = 0;
    virtual void cancel() = 0;
    double share() const { return m_share; } // of the work; -1: not known

Q_SIGNALS:
    void progressed();
    void ended(const trainyard::Result<void>& result); // kind Stopped when it was cancelled

protected:
    void setShare(double share);
    void end(const Result<void>& result);

private:
    double m_share = -1;
};

} // namespace trainyard::ui
