// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of many files on real hosts: sent as one stream, found again, repaired, cut off. TRAINYARD_STAGE_FILES sets
// how many files the measured folder has (200 unless set).
#include "engine/base/clock.h"
#include "host_lab.h"
#include "remote/files/shared_files.h"
#include "remote/files/stage.h"
#include "tests/texts.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QTest>

#include <thread>

using namespace trainyard;
using namespace trainyard::remote;
using trainyard::test::contains;
using trainyard::test::text;

namespace {

void write(const QString& path, const QByteArray& content) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("cannot write a file");
}

QByteArray noise(qsizetype size) {
    QByteArray bytes(size, 0);
    QRandomGenerator::global()->fillRange(reinterpret_cast<quint32*>(bytes.data()), size / 4);
    return bytes;
}

} // namespace

class SshStageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void everyNameArrives();
    void manyFilesComeAtOnceAndAreNotHashedAgain();
    void aFolderOfTheHostIsUsedOnlyIfNothingElseIsInIt();
    void sharedDataIsComparedAndNotCopied();
    void aCopyIsMadeBesideTheSamePath();
    void whatBelongsToAFileGoesWithIt();
    void aDamagedCopyIsRepaired();
    void onlyPrivateNotesAreTrusted();
    void aCutTransferGoesOn();
    void aFullDiskIsNamed();
    void aMissingProgramIsNamed();

private:
    QString folder(const char* name) const { return text(m_lab.folder()) + "/" + QLatin1String(name); }
    // Stages it as another process would.
    Result<Staged> stage(int host, const QString& local);
    std::string onHost(int host, const std::string& script, const std::vector<std::string>& parameters = {});
    test::HostLab m_lab;
};

void SshStageTest::initTestCase() {
    const QString failure = m_lab.start();
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

Result<Staged> SshStageTest::stage(int host, const QString& local) {
    const auto session = m_lab.connect(host);
    TY_ASSIGN(const auto basics, askBasics(*session));
    DigestCache digests;
    return stagePath(*session, basics, local.toStdString(), digests);
}

std::string SshStageTest::onHost(int host, const std::string& script, const std::vector<std::string>& parameters) {
    const auto result = m_lab.connect(host)->script(script, parameters);
    return result ? result->out : result.error().text();
}

// Feature: folders for hosts: one stream, every name, what was cut goes on, what is damaged is repaired, what has not
// changed is not hashed. Also in folder_digests_test.
void SshStageTest::everyNameArrives() {
    const QString local = folder("it's \"$(here)\"\nand there");
    const QStringList names{"plain.png",
                            "-x",
                            "--help",
                            "it's.png",
                            "\"quoted\"",
                            "two\nlines",
                            "$(touch bad)",
                            "a\\b!",
                            "cat/1 2.png",
                            "cat/-rf",
                            QString::fromUtf8("caf\xc3\xa9/\xf0\x9f\x90\xb1"),
                            "empty",
                            "\n",
                            QString("deep/%1/%2").arg(QString(120, 'n'), QString(90, 'm'))};
    for (const auto& name : names) write(local + "/" + name, name == "empty" ? QByteArray() : name.toUtf8());
    const auto staged = stage(2, local);
    QVERIFY2(staged.ok(), staged.ok() ? "" : staged.error().text().c_str());
    QVERIFY(staged->bytesSent > 0);
    QVERIFY(staged->path.ends_with(local.section('/', -1).toStdString()));
    const std::string listed = onHost(2,
                                      "cd -- \"$1\" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum "
                                      "-z -- | sha256sum | cut -c 1-64",
                                      {staged->path});
    DigestCache digests;
    QCOMPARE(text(listed).trimmed(), text(digests.ofFolder(local.toStdString())->digest()));
    QCOMPARE(text(onHost(2, "find ~/.cache/trainyard \\( -perm /077 -o -name '*.part.*' -o -name bad \\) | wc -l"))
                 .trimmed(),
             QStringLiteral("0"));
    const auto again = stage(2, local);
    QVERIFY(again.ok());
    QCOMPARE(text(again->path), text(staged->path));
    QCOMPARE(again->bytesSent, std::int64_t(0));
}

void SshStageTest::manyFilesComeAtOnceAndAreNotHashedAgain() {
    const int given = qEnvironmentVariableIntValue("TRAINYARD_STAGE_FILES"), count = given > 0 ? given : 200;
    const QString local = folder("many");
    for (int i = 0; i < count; ++i) write(local + QStringLiteral("/class-%1/%2.png").arg(i % 10).arg(i), noise(1000));
    // It tells which files it is asked to hash.
    QVERIFY(contains(onHost(1, "cp /usr/bin/sha256sum /run/sha256sum && printf '#!/bin/sh\\necho $# >> /run/hashed\\n"
                               "exec /run/sha256sum \"$@\"\\n' > /run/wrapper && chmod 755 /run/wrapper && "
                               "mount --bind /run/wrapper /usr/bin/sha256sum && echo done"),
                     "done"));
    const auto session = m_lab.connect(1);
    const auto basics = askBasics(*session);
    QVERIFY(basics.ok());
    for (const bool first : {true, false}) {
        (void)onHost(1, "rm -f /run/hashed");
        DigestCache digests;
        const double from = monotonicSeconds();
        const auto staged = stagePath(*session, *basics, local.toStdString(), digests);
        const double took = monotonicSeconds() - from;
        QVERIFY2(staged.ok(), staged.ok() ? "" : staged.error().text().c_str());
        QCOMPARE(staged->bytesSent, first ? count * std::int64_t(1000) : std::int64_t(0));
        const std::string hashed = onHost(1, "sort -n /run/hashed | tail -1"); // "-z --" and the files of one call
        QCOMPARE(std::atoi(hashed.c_str()) > 2, first);
        qInfo("%d files took %.2f s %s", count, took, first ? "the first time" : "the second time");
    }
    QVERIFY(contains(onHost(1, "umount /usr/bin/sha256sum && echo done"), "done"));
}

void SshStageTest::aFolderOfTheHostIsUsedOnlyIfNothingElseIsInIt() {
    const QString local = folder("same");
    for (const char* name : {"1.png", "2.png"}) write(local + "/" + name, name);
    const std::string make = "mkdir -p \"$1\" && cd \"$1\" && printf 1.png > 1.png && printf 2.png > 2.png && ";
    (void)onHost(2, make + "true", {local.toStdString()});
    for (int i = 0; i < 2; ++i) QCOMPARE(text(stage(2, local)->path), local);
    (void)onHost(2, make + "touch 3.png", {local.toStdString()});
    const auto other = stage(2, local);
    QVERIFY(other->path.ends_with("/same") && text(other->path) != local);
    (void)onHost(2, make + "rm 3.png && printf 9.png > 2.png", {local.toStdString()});
    QCOMPARE(text(stage(2, local)->path), text(other->path));
    // A link's target can change unseen.
    (void)onHost(2, make + "mv 2.png ../target && ln -s ../target 2.png", {local.toStdString()});
    QCOMPARE(text(stage(2, local)->path), local);
    (void)onHost(2, "printf 8.png > \"$1\"/../target", {local.toStdString()});
    QCOMPARE(text(stage(2, local)->path), text(other->path));
}

// Feature: data that hosts share: names and sizes are compared, the first difference is named, and nothing is copied.
void SshStageTest::sharedDataIsComparedAndNotCopied() {
    const QString local = folder("shared");
    write(local + "/cat/1.png", "ten bytes!");
    write(local + "/cat/two\nlines", "x");
    write(local + "/dog/2.png", "dog");
    QFile::link("2.png", local + "/dog/link.png");
    const std::string path = local.toStdString();
    const auto session = m_lab.connect(1);
    const auto said = [&](const std::string& given) {
        const auto found = sharedPath(*session, given);
        return text(found ? "found " + *found : found.error().text());
    };
    const QString where = text(session->host().label()) + ":" + local;
    const QString remedy = " (make it the same there, or set dataset.params.placement to \"copy\")";
    QCOMPARE(said(path), where + ": is not there, and is said to be shared" + remedy);
    (void)onHost(
        1,
        "mkdir -p \"$1/cat\" \"$1/dog\" && cd \"$1\" && printf 'ten bytes!' > cat/1.png && printf y > \"$2\" && "
        "printf god > dog/2.png && ln -s 2.png dog/link.png",
        {path, "cat/two\nlines"});
    QCOMPARE(said(path + "/"), "found " + local); // the content is not looked at
    QCOMPARE(said(path + "/cat/1.png"), "found " + local + "/cat/1.png");
    (void)onHost(1, "printf xx >> \"$1/dog/2.png\"", {path});
    QCOMPARE(said(path),
             where + ": differs from the folder here: dog/2.png has 3 bytes here and 5 bytes there" + remedy);
    QCOMPARE(said(path + "/dog/2.png"), where + "/dog/2.png: has 5 bytes there, and 3 bytes here" + remedy);
    (void)onHost(1, "rm \"$1/cat/1.png\"", {path});
    QCOMPARE(said(path), where + ": differs from the folder here: cat/1.png is not there" + remedy);
    (void)onHost(1, "printf 'ten bytes!' > \"$1/cat/1.png\" && : > \"$1/cat/0.png\"", {path});
    QCOMPARE(said(path), where + ": differs from the folder here: cat/0.png is there and not here" + remedy);
    (void)onHost(1, "rm -r \"$1\" && : > \"$1\"", {path});
    QCOMPARE(said(path), where + ": is a file there, and a folder here" + remedy);
    QVERIFY(said(path + "/none").startsWith(local + "/none: there is no such file or folder"));
    QCOMPARE(text(onHost(1, "find ~/.cache/trainyard -name shared | wc -l")).trimmed(), QStringLiteral("0"));
}

void SshStageTest::aCopyIsMadeBesideTheSamePath() {
    const QString local = folder("twice");
    write(local + "/1.png", "the same");
    const auto session = m_lab.connect(1);
    const auto basics = askBasics(*session);
    (void)onHost(1, "mkdir -p \"$1\" && printf 'the same' > \"$1/1.png\"", {local.toStdString()});
    DigestCache digests;
    for (const QString& path : {local, local + "/1.png"}) {
        const auto used = stagePath(*session, *basics, path.toStdString(), digests);
        QVERIFY(used.ok() && used->path == path.toStdString() && used->bytesSent == 0);
        for (const std::int64_t sent : {8, 0}) {
            const auto copied = stagePath(*session, *basics, path.toStdString(), digests, {}, LooksFor::Copies);
            QVERIFY2(copied.ok(), copied ? "" : copied.error().text().c_str());
            QVERIFY(copied->path != path.toStdString() && copied->bytesSent == sent);
        }
    }
}

// Feature: a tokenizer's merges.txt and an adapter's configuration go with the file that is named.
void SshStageTest::whatBelongsToAFileGoesWithIt() {
    const QString local = folder("tokenizer");
    write(local + "/vocab.json", "{}");
    write(local + "/merges.txt", "a b");
    write(local + "/notes.txt", "stays here");
    const auto session = m_lab.connect(1);
    const auto basics = askBasics(*session);
    DigestCache digests;
    const auto stagedFrom = [&] {
        return stagePath(*session, *basics, (local + "/vocab.json").toStdString(), digests, {}, LooksFor::Copies);
    };
    const auto first = stagedFrom();
    QVERIFY2(first.ok(), first ? "" : first.error().text().c_str());
    QCOMPARE(first->bytesSent, std::int64_t{5});
    const std::string there = "cd \"$(dirname \"$1\")\" && ls && cat merges.txt";
    QCOMPARE(onHost(1, there, {first->path}), std::string("merges.txt\nvocab.json\na b"));
    QVERIFY(stagedFrom()->bytesSent == 0);
    write(local + "/merges.txt", "a  b"); // of another tokenizer: both have their place
    const auto second = stagedFrom();
    QVERIFY(second.ok() && second->path != first->path);
    QCOMPARE(onHost(1, there, {second->path}), std::string("merges.txt\nvocab.json\na  b"));
    QCOMPARE(onHost(1, there, {first->path}), std::string("merges.txt\nvocab.json\na b"));
}

void SshStageTest::aDamagedCopyIsRepaired() {
    const QString local = folder("damaged");
    for (int i = 0; i < 20; ++i) write(local + QStringLiteral("/%1").arg(i), noise(1000));
    const auto staged = stage(2, local);
    QVERIFY(staged.ok());
    for (const char* damage : {"rm -- \"$1/3\"", "printf x >> \"$1/4\"", "printf x > \"$1/more\""}) {
        (void)onHost(2, damage, {staged->path});
        const auto again = stage(2, local);
        QVERIFY2(again.ok(), damage);
        QCOMPARE(text(again->path), text(staged->path));
        // All of it where something is left over, else what is missing.
        QCOMPARE(again->bytesSent, contains(damage, "more") ? 20'000 : 1000);
        QCOMPARE(stage(2, local)->bytesSent, std::int64_t(0));
    }
    QCOMPARE(text(onHost(2, "find ~/.cache/trainyard -name '*.part.*' | wc -l")).trimmed(), QStringLiteral("0"));
}

// A note that says that a damaged folder is whole is believed only where nobody else can write it.
void SshStageTest::onlyPrivateNotesAreTrusted() {
    const QString local = folder("notes");
    for (int i = 0; i < 5; ++i) write(local + QStringLiteral("/%1").arg(i), noise(1000));
    const auto staged = stage(1, local);
    QVERIFY(staged.ok());
    DigestCache digests;
    const std::string whole = digests.ofFolder(local.toStdString())->digest();
    for (const char* mode : {"700", "770"}) {
        (void)onHost(1,
                     "LC_ALL=C; export LC_ALL; cd -- \"$1\" && printf x > 3 && notes=~/.cache/trainyard/digests && "
                     "look=$(find . -type f -printf '%s %T@ %C@ %i %p\\0' | sort -z | sha256sum | cut -c 1-64) && "
                     "echo \"$look $2\" > $notes/$(printf %s \"$1\" | sha256sum | cut -c 1-64) && chmod $3 $notes",
                     {staged->path, whole, mode});
        const auto again = stage(1, local);
        QVERIFY2(again.ok(), mode);
        QCOMPARE(again->bytesSent, std::int64_t(std::string(mode) == "700" ? 0 : 1000));
    }
    (void)onHost(1, "rm -rf ~/.cache/trainyard/digests");
}

void SshStageTest::aCutTransferGoesOn() {
    const QString local = folder("cut");
    constexpr int kFiles = 60;
    for (int i = 0; i < kFiles; ++i) write(local + QStringLiteral("/%1").arg(i), noise(100'000));
    m_lab.slow(2);
    const auto watcher = m_lab.connect(2);
    std::thread cutter([&] {
        (void)watcher->script(
            "until [ \"$(ls ~/.cache/trainyard/*/cut.part.*/ | wc -l)\" -ge 15 ]; do sleep 0.02; done "
            "2> /dev/null");
        m_lab.cut(2);
    });
    const auto cut = stage(2, local);
    cutter.join();
    QVERIFY(!cut.ok());
    m_lab.join(2);
    m_lab.fast(2);
    // The host sees that the connection is gone.
    QTRY_COMPARE_WITH_TIMEOUT(text(onHost(2, "for each in ~/.cache/trainyard/*/cut.part.*; do ls -d /proc/${each##*.}; "
                                             "done 2> /dev/null | wc -l"))
                                  .trimmed(),
                              QStringLiteral("0"), 40000);
    const auto rest = stage(2, local);
    QVERIFY2(rest.ok(), rest.ok() ? "" : rest.error().text().c_str());
    qInfo("%lld of %d bytes were sent after the cut", static_cast<long long>(rest->bytesSent), kFiles * 100'000);
    QVERIFY(rest->bytesSent > 0 && rest->bytesSent <= (kFiles - 14) * 100'000);
    QCOMPARE(text(onHost(2, "ls -d ~/.cache/trainyard/*/cut*")).trimmed(), text(rest->path));
    QCOMPARE(stage(2, local)->bytesSent, std::int64_t(0));
}

// Bad inputs: a host whose disk is full. An Environment error: `disk is full`.
void SshStageTest::aFullDiskIsNamed() {
    const QString local = folder("large");
    for (int i = 0; i < 20; ++i) write(local + QStringLiteral("/%1").arg(i), noise(1'000'000));
    const auto staged = stage(3, local); // its cache has room for 8 MB
    QVERIFY(!staged.ok());
    const std::string said = staged.error().text();
    QVERIFY2(contains(said, "disk is full") && contains(said, "large needs 20.0 MB") && contains(said, "are free"),
             said.c_str());
    QCOMPARE(staged.error().code, ErrorCode::DiskFull);
    QCOMPARE(text(onHost(3, "find /root/.cache -type f -size +100k | wc -l")).trimmed().section('\n', -1),
             QStringLiteral("0"));
}

// Bad inputs: a host without tar. An Environment error: `tar is not installed`.
void SshStageTest::aMissingProgramIsNamed() {
    const QString local = folder("no tar");
    write(local + "/file", "file");
    QVERIFY(contains(onHost(2, "mount --bind /dev/null \"$(command -v tar)\" && echo done"), "done"));
    const auto staged = stage(2, local);
    QVERIFY(contains(
        onHost(2, "for each in /bin/tar /usr/bin/tar; do umount $each 2> /dev/null && break; done; tar --version"),
        "tar"));
    QVERIFY(!staged.ok());
    QCOMPARE(staged.error().kind, ErrorKind::Environment);
    QVERIFY2(contains(staged.error().message, "tar is not installed"), staged.error().text().c_str());
    QVERIFY2(contains(staged.error().remedy, "sudo apt install tar"), staged.error().text().c_str());
    QVERIFY(stage(2, local).ok());
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    test::enterHostLab(argc, argv);
    QCoreApplication application(argc, argv);
    SshStageTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "ssh_stage_test.moc"
