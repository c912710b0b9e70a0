// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that block, off the thread that asks for them.
#include "engine/base/clock.h"
#include "engine/run/launch/host_tasks.h"

#include <QTest>

#include <poll.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

using namespace trainyard;
using run::HostTasks;

class HostTasksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lanesRunSideBySide();
    void aLaneKeepsItsOrder();
    void nothingIsDeliveredUnasked();
    void itsEndWaitsForNoCall();
    void atMost32AreAtWork();

private:
    // Delivers until all is delivered; false when that takes longer than a minute.
    static bool deliverAll(HostTasks& tasks) {
        for (const double until = monotonicSeconds() + 60; tasks.count() > 0;) {
            pollfd entry{tasks.fd(), POLLIN, 0};
            if (::poll(&entry, 1, 1000) > 0) tasks.deliver();
            if (monotonicSeconds() > until) return false;
        }
        return true;
    }
};

// Each waits for the other: one after the other they would never end.
// Feature: a slow link to a host holds up neither the run nor a stop; what is left on a host at the end is found there
// and ended; a run moves to other hosts or here, and keeps what it trains. Also in copy_queue_test, spec_resume_test,
// ssh_moves_test, ssh_run_test.
void HostTasksTest::lanesRunSideBySide() {
    HostTasks tasks;
    auto first = std::make_shared<std::promise<void>>(), second = std::make_shared<std::promise<void>>();
    int sum = 0;
    const auto add = [&sum](int number) { sum += number; };
    tasks.start<int>("h1", [=] { return first->set_value(), second->get_future().wait(), 1; }, add);
    tasks.start<int>("h2", [=] { return second->set_value(), first->get_future().wait(), 2; }, add);
    QCOMPARE(tasks.count(), 2);
    QVERIFY(deliverAll(tasks));
    QCOMPARE(sum, 3);
}

void HostTasksTest::aLaneKeepsItsOrder() {
    HostTasks tasks;
    std::vector<int> done;
    auto atWork = std::make_shared<std::atomic<int>>(0);
    for (int number = 0; number < 100; ++number)
        tasks.start<int>(
            "h1",
            [number, atWork] {
                const bool alone = ++*atWork == 1;
                std::this_thread::yield();
                --*atWork;
                return alone ? number : -1;
            },
            [&done](int result) { done.push_back(result); });
    QVERIFY(deliverAll(tasks));
    QCOMPARE(done.size(), std::size_t{100});
    for (int number = 0; number < 100; ++number) QCOMPARE(done[static_cast<std::size_t>(number)], number);
    // A lane that has been idle takes up work again.
    tasks.start<int>("h1", [] { return 7; }, [&done](int result) { done.push_back(result); });
    QVERIFY(deliverAll(tasks));
    QCOMPARE(done.back(), 7);
}

void HostTasksTest::nothingIsDeliveredUnasked() {
    HostTasks tasks;
    const auto caller = std::this_thread::get_id();
    std::thread::id at, deliveredBy;
    tasks.start<std::thread::id>(
        "h1", [] { return std::this_thread::get_id(); },
        [&](std::thread::id id) {
            at = id;
            deliveredBy = std::this_thread::get_id();
        });
    pollfd entry{tasks.fd(), POLLIN, 0};
    QCOMPARE(::poll(&entry, 1, 60'000), 1); // it is over
    QCOMPARE(at, std::thread::id());
    tasks.deliver();
    QVERIFY(at != caller && at != std::thread::id());
    QCOMPARE(deliveredBy, caller);
    QCOMPARE(::poll(&entry, 1, 0), 0);
}

// What was at work is dropped, and what waited never begins.
void HostTasksTest::itsEndWaitsForNoCall() {
    auto begun = std::make_shared<std::promise<void>>(), let = std::make_shared<std::promise<void>>();
    auto kept = std::make_shared<int>(1);
    const std::weak_ptr<int> result = kept;
    auto delivered = std::make_shared<bool>(false), waitedBegan = std::make_shared<bool>(false);
    {
        HostTasks tasks;
        tasks.start<std::shared_ptr<int>>(
            "h1",
            [=, kept = std::move(kept)] {
                begun->set_value();
                let->get_future().wait();
                return kept;
            },
            [delivered](const std::shared_ptr<int>&) { *delivered = true; });
        tasks.start<int>("h1", [waitedBegan] { return *waitedBegan = true, 1; }, [](int) {});
        begun->get_future().wait();
    }
    QVERIFY(!result.expired());
    let->set_value();
    QTRY_VERIFY_WITH_TIMEOUT(result.expired(), 60'000);
    QVERIFY(!*delivered && !*waitedBegan);
}

void HostTasksTest::atMost32AreAtWork() {
    HostTasks tasks;
    auto atWork = std::make_shared<std::atomic<int>>(0), most = std::make_shared<std::atomic<int>>(0);
    auto let = std::make_shared<std::promise<void>>();
    const std::shared_future<void> go = let->get_future().share();
    for (int host = 0; host < 100; ++host)
        tasks.start<int>(
            "h" + std::to_string(host),
            [=] {
                const int now = ++*atWork;
                for (int known = *most; known < now && !most->compare_exchange_weak(known, now);) {}
                go.wait();
                return --*atWork;
            },
            [](int) {});
    QTRY_COMPARE_WITH_TIMEOUT(atWork->load(), 32, 60'000);
    let->set_value();
    QVERIFY(deliverAll(tasks));
    QCOMPARE(most->load(), 32);
}

QTEST_GUILESS_MAIN(HostTasksTest)
#include "host_tasks_test.moc"
