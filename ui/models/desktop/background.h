// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <memory>
#include <utility>

namespace trainyard::ui {

// Runs `work` on a pool thread and passes its result to `done` on the GUI thread. Drops `done` if `context` is gone by
// then. Call from the GUI thread.
template <class Work, class Done>
void inBackground(QObject* context, Work work, Done done) {
    QThreadPool::globalInstance()->start(
        [guard = QPointer<QObject>(context), work = std::move(work), done = std::move(done)]() mutable {
            using Value = decltype(work());
            auto value = std::make_shared<Value>(work());
            // The application object outlives the pool; whether the context still does is decided
            // on the GUI thread, where it cannot vanish in between.
            QMetaObject::invokeMethod(qApp, [guard, value, done = std::move(done)]() mutable {
                if (guard) done(std::move(*value));
            });
        });
}

} // namespace trainyard::ui
