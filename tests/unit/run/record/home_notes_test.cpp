// SPDX-License-Identifier: GPL-3.0-or-later
// What a workspace knows of runs that live on other hosts, and what those know of the files that were sent with them.
#include "engine/run/record/home_notes.h"
#include "engine/run/record/run_folder.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/sweep/paths.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace trainyard::run;

class HomeNotesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace = *store::Workspace::open(m_folder->path().toStdString());
    }

    void notesComeBackNewestFirst() {
        QVERIFY(homeNotes(m_workspace).empty());
        for (const auto& note : notes()) QVERIFY(noteHome(m_workspace, note));
        write("away/no-note.json", "[1]");
        write("away/20260101-000000-000009.json", R"({"id": "../../other", "name": "x", "host": "h1"})");
        write("away/20260101-000000-000008.json", R"({"id": "20260101-000000-000008", "name": 1})");
        write("away/notes.txt", "{}");
        const auto found = homeNotes(m_workspace);
        QCOMPARE(found.size(), 3u);
        QCOMPARE(found[0].id, std::string("20260103-000000-00000c"));
        QCOMPARE(found[0].host, std::string("me@h2:2201"));
        QVERIFY(found[0].isSweep && !found[1].isSweep);
        QCOMPARE(found[1].startedMs, 2);
        QVERIFY(forgetHome(m_workspace, found[0].id));
        QVERIFY(forgetHome(m_workspace, found[0].id)); // again
        QCOMPARE(homeNotes(m_workspace).size(), 2u);
    }

    void isFoundAsARunIs_data() {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("end"); // of the id; empty: none
        QTest::newRow("an id") << "20260101-000000-00000a" << "a";
        QTest::newRow("the beginning of an id") << "20260102" << "b";
        QTest::newRow("the beginning of several") << "202601" << "";
        QTest::newRow("a name: the newest of it") << "calm-otter" << "b";
        QTest::newRow("another name") << "rates" << "c";
        QTest::newRow("no name") << "wild-otter" << "";
        QTest::newRow("nothing") << "" << "";
    }
    void isFoundAsARunIs() {
        QFETCH(QString, word);
        QFETCH(QString, end);
        const auto all = notes();
        const auto found = findNote({all[2], all[1], all[0]}, word.toStdString());
        QCOMPARE(found.has_value(), !end.isEmpty());
        if (found) QVERIFY(found->id.ends_with(end.toStdString()));
    }

    void aLaunchRecordTellsWhereFilesAre() {
        const RunFolder folder{m_workspace.runFolder("run")};
        QVERIFY(makeRunFolder(folder));
        const std::map<std::string, std::string> files{{"dataset.file", "/cache/ab/my table.csv"}};
        QVERIFY(writeLaunchRecord(folder, {RunId("run"), "/w", {}, std::nullopt, files}));
        QCOMPARE(readLaunchRecord(folder)->files, files);
        for (const char* bad : {"[1]", R"({"dataset.file": 1})", R"({"optimizer.lr": "/etc/passwd"})"}) {
            const std::string text = R"({"version": 1, "run": "run", "workspace": "/w", "files": )" + std::string(bad);
            write("runs/run/launch.json", (text + "}").c_str());
            const auto refused = readLaunchRecord(folder);
            QVERIFY(!refused && refused.error().kind == ErrorKind::Input);
        }
    }

    void aRunFileKeepsThePathsThatItNames() {
        const auto original = *spec::parseRunSpec(
            R"({"version": 1, "dataset": {"name": "csv", "params": {"file": "/here/table.csv", "target": "y"}}})");
        const std::map<std::string, std::string> files{{"dataset.file", "/there/table.csv"},
                                                       {"model.path", "/there/net.pt"}};
        auto spec = original;
        spec::relocate(spec, files);
        QCOMPARE(spec.dataset.text("file", {}), std::string("/there/table.csv"));
        QCOMPARE(spec.model.text("path", {}), std::string("/there/net.pt"));
        spec::relocateBack(spec, files, original);
        QCOMPARE(spec::toJson(spec), spec::toJson(original));
    }

private:
    static std::vector<HomeNote> notes() {
        return {{"20260101-000000-00000a", "calm-otter", "h1", false, 1},
                {"20260102-000000-00000b", "calm-otter", "h1", false, 2},
                {"20260103-000000-00000c", "rates", "me@h2:2201", true, 3}};
    }
    void write(const char* name, const char* text) const {
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    store::Workspace m_workspace;
};

QTEST_GUILESS_MAIN(HomeNotesTest)
#include "home_notes_test.moc"
