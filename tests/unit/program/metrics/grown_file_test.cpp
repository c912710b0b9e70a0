// SPDX-License-Identifier: GPL-3.0-or-later
// Files that another program writes, while they are read.
#include "engine/program/metrics/grown_file.h"
#include "engine/program/metrics/line_splitter.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

using namespace trainyard;
using namespace trainyard::program;
namespace fs = std::filesystem;

namespace {

struct Follower {
    explicit Follower(fs::path path, std::size_t longest = 4096) : file(std::move(path)), splitter(longest) {}

    // A look: what it says in words, "a|b~|<truncated>c": states of a bar end with ~.
    QString look() {
        QStringList said;
        const auto told = [&](const GrownLine& line) {
            said << QString::fromUtf8(line.text.data(), static_cast<int>(line.text.size())) + (line.isState ? "~"
                                                                                               : line.isCut ? "…"
                                                                                                            : "");
        };
        for (;;) {
            const auto looked = file.look([&](std::string_view bytes) { splitter.add(bytes, told); });
            if (!looked.ok()) return QString::fromStdString(looked.error().text());
            if (looked->change != FileChange::None) {
                if (looked->change != FileChange::Removed && looked->change != FileChange::Missing) splitter.end(told);
                said << "<" + QString(toString(looked->change)).section(' ', 0, 2) + ">";
                continue;
            }
            if (!looked->more) break;
        }
        splitter.rest(told);
        return said.join('|');
    }

    GrownFile file;
    LineSplitter splitter;
};

} // namespace

class GrownFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath("log").toStdString();
    }

    // Feature: metrics and output are read while the program writes them.
    void whatIsAppendedIsReadOnce() {
        Follower follower(m_path);
        QCOMPARE(follower.look(), QString("<does not exist>"));
        QCOMPARE(follower.look(), QString());
        append("one\ntw");
        QCOMPARE(follower.look(), QString("one"));
        QCOMPARE(follower.look(), QString());
        append("o\nthree\n");
        QCOMPARE(follower.look(), QString("two|three"));
        GrownFile later(m_path, follower.file.offset());
        append("four\n");
        std::string rest;
        QVERIFY(later.look([&](std::string_view bytes) { rest += bytes; }).ok());
        QCOMPARE(rest, std::string("four\n"));
    }

    void theBytesBecomeLines_data() {
        QTest::addColumn<QList<QByteArray>>("pieces"); // a look after each
        QTest::addColumn<QString>("lines");
        using Pieces = QList<QByteArray>;
        QTest::newRow("lines") << Pieces{"a\nb\n"} << "a|b";
        QTest::newRow("lines of Windows") << Pieces{"a\r\nb\r\n"} << "a|b";
        QTest::newRow("an empty line is one") << Pieces{"a\n\nb\n"} << "a||b";
        QTest::newRow("half a line waits") << Pieces{"a", "b", "c\n"} << "abc";
        QTest::newRow("the last state of a bar counts") << Pieces{"\r 1%\r 2%\r 3%\n"} << " 3%";
        QTest::newRow("a bar's state at each look")
            << Pieces{"\r 1%\r 2%\r", "\r 3%\r 4%\r 5%", "\n"} << " 2%~| 4%~| 5%";
        QTest::newRow("a bar that is wiped away") << Pieces{"\r 99%\r100%\r      \rdone\n"} << "100%~|done";
        QTest::newRow("carriage returns alone") << Pieces{"\r\r\r", "\r"} << "";
        QTest::newRow("a hole at the beginning") << Pieces{QByteArray("\0\0\0a\n", 5)} << "a";
        QTest::newRow("escapes stay") << Pieces{"\x1b[32mok\x1b[0m\n"} << "\x1b[32mok\x1b[0m";
    }
    void theBytesBecomeLines() {
        QFETCH(QList<QByteArray>, pieces);
        QFETCH(QString, lines);
        append("");
        Follower follower(m_path);
        QStringList said;
        for (const QByteArray& piece : pieces) {
            append(piece);
            if (const QString now = follower.look(); !now.isEmpty()) said << now;
        }
        QCOMPARE(said.join('|'), lines);
    }

    void theEndOfTheProgramEndsItsLine() {
        LineSplitter splitter(100);
        QStringList said;
        const auto told = [&](const GrownLine& line) { said << QString::fromStdString(std::string(line.text)); };
        splitter.add("a\nb", told);
        QVERIFY(splitter.hasHalfLine());
        splitter.end(told);
        QCOMPARE(said, QStringList({"a", "b"}));
    }

    // Fault: a log is emptied, replaced, removed or written anew while it is followed. It is noticed at once.
    void aFileThatChangesIsNoticed_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("said");
        QTest::newRow("truncated") << "truncate" << "half|<was truncated or>|new";
        QTest::newRow("written anew, and longer") << "rewrite" << "half|<was truncated or>|anew and longer|new";
        QTest::newRow("replaced") << "replace" << "last|<was replaced by>|other|new";
        QTest::newRow("a link") << "link" << "half|<was replaced by>";
        QTest::newRow("a FIFO") << "fifo" << "half|<was replaced by>";
        QTest::newRow("a folder") << "folder" << "half|<was replaced by>";
        QTest::newRow("removed") << "remove" << "last|<was removed>";
    }
    void aFileThatChangesIsNoticed() {
        QFETCH(QString, how);
        QFETCH(QString, said);
        append("first\nhalf");
        Follower follower(m_path);
        QCOMPARE(follower.look(), QString("first"));
        const fs::path other = m_path.string() + ".other";
        if (how == "truncate") fs::resize_file(m_path, 0);
        if (how == "rewrite") write(m_path, "anew and longer\n");
        if (how == "replace" || how == "remove") append("last\n");
        if (how == "replace") {
            write(other, "other\n");
            fs::rename(other, m_path);
        } else if (how != "truncate" && how != "rewrite") {
            fs::remove(m_path);
        }
        if (how == "link") fs::create_symlink("/etc/passwd", m_path);
        if (how == "fifo") QCOMPARE(::mkfifo(m_path.c_str(), 0600), 0);
        if (how == "folder") fs::create_directory(m_path);
        if (how == "truncate" || how == "rewrite" || how == "replace") append("new\n");
        QString found = follower.look();
        if (how == "replace" || how == "remove") found.replace("halflast", "last"); // the half line got its end
        QCOMPARE(found, said);
        QCOMPARE(follower.look(), QString()); // it is said once
    }

    // What a program still writes into a file that was removed is not lost, nor is a new file of that name.
    void aRemovedFileIsReadToItsEnd() {
        append("first\n");
        Follower follower(m_path);
        QCOMPARE(follower.look(), QString("first"));
        std::ofstream writer(m_path, std::ios::app);
        fs::remove(m_path);
        writer << "second\n" << std::flush;
        QCOMPARE(follower.look(), QString("second|<was removed>"));
        writer << "third\n" << std::flush;
        QCOMPARE(follower.look(), QString("third"));
        append("fourth\n");
        QCOMPARE(follower.look(), QString("<was replaced by>|fourth"));
    }

    // Bad inputs: output without an end of a line, of any length and at any rate.
    void memoryIsBounded_data() {
        QTest::addColumn<QByteArray>("piece");
        QTest::addColumn<int>("lines"); // of 200 pieces
        QTest::newRow("no newline") << QByteArray(1 << 20, 'x') << 1;
        QTest::newRow("NUL") << QByteArray(1 << 20, '\0') << 1;
        QTest::newRow("carriage returns alone") << QByteArray("12345\r").repeated(200'000) << 1;
        QTest::newRow("short lines") << QByteArray("step 1 loss 0.5\n").repeated(60'000) << 200 * 60'000 + 1;
    }
    void memoryIsBounded() {
        QFETCH(QByteArray, piece);
        QFETCH(int, lines);
        LineSplitter splitter(4096);
        std::int64_t found = 0;
        const auto told = [&](const GrownLine& line) {
            QVERIFY(line.text.size() <= 4096u);
            ++found;
        };
        const std::string_view bytes(piece.constData(), static_cast<std::size_t>(piece.size()));
        for (int i = 0; i < 200; ++i) splitter.add(bytes, told);
        splitter.add("end\n", told);
        QCOMPARE(found, lines);
    }

    // A writer that is as fast as it can, 200 MB: no line is lost, and memory stays small.
    void nothingOfAFastWriterIsLost() {
        constexpr int kLines = 4'000'000;
        append("");
        std::thread writer([this] {
            std::ofstream out(m_path, std::ios::app);
            for (int i = 0; i < kLines; ++i) out << "step " << i << " loss 0.5 and some words that make it long\n";
        });
        GrownFile file(m_path);
        LineSplitter splitter(4096);
        std::int64_t next = 0;
        bool inOrder = true;
        const auto told = [&](const GrownLine& line) {
            const auto number = line.text.substr(5, line.text.find(' ', 5) - 5);
            inOrder = inOrder && number == std::to_string(next);
            ++next;
        };
        QElapsedTimer clock;
        clock.start();
        while (next < kLines && clock.elapsed() < 60'000) {
            const auto look = file.look([&](std::string_view bytes) { splitter.add(bytes, told); });
            QVERIFY(look.ok());
        }
        writer.join();
        QVERIFY(inOrder);
        QCOMPARE(next, kLines);
    }

    void aFileThatMayNotBeReadIsExplained() {
        if (::geteuid() == 0) QSKIP("root may read everything");
        append("a\n");
        fs::permissions(m_path, fs::perms::none);
        Follower follower(m_path);
        QVERIFY(follower.look().contains("cannot be read"));
    }

private:
    void append(const QByteArray& bytes) {
        std::ofstream out(m_path, std::ios::app | std::ios::binary);
        out.write(bytes.constData(), bytes.size());
    }
    static void write(const fs::path& path, const char* text) { std::ofstream(path, std::ios::binary) << text; }

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_path;
};

QTEST_GUILESS_MAIN(GrownFileTest)
#include "grown_file_test.moc"
