// SPDX-License-Identifier: GPL-3.0-or-later
// "Will it run?" as a table: what the New run sheet knows, and what it says of it.
#include "ui/new_run/run_checks.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::ui;

class RunChecksTest : public QObject {
    Q_OBJECT

    static Preview small() {
        Preview preview;
        preview.train = 90;
        preview.validation = 10;
        preview.bytesOfAll = 1e9;
        return preview;
    }
    // Plenty of everything.
    static SystemLoad idle() {
        SystemLoad load;
        load.memoryTotal = 8'000'000'000;
        load.diskFree = load.diskTotal = 100'000'000'000;
        return load;
    }
    static QString stateWord(RunCheck::State state) {
        static const char* const words[] = {"ok", "wait", "wrong", "unknown"};
        return QLatin1String(words[state]);
    }

private Q_SLOTS:
    void theFactsDecideEachLine_data() {
        QTest::addColumn<PreviewFacts>("facts");
        QTest::addColumn<SystemLoad>("load");
        QTest::addColumn<int>("activeRuns");
        QTest::addColumn<QString>("said"); // "name: state" of the lines that are not ok
        QTest::addColumn<QString>("lines");
        const QString here = QStringLiteral("Memory Ports Settings Devices Disk");
        PreviewFacts known;
        known.preview = small();
        const auto row = [&](const char* name, const PreviewFacts& facts, const QString& said,
                             const QString& lines = QStringLiteral("Data readable "), const SystemLoad& load = idle(),
                             int activeRuns = 0) {
            QTest::newRow(name) << facts << load << activeRuns << said << lines + here;
        };
        row("all is well", known, {});
        PreviewFacts facts = known;
        facts.busy = true;
        const QString unread = QStringLiteral("Data and model ");
        row("it is asked again", facts, QStringLiteral("Data and model: unknown, Memory: unknown"), unread);
        row("nothing is known yet", {}, QStringLiteral("Data and model: unknown, Memory: unknown"), unread);
        facts = {};
        facts.refused = QStringLiteral("there is no such file");
        row("the worker refuses", facts, QStringLiteral("Data and model: wrong, Memory: unknown"), unread);
        facts = known;
        facts.preview->lost = 30;
        row("much of the data is left out", facts, QStringLiteral("Data: wait"), QStringLiteral("Data Data readable "));
        facts.preview->lost = 20;
        row("some of it is", facts, {});
        facts = known;
        facts.preview->checkpoint =
            Preview::Checkpoint{.fits = false, .why = QStringLiteral("another model"), .remedy = {}, .changed = {}};
        const QString begun = QStringLiteral("Data readable Checkpoint ");
        row("the checkpoint does not fit", facts, QStringLiteral("Checkpoint: wrong"), begun);
        facts.preview->checkpoint =
            Preview::Checkpoint{.fits = true, .why = {}, .remedy = {}, .changed = QStringLiteral("2 files are new")};
        row("its data has changed", facts, QStringLiteral("Checkpoint: wait"), begun);
        facts.preview->checkpoint = Preview::Checkpoint{};
        row("it fits", facts, {}, begun);
        facts = known;
        facts.state.errors = QStringList{QStringLiteral("Batch: must be at least 1")};
        row("a field is wrong", facts, QStringLiteral("Settings: wrong"));
        SystemLoad full = idle();
        full.diskFree = 1000;
        row("the disk is full", known, QStringLiteral("Disk: wrong"), QStringLiteral("Data readable "), full);
        SystemLoad used = idle();
        used.memoryUsed = 7'500'000'000;
        row("memory is short", known, QStringLiteral("Memory: wrong"), QStringLiteral("Data readable "), used);
        row("another run trains", known, QStringLiteral("Devices: wait"), QStringLiteral("Data readable "), idle(), 1);
        facts = known;
        facts.state.home = QStringLiteral("gpu-1");
        facts.state.shown.hosts = {"gpu-1"};
        QTest::newRow("it lives on a host")
            << facts << full << 0 << QString() << QStringLiteral("Data readable Ports Settings Devices");
        facts.state.home.clear();
        facts.state.slurm = run::SlurmRequest{};
        QTest::newRow("it is a job of Slurm")
            << facts << idle() << 0 << QString() << QStringLiteral("Data readable Settings Devices Disk");
    }
    void theFactsDecideEachLine() {
        QFETCH(PreviewFacts, facts);
        QFETCH(SystemLoad, load);
        QFETCH(int, activeRuns);
        HostsCheck hosts;
        QStringList said, lines;
        for (const RunCheck& check : RunChecks(facts, hosts, load, activeRuns).all()) {
            lines << check.name;
            if (check.state != RunCheck::Ok) said << check.name + QStringLiteral(": ") + stateWord(check.state);
            QVERIFY2(!check.detail.isEmpty(), qPrintable(check.name));
        }
        QTEST(said.join(QStringLiteral(", ")), "said");
        QTEST(lines.join(QLatin1Char(' ')), "lines");
    }
};

QTEST_MAIN(RunChecksTest)
#include "run_checks_test.moc"
