// SPDX-License-Identifier: GPL-3.0-or-later
// What a keeper does whose supervisor was killed, and what the next supervisor makes of keepers: tables of events.
#include "engine/run/program/bond/lost_supervisor.h"
#include "engine/run/program/bond/supervisor_guard.h"
#include "engine/run/program/bond/told_news.h"
#include "engine/run/record/series/series_book.h"

#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using run::Adoption;
using run::LostSupervisor;

namespace {

run::RankNote noteOf(int rank, int worldSize, int generation = 2) {
    run::RankNote note;
    note.rank = note.localRank = rank;
    note.worldSize = note.localWorldSize = worldSize;
    note.generation = generation;
    note.keeper = 100 + rank;
    note.program = 200 + rank;
    note.socket = "/run/user/1000/trainyard/x.keeper";
    return note;
}

wire::Metrics pointsOf(int first, int last) {
    wire::SeriesPoints series{"train/loss", 0, {}};
    for (int step = first; step <= last; ++step) series.points.push_back({step, 0, double(step), 1.0 / step});
    return {{series}};
}

// What a supervisor keeps of messages.
void take(run::SeriesBook& book, const std::vector<wire::Message>& messages) {
    for (const auto& message : messages) {
        if (const auto* metrics = std::get_if<wire::Metrics>(&message)) (void)book.accept(*metrics);
        if (const auto* back = std::get_if<wire::RolledBack>(&message)) book.rewind(back->toStep);
    }
}

} // namespace

class LostSupervisorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anotherOneIsStarted_data() {
        QTest::addColumn<int>("rank");
        QTest::addColumn<bool>("mayStart");
        QTest::addColumn<QString>("events"); // quarter of a second:event
        QTest::addColumn<QString>("done");   // quarter of a second:action
        QTest::newRow("nothing is lost") << 0 << true << "" << "";
        QTest::newRow("rank 0 starts one") << 0 << true << "4:lost 8:found" << "5:start";
        QTest::newRow("rank 2 waits for two others") << 2 << true << "4:lost 16:found" << "13:start";
        QTest::newRow("somebody has done so") << 1 << true << "4:lost 9:taken 12:found" << "9:start";
        QTest::newRow("each pause is twice as long, and then it is enough")
            << 0 << true << "0:lost" << "1:start 5:start 13:start 29:start 61:start 240:give up";
        QTest::newRow("a trial's sweep starts one") << 0 << false << "0:lost 100:found" << "";
        QTest::newRow("a trial whose sweep is gone") << 0 << false << "0:lost" << "240:give up";
        QTest::newRow("killed again and again: five in ten minutes")
            << 0 << true << "0:lost 2:found 10:lost 12:found 20:lost 22:found 30:lost 32:found 40:lost 42:found 50:lost"
            << "1:start 11:start 21:start 31:start 41:start 290:give up";
        QTest::newRow("once in two minutes") << 0 << true << "0:lost 2:found 480:lost 482:found 960:lost 962:found"
                                             << "1:start 481:start 961:start";
    }
    void anotherOneIsStarted() {
        QFETCH(int, rank);
        QFETCH(bool, mayStart);
        QFETCH(QString, events);
        QFETCH(QString, done);
        LostSupervisor lost(rank, mayStart);
        QStringList seen;
        for (int quarter = 0; quarter < 1000; ++quarter) {
            const double now = quarter / 4.0;
            const auto at = QString::number(quarter) + ":";
            const auto list = events.split(' ', Qt::SkipEmptyParts);
            if (list.contains(at + "lost")) lost.lost(now);
            if (list.contains(at + "found")) lost.found();
            const auto action = lost.next(now);
            if (action == LostSupervisor::Action::GiveUp) seen << at + "give up";
            if (action != LostSupervisor::Action::Start) continue;
            seen << at + "start";
            if (list.contains(at + "taken")) lost.taken(now);
            else lost.started(now);
            QVERIFY(lost.due() > now);
        }
        QCOMPARE(seen.join(' '), done);
    }

    void keepersAreAdopted_data() {
        using Notes = std::vector<run::RankNote>;
        QTest::addColumn<Notes>("notes");
        QTest::addColumn<QList<bool>>("lives");
        QTest::addColumn<Adoption>("adoption");
        const auto givenUp = [] {
            auto note = noteOf(0, 2);
            note.isGivenUp = true;
            return note;
        }();
        QTest::newRow("none was ever there") << Notes{} << QList<bool>{} << Adoption::Nothing;
        QTest::newRow("all are dead") << Notes{noteOf(0, 2), noteOf(1, 2)} << QList<bool>{false, false}
                                      << Adoption::Nothing;
        QTest::newRow("all live") << Notes{noteOf(0, 2), noteOf(1, 2)} << QList<bool>{true, true} << Adoption::All;
        QTest::newRow("one rank") << Notes{noteOf(0, 1)} << QList<bool>{true} << Adoption::All;
        QTest::newRow("rank 0 is dead") << Notes{noteOf(0, 2), noteOf(1, 2)} << QList<bool>{false, true}
                                        << Adoption::EndRest;
        QTest::newRow("rank 0 has no note") << Notes{noteOf(1, 2)} << QList<bool>{true} << Adoption::EndRest;
        QTest::newRow("the last rank has no note")
            << Notes{noteOf(0, 3), noteOf(1, 3)} << QList<bool>{true, true} << Adoption::EndRest;
        QTest::newRow("of two groups") << Notes{noteOf(0, 2, 3), noteOf(1, 2, 2)} << QList<bool>{true, true}
                                       << Adoption::EndRest;
        QTest::newRow("given up") << Notes{givenUp, noteOf(1, 2)} << QList<bool>{true, true} << Adoption::Await;
        QTest::newRow("given up, and gone")
            << Notes{givenUp, noteOf(1, 2)} << QList<bool>{false, false} << Adoption::Nothing;
    }
    void keepersAreAdopted() {
        QFETCH(std::vector<run::RankNote>, notes);
        QFETCH(QList<bool>, lives);
        QFETCH(Adoption, adoption);
        QVERIFY(run::judgeAdoption(notes, std::vector<bool>(lives.begin(), lives.end())) == adoption);
    }

    void anotherSupervisorIsStarted_data() {
        using Notes = std::vector<run::RankNote>;
        QTest::addColumn<Notes>("notes");
        QTest::addColumn<int>("shortLives");
        QTest::addColumn<bool>("isStarted");
        const auto ended = [](bool signalled, int code) {
            auto note = noteOf(0, 2);
            note.ended = run::ExitStatus{signalled, code};
            return note;
        };
        const auto stopped = [] {
            auto note = noteOf(1, 2);
            note.stop = run::NotedStop{};
            return note;
        }();
        QTest::newRow("before the first rank") << Notes{} << 0 << true;
        QTest::newRow("ranks are there") << Notes{noteOf(0, 2), noteOf(1, 2)} << 0 << true;
        QTest::newRow("one was killed") << Notes{ended(true, 9), noteOf(1, 2)} << 4 << true;
        QTest::newRow("all have failed") << Notes{ended(false, 1), ended(false, 1)} << 0 << true;
        QTest::newRow("all have ended well") << Notes{ended(false, 0), ended(false, 0)} << 0 << false;
        QTest::newRow("asked to stop") << Notes{noteOf(0, 2), stopped} << 0 << false;
        QTest::newRow("five have lived too short") << Notes{noteOf(0, 2), noteOf(1, 2)} << 5 << false;
    }
    void anotherSupervisorIsStarted() {
        QFETCH(std::vector<run::RankNote>, notes);
        QFETCH(int, shortLives);
        QFETCH(bool, isStarted);
        QCOMPARE(run::getsAnotherSupervisor(notes, shortLives), isStarted);
    }

    void aNoteIsReadAsItWasWritten() {
        const QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        std::filesystem::create_directories(root / "program");
        auto note = noteOf(1, 2);
        note.stop = run::NotedStop{wire::StopMode::AtCheckpoint, 120, 1'700'000'000'123};
        note.ended = run::ExitStatus{true, 9};
        QVERIFY(run::writeRankNote(root, note));
        QVERIFY(run::writeRankNote(root, noteOf(0, 2)));
        const auto read = run::readRankNotes(root);
        QCOMPARE(read.size(), std::size_t{2});
        QCOMPARE(read[1].toJson(), note.toJson());
        QVERIFY(read[1].stop == note.stop && read[1].ended->signalled && read[1].ended->code == 9);
        run::removeRankNotes(root);
        QVERIFY(run::readRankNotes(root).empty());
    }
    // Bad inputs: notes of keepers.
    void badNotesAreRefused_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("no JSON") << "{" << "";
        QTest::newRow("a list") << "{" << "[{";
        QTest::newRow("rank beyond the group") << "\"rank\": 1" << "\"rank\": 2";
        QTest::newRow("a negative rank") << "\"rank\": 1" << "\"rank\": -1";
        QTest::newRow("no process") << "\"keeper\": 101" << "\"keeper\": 0";
        QTest::newRow("a huge process") << "\"keeper\": 101" << "\"keeper\": 99999999999";
        QTest::newRow("a number as text") << "\"keeper\": 101" << "\"keeper\": \"101\"";
        QTest::newRow("a broken number") << "\"generation\": 2" << "\"generation\": 2.5";
        QTest::newRow("no socket") << "\"socket\"" << "\"sock\"";
        QTest::newRow("an unknown stop") << "save-and-stop" << "perhaps";
        QTest::newRow("an exit code out of range") << "\"code\": 1" << "\"code\": 1000";
    }
    void badNotesAreRefused() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        auto note = noteOf(1, 2);
        note.stop = run::NotedStop{};
        note.ended = run::ExitStatus{false, 1};
        auto text = QString::fromStdString(note.toJson());
        QVERIFY(run::RankNote::parse(text.toStdString(), "note"));
        QVERIFY(text.contains(from));
        text.replace(text.indexOf(from), from.size(), to);
        const auto read = run::RankNote::parse(text.toStdString(), "note");
        QVERIFY(!read);
        QCOMPARE(read.error().where, std::string("note"));
        QVERIFY(!read.error().remedy.empty());
    }

    void newsIsToldOnce_data() {
        QTest::addColumn<int>("storedAt");   // second after the points; -1: never heard
        QTest::addColumn<int>("storedStep"); // as it is heard then
        QTest::addColumn<int>("reached");    // the step that the store really has
        QTest::addColumn<int>("kept");       // messages
        QTest::newRow("nothing stored") << -1 << 0 << 0 << 5;
        QTest::newRow("all stored, not heard of") << -1 << 0 << 50 << 5;
        QTest::newRow("heard of a part") << 10 << 25 << 31 << 3;
        QTest::newRow("heard of all") << 10 << 50 << 50 << 1;
        QTest::newRow("an old word: it may be of before a rewind") << 1 << 50 << 50 << 5;
    }
    void newsIsToldOnce() {
        QFETCH(int, storedAt);
        QFETCH(int, storedStep);
        QFETCH(int, reached);
        QFETCH(int, kept);
        run::ToldNews told;
        for (int i = 0; i < 5; ++i) told.add(pointsOf(10 * i + 1, 10 * i + 10), 0);
        if (storedAt >= 0) told.stored(storedStep, storedAt);
        QCOMPARE(static_cast<int>(told.size()), kept);
        run::SeriesBook book;
        if (reached > 0) (void)book.accept(pointsOf(1, reached));
        take(book, told.all());
        QCOMPARE(book.count("train/loss"), 50);
    }
    void aRewindIsToldAgainWithWhatFollows() {
        run::ToldNews told;
        told.add(pointsOf(1, 20), 0);
        told.add(wire::RolledBack{5, {}}, 10);
        told.stored(20, 10.5); // on its way when the program went back
        told.add(pointsOf(6, 9), 11);
        for (const int reached : {0, 5, 20}) { // before the rewind was stored
            run::SeriesBook book;
            if (reached > 0) (void)book.accept(pointsOf(1, reached));
            take(book, told.all());
            QCOMPARE(book.count("train/loss"), 9);
        }
        run::SeriesBook after; // the store has the rewind and a part of what follows
        (void)after.accept(pointsOf(1, 7));
        take(after, told.all());
        QCOMPARE(after.count("train/loss"), 9);
    }
};

QTEST_GUILESS_MAIN(LostSupervisorTest)
#include "lost_supervisor_test.moc"
