// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/canvas/in_parallel.h"

#include <QThread>
#include <QThreadPool>

#include <algorithm>
#include <atomic>
#include <memory>

namespace trainyard::ui {

namespace {

// A late helper finds nothing left, and never touches `work`.
struct Pieces {
    int count;
    const std::function<void(int)>* work;
    std::atomic<int> next{0}, done{0};

    Pieces(int pieces, const std::function<void(int)>& toDo) : count(pieces), work(&toDo) {}

    void take() {
        for (int i = next++; i < count; i = next++) {
            (*work)(i);
            if (++done == count) done.notify_all();
        }
    }
};

// Not the global pool, whose threads are busy for seconds with averages and exports.
QThreadPool& helpers() {
    static QThreadPool pool;
    return pool;
}

} // namespace

void inParallel(int count, const std::function<void(int)>& work) {
    if (count == 1) return work(0);
    if (count < 1) return;
    static const int cores = QThread::idealThreadCount(); // queries the system each time
    auto pieces = std::make_shared<Pieces>(count, work);
    const int others = std::min(count, cores) - 1;
    for (int i = 0; i < others; ++i)
        if (!helpers().tryStart([pieces] { pieces->take(); })) break;
    pieces->take();
    for (int done = pieces->done; done < count; done = pieces->done) pieces->done.wait(done);
}

} // namespace trainyard::ui
