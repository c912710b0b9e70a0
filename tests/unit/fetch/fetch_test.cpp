// SPDX-License-Identifier: GPL-3.0-or-later
// Downloads from a server on this computer: whole, cut, wrong, silent, refused; and the archives that they bring.
#include "engine/base/math/sha256.h"
#include "engine/base/unique_fd.h"
#include "engine/fetch/download.h"
#include "engine/fetch/http_file.h"
#include "engine/fetch/tar.h"
#include "tests/unit/fetch/http_server.h"
#include "tests/unit/torch/data_files.h"

#include <QCryptographicHash>
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <set>

using namespace trainyard;
using namespace trainyard::tests;

namespace {

QByteArray noise(qsizetype size) {
    QByteArray bytes(size, '\0');
    quint32 state = 11;
    for (char& byte : bytes) byte = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
    return bytes;
}

std::string digestOf(const QByteArray& bytes) {
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
}

QByteArray readBytes(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
}

// One entry of a tar archive: its header, its content, its padding.
QByteArray tarEntry(const QByteArray& name, const QByteArray& content, char type = '0', qint64 saidSize = -1) {
    QByteArray header(512, '\0');
    const auto put = [&](qsizetype at, const QByteArray& text) { header.replace(at, text.size(), text); };
    put(0, name);
    put(100, "0000644");
    put(124, QByteArray::number(saidSize < 0 ? content.size() : saidSize, 8).rightJustified(11, '0'));
    put(148, "        ");
    header[156] = type;
    put(257, QByteArray("ustar\00000", 8));
    int sum = 0;
    for (const char byte : std::as_const(header)) sum += static_cast<unsigned char>(byte);
    put(148, QByteArray::number(sum, 8).rightJustified(6, '0') + QByteArray("\0 ", 2));
    return header + content + QByteArray((512 - content.size() % 512) % 512, '\0');
}

const QByteArray kTarEnd(1024, '\0');

} // namespace

class FetchTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    HttpServer m_server;
    const QByteArray m_content = noise(300'000);

    // A dataset of one file, at two mirrors.
    fetch::Source source(const std::vector<std::string>& mirrors) const {
        std::vector<std::string> addresses;
        for (const std::string& mirror : mirrors) addresses.push_back(m_server.address(mirror + "/"));
        return {"set", "Set", {{"a.gz", m_content.size(), digestOf(m_content)}}, addresses};
    }
    QString target() const { return m_folder.filePath("a.gz"); }
    QString part() const { return m_folder.filePath("a.gz.part"); }
    Result<fetch::DownloadReport> fetchFrom(const std::vector<std::string>& mirrors) {
        return fetch::download(source(mirrors), {.folder = m_folder.path().toStdString(), .idleSeconds = 1});
    }
    std::vector<std::string> requestsOf(const std::string& mirror) const {
        std::vector<std::string> found;
        for (const std::string& request : m_server.requests())
            if (request.starts_with("GET /" + mirror + "/")) found.push_back(request.substr(request.find("/a.gz") + 5));
        return found;
    }

private Q_SLOTS:
    void init() {
        QFile::remove(target());
        QFile::remove(part());
    }
    void fetchesOnceAndChecks();
    void goesOnAfterCuts();
    void startsAgainWithoutRanges();
    void asksTheNextMirror_data();
    void asksTheNextMirror();
    void blamesNoMirrorForThePartOfAnother();
    void followsRedirections();
    void saysWhyNoMirrorServed();
    void keepsThePartForTheNextTime();
    void refusesASecondDownload();
    void reportsProgress();
    void digestsAreThoseOfTheStandard();
    void publishedListIsWellFormed();
    void unpacksMembers();
    void refusesBadArchives_data();
    void refusesBadArchives();
    void terminalDownloads();
};

void FetchTest::fetchesOnceAndChecks() {
    m_server.put("whole/a.gz", {.content = m_content});
    const auto first = fetchFrom({"whole"});
    QVERIFY2(first.ok(), first ? "" : first.error().text().c_str());
    QCOMPARE(first->fetched, std::vector<std::string>{"a.gz"});
    QCOMPARE(first->bytes, m_content.size());
    QVERIFY(readBytes(target()) == m_content && !QFile::exists(part()));
    const auto second = fetchFrom({"whole"});
    QVERIFY(second.ok() && second->fetched.empty() && second->bytes == 0);
    QCOMPARE(requestsOf("whole").size(), 1u);
    writeBytes(target(), noise(299'999) + "x"); // damaged since: fetched again
    QVERIFY(fetchFrom({"whole"}).ok());
    QVERIFY(readBytes(target()) == m_content);
}

// Feature: downloads: resumed, checksummed, mirrors.
void FetchTest::goesOnAfterCuts() {
    m_server.put("cut/a.gz", {.content = m_content, .cutAfter = 70'000, .cuts = 4});
    const auto report = fetchFrom({"cut"});
    QVERIFY2(report.ok(), report ? "" : report.error().text().c_str());
    QVERIFY(readBytes(target()) == m_content);
    QCOMPARE(requestsOf("cut"),
             (std::vector<std::string>{"", " from 70000", " from 140000", " from 210000", " from 280000"}));
    QCOMPARE(report->bytes, m_content.size()); // no byte twice
}

void FetchTest::startsAgainWithoutRanges() {
    m_server.put("plain/a.gz", {.content = m_content, .ranges = false, .cutAfter = 70'000, .cuts = 1});
    const auto report = fetchFrom({"plain"});
    QVERIFY2(report.ok(), report ? "" : report.error().text().c_str());
    QVERIFY(readBytes(target()) == m_content);
}

void FetchTest::asksTheNextMirror_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("not there") << "missing";
    QTest::newRow("another file of the same length") << "wrong";
    QTest::newRow("a web page in its place") << "page";
    QTest::newRow("longer, without its length") << "longer";
    QTest::newRow("server error") << "broken";
    QTest::newRow("falls silent") << "silent";
    QTest::newRow("always cut") << "short";
}

void FetchTest::asksTheNextMirror() {
    QFETCH(QString, name);
    const QByteArray wrong = QByteArray(m_content).replace(1000, 1, m_content[1000] == 'x' ? "y" : "x");
    m_server.put("wrong/a.gz", {.content = wrong});
    m_server.put("page/a.gz", {.content = "<html>please log in</html>"});
    m_server.put("longer/a.gz", {.content = m_content + "more", .length = false});
    m_server.put("broken/a.gz", {.content = "oh", .status = 503});
    m_server.put("silent/a.gz", {.content = m_content, .cutAfter = 0, .silent = true});
    m_server.put("short/a.gz", {.content = m_content, .length = false, .cutAfter = 0});
    m_server.put("good/a.gz", {.content = m_content});
    const auto report = fetchFrom({name.toStdString(), "good"});
    QVERIFY2(report.ok(), report ? "" : report.error().text().c_str());
    QVERIFY(readBytes(target()) == m_content);
}

// Half of another file is there: the good mirror completes it, the digest is wrong, and it is asked for the whole.
void FetchTest::blamesNoMirrorForThePartOfAnother() {
    m_server.put("honest/a.gz", {.content = m_content});
    writeBytes(part(), QByteArray(150'000, 'x'));
    const auto report = fetchFrom({"honest"});
    QVERIFY2(report.ok(), report ? "" : report.error().text().c_str());
    QVERIFY(readBytes(target()) == m_content);
    QCOMPARE(requestsOf("honest"), (std::vector<std::string>{" from 150000", ""}));
    QFile::remove(target());
    writeBytes(part(), QByteArray(400'000, 'x')); // longer than the file
    QVERIFY(fetchFrom({"honest"}).ok());
}

void FetchTest::followsRedirections() {
    m_server.put("there/a.gz", {.content = m_content});
    m_server.put("here/a.gz", {.content = {}, .status = 302, .location = m_server.address("there/a.gz")});
    QVERIFY(fetchFrom({"here"}).ok());
    m_server.put("loop/a.gz", {.content = {}, .status = 302, .location = m_server.address("loop/a.gz")});
    QFile::remove(target());
    const auto report = fetchFrom({"loop"});
    QVERIFY(!report.ok());
    QFile::remove(part());
    m_server.put("file/a.gz", {.content = {}, .status = 302, .location = "file:///etc/passwd"});
    QVERIFY(!fetchFrom({"file"}).ok());
    QVERIFY(!QFile::exists(target()));
}

void FetchTest::saysWhyNoMirrorServed() {
    m_server.put("other/a.gz", {.content = QByteArray(m_content).replace(0, 3, "bad")});
    const auto report = fetchFrom({"nowhere", "other"});
    QVERIFY(!report.ok() && report.error().kind == ErrorKind::Environment);
    const QString text = QString::fromStdString(report.error().text());
    QVERIFY2(text.startsWith("a.gz: no mirror served the file: "), qPrintable(text));
    QVERIFY2(text.contains("/nowhere/a.gz: the server answers 404; "), qPrintable(text));
    QVERIFY2(text.contains("/other/a.gz: the SHA-256 of the file differs from the published one"), qPrintable(text));
    QVERIFY2(text.contains("--mirror"), qPrintable(text));
    QVERIFY(!QFile::exists(target()));
    fetch::Source dead{"set", "Set", source({}).files, {"http://127.0.0.1:1/"}};
    const auto refused = fetch::download(dead, {.folder = m_folder.path().toStdString(), .tries = 1});
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().text().find("http://127.0.0.1:1/a.gz: ") != std::string::npos,
             refused.error().text().c_str());
}

void FetchTest::keepsThePartForTheNextTime() {
    m_server.put("later/a.gz", {.content = m_content, .cutAfter = 100'000, .cuts = 1});
    const auto http =
        fetch::fetchInto(m_server.address("later/a.gz"), part().toStdString(), {.bytes = m_content.size()});
    QVERIFY(!http.ok() && http.error().kind == ErrorKind::Run);
    QCOMPARE(QFileInfo(part()).size(), 100'000);
    const auto report = fetchFrom({"later"});
    QVERIFY(report.ok());
    QCOMPARE(report->bytes, 200'000);
    QVERIFY(readBytes(target()) == m_content);
}

void FetchTest::refusesASecondDownload() {
    writeBytes(part(), "x");
    const UniqueFd other(::open(part().toStdString().c_str(), O_WRONLY | O_CLOEXEC));
    QCOMPARE(::flock(other.get(), LOCK_EX), 0);
    const auto report = fetchFrom({"whole"});
    QVERIFY(!report.ok() && report.error().kind == ErrorKind::Input);
    QVERIFY(report.error().text().find("is being downloaded by another process") != std::string::npos);
}

void FetchTest::reportsProgress() {
    m_server.put("seen/a.gz", {.content = m_content});
    std::vector<std::int64_t> seen;
    const auto report = fetch::download(source({"seen"}), {.folder = m_folder.path().toStdString(),
                                                           .progress = [&](const fetch::DownloadProgress& progress) {
                                                               QCOMPARE(progress.total, m_content.size());
                                                               seen.push_back(progress.bytes);
                                                           }});
    QVERIFY(report.ok() && seen.size() > 2);
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    QCOMPARE(seen.back(), m_content.size());
}

void FetchTest::digestsAreThoseOfTheStandard() {
    writeBytes(target(), "abc");
    const auto digest = sha256HexOf(target().toStdString());
    QVERIFY(digest.ok());
    QCOMPARE(*digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

void FetchTest::publishedListIsWellFormed() {
    std::set<std::string> names;
    for (const fetch::Source& source : fetch::sources()) {
        QVERIFY(names.insert(source.name).second && source.mirrors.size() >= 2);
        for (const std::string& mirror : source.mirrors) QVERIFY(mirror.starts_with("http") && mirror.ends_with('/'));
        for (const fetch::RemoteFile& file : source.files) {
            QCOMPARE(file.sha256.size(), 64u);
            QVERIFY(file.sha256.find_first_not_of("0123456789abcdef") == std::string::npos && file.bytes > 1000);
        }
    }
    QVERIFY(!fetch::findSource("imagenet").ok());
}

void FetchTest::unpacksMembers() {
    const QTemporaryDir folder;
    const QByteArray one = noise(1000), two = noise(512);
    const QByteArray tar = tarEntry("set/", {}, '5') + tarEntry("set/readme.html", "text") +
                           tarEntry("set/one.bin", one) + tarEntry("../../two.bin", two) +
                           tarEntry("set/one.bin.link", {}, '2') + kTarEnd;
    for (const bool packed : {true, false}) {
        writeBytes(folder.filePath("set.tar.gz"), packed ? gzipped(tar) : tar);
        const auto done = fetch::unpackTar(folder.filePath("set.tar.gz").toStdString(),
                                           {{"one.bin", 1000}, {"two.bin", 512}}, folder.path().toStdString());
        QVERIFY2(done.ok(), done ? "" : done.error().text().c_str());
        QVERIFY(readBytes(folder.filePath("one.bin")) == one);
        QVERIFY(readBytes(folder.filePath("two.bin")) == two); // in this folder, whatever the archive says
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 3);
    }
}

// Bad inputs: archives that are fetched. The error names the file and the byte; nothing half-written is left. This test
// does not check the kind of the error.
void FetchTest::refusesBadArchives_data() {
    QTest::addColumn<QByteArray>("tar");
    QTest::addColumn<QString>("says");
    const QByteArray good = tarEntry("set/one.bin", noise(1000));
    QTest::newRow("empty") << QByteArray() << "ends without one.bin";
    QTest::newRow("text") << noise(2000) << "byte 512: is not a tar archive";
    QTest::newRow("other members") << tarEntry("two.bin", "x") + kTarEnd << "ends without one.bin";
    QTest::newRow("another size") << tarEntry("one.bin", "x") + kTarEnd
                                  << "one.bin has 1 bytes in the archive instead of 1000";
    QTest::newRow("header damaged") << QByteArray(good).replace(3, 1, "X")
                                    << "byte 512: is not a tar archive, or its header here is damaged";
    QTest::newRow("size unreadable") << tarEntry("one.bin", {}, '0', -7).replace(124, 11, "00000000abc") << "damaged";
    QTest::newRow("header cut") << good.left(300) << "is cut short: 212 bytes are missing";
    QTest::newRow("content cut") << good.left(900) << "is cut short";
    QTest::newRow("promises 8 GiB") << tarEntry("other.bin", "x", '0', (qint64{8} << 30) - 1) << "is cut short";
    QTest::newRow("gz: cut") << gzipped(good + kTarEnd).chopped(300) << "the gzip data is cut short";
}

void FetchTest::refusesBadArchives() {
    QFETCH(QByteArray, tar);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    writeBytes(folder.filePath("set.tar"), tar);
    const auto done =
        fetch::unpackTar(folder.filePath("set.tar").toStdString(), {{"one.bin", 1000}}, folder.path().toStdString());
    QVERIFY(!done.ok());
    const QString text = QString::fromStdString(done.error().text());
    QVERIFY2(text.contains(says) && text.contains("set.tar, byte "), qPrintable(text));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1); // nothing half-written is left
}

// The program itself, against this server instead of the published ones: a wrong file is refused with its reason.
void FetchTest::terminalDownloads() {
    const QString program = qEnvironmentVariable("TRAINYARD_BIN") + "/trainyardctl";
    if (!QFile::exists(program)) QSKIP("trainyardctl is not part of this build");
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, {"datasets", "download", "mnist", "--to", m_folder.path(), "--mirror",
                            QString::fromStdString(m_server.address("empty"))});
    QVERIFY(process.waitForFinished(60'000));
    const QByteArray said = process.readAll();
    QVERIFY2(process.exitCode() == 3 && said.contains("train-images-idx3-ubyte.gz: no mirror served the file") &&
                 said.contains("the server answers 404"),
             said.constData());
}

QTEST_GUILESS_MAIN(FetchTest)
#include "fetch_test.moc"
