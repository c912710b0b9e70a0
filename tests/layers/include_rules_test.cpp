// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of ARCHITECTURE.md as a table: which files must not include what.
#include "tests/layers/source_tree.h"

#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace trainyard::layers;

namespace {

// Qt's own headers: <QString>, <QtGlobal>, <qglobal.h>.
const QString kQt = R"(^(Q[A-Z]|Qt[A-Z]|qt|qglobal))";
const QString kTorch = R"(^(torch|c10|c10d|ATen|caffe2|gloo)/)";
const QString kEveryFile = R"(.)";

QStringList offences(const QString& root, const QString& files, const QString& except, const QString& forbidden) {
    const QRegularExpression in(files), out(except), what(forbidden);
    QStringList found;
    for (const QString& file : sourceFiles(root)) {
        if (!in.match(file).hasMatch() || (!except.isEmpty() && out.match(file).hasMatch())) continue;
        for (const Include& include : includesOf(readText(root + '/' + file)))
            if (what.match(include.name).hasMatch())
                found << QString("%1:%2 includes %3").arg(file).arg(include.line).arg(include.name);
    }
    return found;
}

using FolderIncludes = QMap<QString, QSet<QString>>;

QString folderOf(const QString& file) { return file.section('/', 0, -2); }

// Which folders of the product each of its folders includes.
FolderIncludes folderIncludes(const QString& root) {
    static const QRegularExpression ofProduct("^(engine|remote|ui|app)/");
    FolderIncludes found;
    for (const QString& file : sourceFiles(root).filter(ofProduct))
        for (const Include& include : includesOf(readText(root + '/' + file)))
            if (ofProduct.match(include.name).hasMatch() && folderOf(include.name) != folderOf(file))
                found[folderOf(file)].insert(folderOf(include.name));
    return found;
}

// A way from `folder` back to one that is on the way already; empty when there is none.
QStringList wayBack(const FolderIncludes& includes, const QString& folder, QStringList way, QSet<QString>& done) {
    if (const auto seen = way.indexOf(folder); seen >= 0) return way.mid(seen) << folder;
    if (done.contains(folder)) return {};
    way << folder;
    QStringList next = includes.value(folder).values();
    next.sort();
    for (const QString& each : next)
        if (const QStringList cycle = wayBack(includes, each, way, done); !cycle.isEmpty()) return cycle;
    done.insert(folder);
    return {};
}

QStringList cycleOf(const FolderIncludes& includes) {
    QSet<QString> done;
    for (const QString& folder : includes.keys())
        if (const QStringList cycle = wayBack(includes, folder, {}, done); !cycle.isEmpty()) return cycle;
    return {};
}

} // namespace

class IncludeRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void layerKeepsItsRule_data() {
        QTest::addColumn<QString>("files");
        QTest::addColumn<QString>("except");
        QTest::addColumn<QString>("forbidden");
        const QString core = R"(^engine/)", torch = R"(^engine/torch/)", none;

        QTest::newRow("core without Qt") << core << torch << kQt;
        QTest::newRow("core without LibTorch") << core << torch << kTorch;
        QTest::newRow("core without libssh2") << core << torch << R"(^libssh2)";
        QTest::newRow("core knows no layer above it") << core << torch << R"(^(engine/torch|remote|ui|app)/)";
        QTest::newRow("engine/torch without Qt") << torch << none << kQt;
        QTest::newRow("engine/torch knows core only") << torch << none << R"(^(remote|ui|app)/|^libssh2)";
        QTest::newRow("remote without Qt") << R"(^remote/)" << none << kQt;
        QTest::newRow("remote knows core only") << R"(^remote/)" << none << kTorch + R"(|^(engine/torch|ui|app)/)";
        QTest::newRow("window and terminal without LibTorch")
            << R"(^(ui|app)/)" << R"(^app/main_worker)" << kTorch + R"(|^engine/torch/)";
        QTest::newRow("window and terminal without libssh2") << R"(^(ui|app)/)" << none << R"(^libssh2)";
        QTest::newRow("terminal and worker without Qt") << R"(^app/(ctl/|main_ctl|main_worker))" << none << kQt;
        QTest::newRow("LibTorch stays in engine/torch")
            << kEveryFile << R"(^(engine/torch/|app/main_worker|tests/|examples/))" << kTorch;
        QTest::newRow("sqlite3.h stays in engine/store, but for the database of MLflow")
            << kEveryFile << R"(^(engine/store/|engine/imports/mlflow_database\.cpp|tests/))" << R"(^sqlite3\.h$)";
        QTest::newRow("libssh2 stays in remote") << kEveryFile << R"(^(remote/|tests/))" << R"(^libssh2)";
        QTest::newRow("libcurl stays in engine/fetch") << kEveryFile << R"(^(engine/fetch/|tests/))" << R"(^curl/)";
        QTest::newRow("libmicrohttpd stays in engine/serve/http")
            << kEveryFile << R"(^(engine/serve/http/|tests/))" << R"(^microhttpd)";
        QTest::newRow("simdjson stays in engine/serve/protocol")
            << kEveryFile << R"(^engine/serve/protocol/.+\.cpp$)" << R"(^simdjson)";
        QTest::newRow("window and replicas read what a service is, not how it is served")
            << R"(^(engine/(?!serve/)|ui/))" << none << R"(^engine/serve/(http|protocol|server)/)";
        QTest::newRow("image libraries stay in engine/formats")
            << kEveryFile << R"(^(engine/formats/|tests/))" << R"(^((png|jpeglib|tiffio)\.h$|webp/))";
        QTest::newRow("libssh2 in no header") << R"(\.h$)" << none << R"(^libssh2)";
        QTest::newRow("OpenSSL in no header") << R"(\.h$)" << none << R"(^openssl/)";
        QTest::newRow("the JSON library in no header") << R"(\.h$)" << none << R"(^nlohmann/json\.hpp$)";
        QTest::newRow("PCRE2 in its one source") << kEveryFile << R"(value_patterns\.cpp$)" << R"(^pcre2)";
        QTest::newRow("Eigen, NLopt and Boost in no header") << R"(\.h$)" << none << R"(^(Eigen/|nlopt|boost/))";
        QTest::newRow("readers of other programs' runs know engine/base alone")
            << R"(^engine/imports/)" << none << R"(^(remote|ui|app)/|^engine/(?!(base|imports)/))";
        QTest::newRow("readers of scripts know engine/base alone")
            << R"(^engine/program/arguments/)" << none
            << R"(^(remote|ui|app)/|^engine/(?!(base|program/arguments)/)|^(sqlite3\.h$|nlohmann/))";
        QTest::newRow("snapshots of code are made with engine/base alone")
            << R"(^engine/program/code/)" << none
            << R"(^(remote|ui|app)/|^engine/(?!(base|program/code)/)|^(sqlite3\.h$|nlohmann/))";
        QTest::newRow("files of settings are changed with engine/base and the values of a run file alone")
            << R"(^engine/program/config/)" << none
            << R"(^(remote|ui|app)/|^engine/(?!(base/|program/config/|spec/run/program_spec\.h))|^nlohmann/)";
        QTest::newRow("programs' checkpoints are read with engine/base and engine/store/files")
            << R"(^engine/program/checkpoints/)" << none
            << R"(^(remote|ui|app)/|^engine/(?!(base|store/files|program/(arguments|checkpoints))/)|^sqlite3\.h$)";
        QTest::newRow("readers of programs' metrics know engine/base and engine/imports alone")
            << R"(^engine/program/metrics/)" << none
            << R"(^(remote|ui|app)/|^engine/(?!(base|imports|program/metrics)/)|^(sqlite3\.h$|nlohmann/))";
        QTest::newRow("charts in files know engine/base alone")
            << R"(^engine/chart/)" << none << R"(^(remote|ui|app)/|^engine/(?!(base|chart)/)|^sqlite3\.h$)";
        QTest::newRow("reports read what is recorded, and start nothing")
            << R"(^engine/report/)" << none
            << R"(^engine/(queue/|sweep/(?!results/sweep_(result|analysis)\.h)|run/(launch|supervise|attach)/))";
        QTest::newRow("ui/series knows no other part of the window")
            << R"(^ui/series/)" << none << R"(^(engine|remote|app)/|^ui/(?!series/))";
        QTest::newRow("ui/models knows ui/series, not how it is drawn")
            << R"(^ui/models/)" << none << R"(^ui/(plots|pages|forms|shell|new_run)/)";
        QTest::newRow("charts know the points, not where they come from")
            << R"(^ui/plots/)" << none
            << R"(^ui/(models/(?!text/format\.h)|(pages|forms|shell|new_run)/))"
               R"(|^engine/(?!base/|spec/|run/record/series/metrics_csv\.h))";
        QTest::newRow("QCustomPlot in ui/plots/*.cpp only")
            << kEveryFile << R"(^ui/plots/.+\.cpp$)" << R"(^qcustomplot\.h$)";
    }
    void layerKeepsItsRule() {
        QFETCH(QString, files);
        QFETCH(QString, except);
        QFETCH(QString, forbidden);
        const QStringList found = offences(TRAINYARD_SOURCE_DIR, files, except, forbidden);
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    // Folders are ordered: each includes only folders below it.
    void foldersMakeNoCycle() {
        const QStringList cycle = cycleOf(folderIncludes(TRAINYARD_SOURCE_DIR));
        QVERIFY2(cycle.isEmpty(), qPrintable("folders that include one another: " + cycle.join(" -> ")));
    }

    // The test of the above: a cycle over three folders is found, and a ladder is none.
    void cycleScannerSeesACycle() {
        FolderIncludes includes{{"a", {"b"}}, {"b", {"c", "d"}}, {"c", {"d"}}};
        QVERIFY(cycleOf(includes).isEmpty());
        includes["d"] = {"a"};
        QCOMPARE(cycleOf(includes), QStringList({"a", "b", "c", "d", "a"}));
    }

    // What a header declares, its own folder defines: a declaration elsewhere is an include that no scan can see.
    void folderNeverIncludesAnother_data() {
        QTest::addColumn<QString>("files");
        QTest::addColumn<QString>("forbidden");
        QTest::newRow("run knows no sweep") << R"(^engine/run/)" << R"(^engine/sweep/)";
        QTest::newRow("launching knows nothing of supervising")
            << R"(^engine/run/(launch|record)/)" << R"(^engine/run/(supervise|attach|actions|start|share)/)";
        QTest::newRow("a supervisor needs none of its watchers")
            << R"(^engine/run/supervise/)" << R"(^engine/run/(attach|actions|start|share)/)";
        QTest::newRow("the ground of engine/torch")
            << R"(^engine/torch/base/)"
            << R"(^engine/torch/(api|averaging|checkpoint|data|group|kernels|models|optim|script|trainer|worker)/)";
        const QString ways = R"(^remote/ssh/(library|system)/)";
        QTest::newRow("the library's way to speak SSH knows nothing of ssh")
            << R"(^remote/ssh/library/)" << R"(^remote/ssh/system/)";
        QTest::newRow("the way of ssh knows nothing of the library")
            << R"(^remote/ssh/system/)" << R"(^remote/ssh/library/|^libssh2)";
        QTest::newRow("their common base knows neither") << R"(^remote/ssh/[^/]+$)" << ways;
        QTest::newRow("one file knows both ways to speak SSH")
            << R"(^((engine|ui|app)/|remote/(?!ssh/(library|system)/|hosts/connect\.cpp)))" << ways;
        QTest::newRow("nothing of the engine needs a report") << R"(^engine/(?!report/))" << R"(^engine/report/)";
        QTest::newRow("the trainer knows no worker") << R"(^engine/torch/trainer/)" << R"(^engine/torch/(worker|api)/)";
        QTest::newRow("widgets know no page") << R"(^ui/(theme|widgets|plots)/)"
                                              << R"(^ui/(pages|new_run|shell|forms)/)";
        QTest::newRow("a page knows no shell") << R"(^ui/pages/)" << R"(^ui/shell/)";
        QTest::newRow("the gallery is not in the product") << R"(^(app|ui/(?!gallery/))/?)" << R"(^ui/gallery/)";
    }
    void folderNeverIncludesAnother() {
        QFETCH(QString, files);
        QFETCH(QString, forbidden);
        const QStringList found = offences(TRAINYARD_SOURCE_DIR, files, {}, forbidden);
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
        QVERIFY2(!sourceFiles(TRAINYARD_SOURCE_DIR).filter(QRegularExpression(files)).isEmpty(), "no such files");
    }

    // What two pages need is in ui/pages/shared, or lower.
    void pageIncludesNoOther() {
        static const QRegularExpression page("^ui/pages/([a-z_]+)/");
        QStringList found;
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR)) {
            const QString own = page.match(file).captured(1);
            if (own.isEmpty()) continue;
            for (const Include& include : includesOf(readText(TRAINYARD_SOURCE_DIR + QString("/") + file)))
                if (const QString other = page.match(include.name).captured(1);
                    !other.isEmpty() && other != own && (own == "shared" || other != "shared"))
                    found << QString("%1:%2 includes %3").arg(file).arg(include.line).arg(include.name);
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    // Their keys, types and defaults stand in one table.
    // Feature: settings of the window in one table.
    void settingsAreReadThroughTheirTable() {
        const QRegularExpression window("^(ui|app)/"), use(R"(\bQSettings\b)");
        const QString table = "ui/models/desktop/settings.h";
        QVERIFY(use.match(readText(TRAINYARD_SOURCE_DIR + QString("/") + table)).hasMatch());
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR))
            if (window.match(file).hasMatch() && file != table)
                QVERIFY2(!use.match(readText(TRAINYARD_SOURCE_DIR + QString("/") + file)).hasMatch(), qPrintable(file));
    }

    // Every layer is there: a rule over files that do not exist would hold for ever.
    void everyLayerHasFiles() {
        const QStringList files = sourceFiles(TRAINYARD_SOURCE_DIR);
        for (const char* layer : {"engine/base/", "engine/torch/", "remote/", "ui/", "app/", "tests/"}) {
            const QStringList ofLayer = files.filter(QRegularExpression(QString("^%1").arg(layer)));
            QVERIFY2(!ofLayer.isEmpty(), qPrintable(QString("%1 has no source files").arg(layer)));
        }
    }

    void scannerSeesAnOffence() {
        const QString text = "// SPDX\n#include <QString>\n//#include <torch/no.h>\n/*\n#include <c10/no.h>\n*/\n"
                             "#  include \"torch/torch.h\"\n";
        const QList<Include> includes = includesOf(text);
        QCOMPARE(includes.size(), 2);
        QCOMPARE(includes[0].name, "QString");
        QCOMPARE(includes[0].line, 2);
        QCOMPARE(includes[1].name, "torch/torch.h");
        QVERIFY(QRegularExpression(kQt).match("QtGlobal").hasMatch());
        QVERIFY(!QRegularExpression(kQt).match("engine/base/result.h").hasMatch());
        QVERIFY(QRegularExpression(kTorch).match("c10/util/Exception.h").hasMatch());
    }
};

QTEST_GUILESS_MAIN(IncludeRulesTest)
#include "include_rules_test.moc"
