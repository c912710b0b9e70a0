// SPDX-License-Identifier: GPL-3.0-or-later
// What a mutex guards is read and written with it held: clang's thread-safety analysis (engine/base/machine/mutex.h).
#include "tests/layers/source_tree.h"

#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace trainyard::layers;

namespace {

const QString kMutex = "engine/base/machine/mutex.h";

// Which product files include which, and which of them clang cannot read in C++20: those with LibTorch's headers.
class Product {
public:
    Product() {
        for (const QString& file : sourceFiles(TRAINYARD_SOURCE_DIR)) {
            if (file.startsWith("tests/") || file.startsWith("examples/")) continue;
            for (const auto& include : includesOf(readText(QString(TRAINYARD_SOURCE_DIR) + '/' + file)))
                m_includes[file] << include.name;
        }
    }
    // The sources that have a mutex, by themselves or in a header that they name.
    QStringList withMutexes() const {
        QStringList found;
        for (auto file = m_includes.cbegin(); file != m_includes.cend(); ++file) {
            const bool has = std::any_of(file->begin(), file->end(), [&](const QString& name) {
                return name == kMutex || m_includes.value(name).contains(kMutex);
            });
            QSet<QString> seen;
            if (has && file.key().endsWith(".cpp") && !reachesLibTorch(file.key(), seen)) found << file.key();
        }
        return found;
    }

private:
    bool reachesLibTorch(const QString& file, QSet<QString>& seen) const {
        static const QRegularExpression foreign("^(torch|ATen|c10|gloo|trainyard)/");
        if (foreign.match(file).hasMatch()) return true;
        if (seen.contains(file)) return false;
        seen << file;
        const auto includes = m_includes.value(file);
        return std::any_of(includes.begin(), includes.end(),
                           [&](const QString& name) { return reachesLibTorch(name, seen); });
    }

    QMap<QString, QStringList> m_includes;
};

// What clang says of the text, whose includes are found from the source tree.
QString analyse(const QString& program, const QByteArray& text) {
    QProcess clang;
    clang.setWorkingDirectory(TRAINYARD_SOURCE_DIR);
    clang.setProcessChannelMode(QProcess::MergedChannels);
    clang.start(program, {"-x", "c++", "-std=c++20", "-fsyntax-only", "-I.", "-I" TRAINYARD_GENERATED, "-isystem",
                          "/usr/include/eigen3", "-DQT_NO_KEYWORDS", "-DTRAINYARD_VERSION=\"0\"", "-Wno-everything",
                          "-Werror=thread-safety", "-"});
    clang.write(text);
    clang.closeWriteChannel();
    if (!clang.waitForFinished(120'000)) return "clang takes more than two minutes";
    const QString said = QString::fromUtf8(clang.readAll());
    return clang.exitCode() == 0 ? QString() : said.isEmpty() ? QString("clang failed") : said;
}

} // namespace

class ThreadRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clang = QStandardPaths::findExecutable("clang++");
        if (m_clang.isEmpty()) QSKIP("clang is not installed");
    }
    // As one translation unit, which is read in a tenth of the time of all of them.
    void whatAMutexGuardsIsReadWithItHeld() {
        const QStringList sources = Product().withMutexes();
        QVERIFY2(sources.size() > 20, qPrintable(sources.join('\n')));
        QByteArray unit;
        for (const QString& source : sources) unit += "#include \"" + source.toUtf8() + "\"\n";
        QCOMPARE(analyse(m_clang, unit), QString());
    }
    void whatIsReadWithoutItIsFound_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<bool>("isWrong");
        QTest::newRow("held") << QByteArray("const MutexLock lock(m_mutex); return m_value;") << false;
        QTest::newRow("not held") << QByteArray("return m_value;") << true;
        QTest::newRow("given back") << QByteArray("MutexLock lock(m_mutex); lock.unlock(); return m_value;") << true;
        QTest::newRow("a function that needs it") << QByteArray("return twice();") << true;
    }
    void whatIsReadWithoutItIsFound() {
        QFETCH(QByteArray, body);
        QFETCH(bool, isWrong);
        const QByteArray text = "#include \"" + kMutex.toUtf8() +
                                "\"\n"
                                "namespace trainyard {\n"
                                "class Counter {\n"
                                "public:\n"
                                "    int value() { " +
                                body +
                                " }\n"
                                "private:\n"
                                "    int twice() TY_REQUIRES(m_mutex) { return 2 * m_value; }\n"
                                "    Mutex m_mutex;\n"
                                "    int m_value TY_GUARDED_BY(m_mutex) = 0;\n"
                                "};\n"
                                "int use(Counter& counter) { return counter.value(); }\n"
                                "}\n";
        QCOMPARE(analyse(m_clang, text).contains("requires holding mutex 'm_mutex'"), isWrong);
    }

private:
    QString m_clang;
};

QTEST_GUILESS_MAIN(ThreadRulesTest)
#include "thread_rules_test.moc"
