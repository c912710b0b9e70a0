// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QCoreApplication>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>

#include <memory>
#include <utility>

namespace trainyard::ui {

// Runs `work` on a thread of the pool and passes its result to `done` on the GUI thread. Drops `done` if `context` is
// gone by then. What may wait for long has a pool of its own: others would wait behind it. Call from the GUI thread.
template <class Work, class Done>
void inBackground(QThreadPool& pool, QObject* context, Work work, Done done) {
    pool.start([guard = QPointer<QObject>(context), work = std::move(work), done = std::move(done)]() mutable {
        using Value = decltype(work());
        auto value = std::make_shared<Value>(work());
        // The application object outlives the pool; whether the context still does is decided
        // on the GUI thread, where it cannot vanish in between.
        QMetaObject::invokeMethod(qApp, [guard, value, done = std::move(done)]() mutable {
            if (guard) done(std::move(*value));
        });
    });
}
template <class Work, class Done>
void inBackground(QObject* context, Work work, Done done) {
    inBackground(*QThreadPool::globalInstance(), context, std::move(work), std::move(done));
}

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
