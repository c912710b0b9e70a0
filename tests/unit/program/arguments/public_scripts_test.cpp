// SPDX-License-Identifier: GPL-3.0-or-later
// Thirty scripts in the manner of public ones: whether their arguments are found, by reading and by a probe.
#include "engine/program/arguments/script_arguments.h"
#include "engine/program/probe/script_probe.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <map>

using namespace trainyard;
using namespace trainyard::program;

namespace {

const QString kAllPrograms = QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/programs/");

QString publicText(const std::string& text) { return QString::fromStdString(text); }

// "train --lr" of a subcommand, "files" of a positional one.
QString argumentKey(const QString& name, const QString& flags, const QString& subcommand) {
    QStringList sorted = flags.split(' ', Qt::SkipEmptyParts);
    sorted.sort();
    return (subcommand + ' ' + (sorted.isEmpty() ? name : sorted.join(' '))).trimmed();
}

using ArgumentDefaults = std::map<QString, QString>; // as Python writes them; "?": not known here

// A line for each argument, as script_arguments_test has them. What stands below one is not looked at but for "?".
struct ScriptTruth {
    ArgumentDefaults arguments{};
    QString settings{};
};
ScriptTruth truthOfScript(const QString& path) {
    ScriptTruth truth;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return truth;
    QString last;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        if (line.startsWith("settings: ")) truth.settings = line.mid(10);
        if (line.startsWith("    ?") && !last.isEmpty()) truth.arguments[last] = "?";
        if (line.startsWith(' ') || !line.contains(" | ")) continue;
        const QStringList parts = line.split(" | ");
        last = argumentKey(parts[0].trimmed(), parts[1].trimmed(), parts.value(8).section("  <", 0, 0).trimmed());
        truth.arguments[last] = parts[3].trimmed();
    }
    return truth;
}

ArgumentDefaults defaultsFound(const ScriptArguments& found) {
    ArgumentDefaults all;
    for (const auto& each : found.arguments) {
        QStringList flags;
        for (const auto& flag : each.flags) flags << publicText(flag);
        const bool given = each.byDefault && !(each.required && pythonText(*each.byDefault) == "None");
        all[argumentKey(publicText(each.name), flags.join(' '), publicText(each.subcommand))] =
            given ? publicText(pythonText(*each.byDefault)) : QString();
    }
    return all;
}

// How well one way has found a script's arguments.
struct ProbeScore {
    bool found = false;
    std::size_t right = 0; // defaults
    QStringList wrong{};
};
ProbeScore probeScoreOf(const ScriptArguments& found, const ScriptTruth& truth) {
    const ArgumentDefaults all = defaultsFound(found);
    ProbeScore score;
    score.found = truth.settings.isEmpty() || publicText(found.configFile) == truth.settings;
    for (const auto& [key, byDefault] : truth.arguments) {
        const auto known = all.find(key);
        if (known == all.end()) score.found = false;
        if (known == all.end()) score.wrong << "missing " + key;
        else if (byDefault == "?" || known->second == byDefault) ++score.right;
        else score.wrong << key + ": " + known->second + ", not " + byDefault;
    }
    for (const auto& [key, byDefault] : all)
        if (!truth.arguments.contains(key)) {
            score.found = false;
            score.wrong << "false " + key;
        }
    return score;
}

struct ScriptRow {
    QString name;
    std::size_t arguments = 0;
    ProbeScore read{}, probed{};
    double readMs = 0, probeMs = 0;
};

double medianMs(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

} // namespace

class PublicScriptsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: the arguments of thirty scripts in the manner of public ones, read in milliseconds and probed in tenths.
    void argumentsAreFound() {
        std::vector<ScriptRow> rows;
        for (const QString& folder : {QStringLiteral("arguments/"), QStringLiteral("public/")})
            for (const QString& table : QDir(kAllPrograms + folder).entryList({"*.txt"})) {
                const QString name = table.chopped(4);
                if (name == "computed") continue; // what it takes, only absent packages know
                QString script = kAllPrograms + folder + name + ".py";
                if (!QFile::exists(script)) script = kAllPrograms + folder + name + "/train.py";
                if (!QFile::exists(script)) script = kAllPrograms + "scripts/" + name + ".py";
                rows.push_back(scored(name, script, truthOfScript(kAllPrograms + folder + table)));
            }
        QCOMPARE(rows.size(), std::size_t{30});
        std::size_t read = 0, probed = 0, all = 0, readRight = 0, probedRight = 0;
        std::vector<double> readMs, probeMs;
        for (const ScriptRow& row : rows) {
            qInfo("%-20s %3zu arguments; read %-3s %3zu defaults %6.1f ms; probed %-3s %3zu defaults %6.0f ms  %s",
                  qPrintable(row.name), row.arguments, row.read.found ? "all" : "no", row.read.right, row.readMs,
                  row.probed.found ? "all" : "no", row.probed.right, row.probeMs,
                  qPrintable(row.probed.wrong.join("; ")));
            read += row.read.found;
            probed += row.probed.found;
            all += row.arguments;
            readRight += row.read.right;
            probedRight += row.probed.right;
            readMs.push_back(row.readMs);
            probeMs.push_back(row.probeMs);
        }
        qInfo("read: %zu of 30, %zu of %zu defaults, median %.2f ms; probed: %zu of 30, %zu defaults, median %.0f ms",
              read, readRight, all, medianMs(readMs), probed, probedRight, medianMs(probeMs));
        QVERIFY2(read >= 26, qPrintable(QString::number(read)));
        QVERIFY2(probed >= 29, qPrintable(QString::number(probed)));
        QVERIFY(probedRight >= all - 2);
        QVERIFY2(medianMs(readMs) < 50, "the form waits for it");
    }

private:
    static ScriptRow scored(const QString& name, const QString& script, const ScriptTruth& truth) {
        ScriptRow row{.name = name, .arguments = truth.arguments.size()};
        QElapsedTimer timer;
        timer.start();
        const auto read = readArguments(script.toStdString());
        row.readMs = double(timer.nsecsElapsed()) / 1e6;
        if (read) row.read = probeScoreOf(*read, truth);
        const auto probed = probeArguments(script.toStdString(), {.folder = QFileInfo(script).path().toStdString()});
        if (!probed) return row;
        row.probed = probeScoreOf(probed->arguments, truth);
        row.probeMs = probed->seconds * 1000;
        if (probed->problem) row.probed.wrong << publicText(probed->problem->text());
        return row;
    }
};

QTEST_GUILESS_MAIN(PublicScriptsTest)
#include "public_scripts_test.moc"
