// SPDX-License-Identifier: GPL-3.0-or-later
// Packs: written, read as the folder that was packed, damaged, cut short, foreign.
#include "engine/base/unique_fd.h"
#include "engine/formats/folders/pack.h"
#include "engine/formats/folders/pack_writer.h"
#include "engine/formats/folders/tar_members.h"
#include "tests/texts.h"
#include "tests/unit/file_bytes.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>

#include <cstdint>
#include <cstdlib>
#include <memory>

using namespace trainyard;
using namespace trainyard::tests;
using formats::FileToPack;
using formats::Pack;
using trainyard::test::compareText;

namespace fs = std::filesystem;

class FormatsPacksTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path in(const std::string& name) const { return fs::path(m_folder->path().toStdString()) / name; }

    static std::string longFolder() { return "b.c" + std::string(60, 'd'); }
    // What is packed: names that are sorted otherwise than their paths, long ones, an empty file.
    std::vector<std::string> paths() const {
        return {"a/1.jpg", "a-b/2.jpg", "a/" + longFolder() + "/" + std::string(90, 'n') + ".png", "labels.csv",
                "z/empty.jpg"};
    }
    static QByteArray contentOf(const std::string& path) {
        return path.ends_with("empty.jpg") ? QByteArray() : QByteArray(path.c_str()).repeated(40);
    }
    formats::PackOrder order(std::int64_t archiveBytes = 1'000'000) const {
        formats::PackOrder order{.folder = in("set"), .out = in("pack")};
        formats::FileNames files;
        for (const std::string& path : paths()) {
            if (bytesOf(in("set") / path) != contentOf(path) || !fs::exists(in("set") / path))
                writeBytes(in("set") / path, contentOf(path));
            files.add(in("set") / path);
        }
        const auto facts = formats::factsOf(files);
        for (std::size_t i = 0; i < facts.size(); ++i) order.files.push_back({paths()[i], "data", facts[i]});
        order.files[0].label = 7;
        order.classes = {"a", "z"};
        order.archiveBytes = archiveBytes;
        return order;
    }
    QString openingSays(const fs::path& root) const {
        const auto pack = Pack::open(root);
        if (!pack) return QString::fromStdString(pack.error().text());
        return *pack ? QString("a pack") : QString("no pack");
    }
    static bool hasTar() { return std::system("tar --version > /dev/null 2>&1") == 0; }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void aPackIsTheFolder_data();
    void aPackIsTheFolder();
    void othersReadItsArchives();
    void aKilledWriterCostsNoArchive();
    void badPacksAreExplained_data();
    void badPacksAreExplained();
    void damageIsFoundWhenItIsRead();
    void archivesOfOthersAreRead_data();
    void archivesOfOthersAreRead();
    void pathsStayInside_data();
    void pathsStayInside();
    void refusesWhatCannotBePacked();
    void aFullDiskIsFoundBeforeItIsWrittenTo();
    void oneWritesAPackAtATime();
    void ordinaryFoldersAreNoPacks();
};

void FormatsPacksTest::aPackIsTheFolder_data() {
    QTest::addColumn<int>("archiveBytes");
    QTest::addColumn<int>("archives");
    QTest::newRow("one archive") << 1'000'000 << 1;
    QTest::newRow("an archive a file") << 1 << 5;
}

// Feature: a folder in a few archives is listed and read as the folder itself.
void FormatsPacksTest::aPackIsTheFolder() {
    QFETCH(int, archiveBytes);
    QFETCH(int, archives);
    const auto made = formats::writePack(order(archiveBytes));
    QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
    QCOMPARE(static_cast<int>(made->archives), archives);
    QVERIFY(made->files == 5 && made->keptArchives == 0 && !fs::exists(formats::partOfPack(in("pack"))));
    QCOMPARE(bytesOf(in("pack/classes.txt")), QByteArray("a\nz\n"));
    formats::FileNames files, packed;
    for (const std::string& folder : {std::string(), std::string("/a"), "/a/" + longFolder(), std::string("/z")}) {
        const auto there = formats::namesIn(in("set" + folder)), here = formats::namesIn(in("pack" + folder));
        QVERIFY2(here.ok(), here ? "" : here.error().text().c_str());
        QCOMPARE(here->size(), there->size());
        for (std::size_t i = 0; i < here->size(); ++i)
            QVERIFY(here->name(i) == there->name(i) && here->kind(i) == there->kind(i));
    }
    for (const std::string& path : paths()) {
        files.add(in("set") / path);
        packed.add(in("pack") / path);
        const auto found = formats::packedFile(in("pack") / path);
        QVERIFY(found.ok() && found->has_value());
        const auto bytes = (*found)->first->read((*found)->second);
        QVERIFY(bytes.ok() && QByteArray::fromStdString(*bytes) == contentOf(path));
    }
    const auto there = formats::factsOf(files), here = formats::factsOf(packed);
    for (std::size_t i = 0; i < here.size(); ++i) QVERIFY(here[i].size == there[i].size && here[i].changed > 0);
    QVERIFY(!formats::namesIn(in("pack/nothing")).ok());
    QVERIFY(formats::packedFile(in("pack/a/none.jpg")).ok() &&
            !formats::packedFile(in("pack/a/none.jpg"))->has_value());
}

// Feature: GNU tar unpacks a pack's archives, and the number of its class is beside a picture, as WebDataset wants it.
void FormatsPacksTest::othersReadItsArchives() {
    if (!hasTar()) QSKIP("tar is not installed");
    QVERIFY(formats::writePack(order()).ok());
    fs::create_directories(in("out"));
    const std::string command =
        "tar xf '" + in("pack/data-000000.tar").string() + "' -C '" + in("out").string() + "' 2> /dev/null";
    QCOMPARE(std::system(command.c_str()), 0);
    for (const std::string& path : paths()) QCOMPARE(bytesOf(in("out") / path), contentOf(path));
    QCOMPARE(bytesOf(in("out/a/1.cls")), QByteArray("7"));
}

// Fault: what writes a pack is killed. The next one keeps the archives that are whole, and writes those anew whose
// files have changed.
void FormatsPacksTest::aKilledWriterCostsNoArchive() {
    auto wanted = order(1);
    const fs::path part = formats::partOfPack(in("pack"));
    writeBytes(in("set/z/empty.jpg"), "no longer empty"); // stops the writer at its last file
    const auto stopped = formats::writePack(wanted);
    QVERIFY(!stopped.ok() && stopped.error().kind == ErrorKind::Input);
    compareText(QString::fromStdString(stopped.error().text()), "has changed while it was packed");
    QVERIFY(!fs::exists(in("pack")) && fs::exists(part));
    QCOMPARE(openingSays(part), QString("no pack")); // half a pack is never read
    fs::resize_file(part / "data-000001.tar", 512);  // what did not reach the disk
    wanted = order(1);
    const auto made = formats::writePack(wanted);
    QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
    QCOMPARE(static_cast<int>(made->keptArchives), 3);
    QVERIFY(!fs::exists(part));
    for (const auto& entry : fs::directory_iterator(in("pack")))
        QVERIFY(entry.path().extension() == ".tar" || entry.path().extension() == ".txt" ||
                entry.path().extension() == ".index");
    for (const std::string& path : paths()) {
        const auto found = formats::packedFile(in("pack") / path);
        QVERIFY(found.ok() && found->has_value());
        QCOMPARE(QByteArray::fromStdString(*(*found)->first->read((*found)->second)), contentOf(path));
    }
}

void FormatsPacksTest::badPacksAreExplained_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("bytes"); // that it has then; empty: it is removed
    QTest::addColumn<QString>("says");
    QTest::newRow("foreign index") << "pack.index" << QByteArray("{\"wids\": 1}") << "is no index of a pack";
    QTest::newRow("newer index") << "pack.index" << QByteArray("trainyard pack 2\nend\n")
                                 << "is of version 2, and version 1 is read here (read it with a newer Trainyard";
    QTest::newRow("cut index") << "pack.index" << QByteArray("trainyard pack 1\nshard\t12") << "is cut short";
    QTest::newRow("damaged index") << "pack.index" << QByteArray("trainyard pack 1\nend\t0\t00000000\n")
                                   << "is damaged: its checksum is another";
    QTest::newRow("lost archive") << "data-000000.tar" << QByteArray() << "the pack has lost this archive";
    QTest::newRow("cut archive") << "data-000000.tar" << QByteArray("short") << "has 5 bytes, and ";
}

// Bad inputs: an index that is foreign, newer, cut short or damaged; an archive that is lost or cut short.
void FormatsPacksTest::badPacksAreExplained() {
    QFETCH(QString, file);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    QVERIFY(formats::writePack(order()).ok());
    const fs::path path = in("pack") / file.toStdString();
    if (bytes.isEmpty()) fs::remove(path);
    else writeBytes(path, bytes);
    const auto pack = Pack::open(in("pack"));
    QVERIFY(!pack.ok() && pack.error().kind == ErrorKind::Input && !pack.error().remedy.empty());
    compareText(QString::fromStdString(pack.error().where), path.string().c_str());
    compareText(QString::fromStdString(pack.error().text()), says);
    QVERIFY(!formats::namesIn(in("pack")).ok());
}

// Bad inputs: bytes of a packed file that have changed on the disk.
void FormatsPacksTest::damageIsFoundWhenItIsRead() {
    QVERIFY(formats::writePack(order()).ok());
    const auto found = formats::packedFile(in("pack/a/1.jpg"));
    QVERIFY(found.ok() && found->has_value());
    const auto& [pack, number] = **found;
    QByteArray bytes = bytesOf(in("pack/data-000000.tar"));
    const auto at = static_cast<qsizetype>(pack->index().file(number).at) + 5;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    writeBytes(in("pack/data-000000.tar"), bytes);
    const auto read = pack->read(number);
    QVERIFY(!read.ok() && read.error().kind == ErrorKind::Input);
    compareText(QString::fromStdString(read.error().text()), "pack/a/1.jpg: is damaged in data-000000.tar, byte ");
    fs::resize_file(in("pack/data-000000.tar"), 600);
    const auto cut = pack->read(number);
    QVERIFY(!cut.ok() && cut.error().kind == ErrorKind::Input && !cut.error().remedy.empty());
}

void FormatsPacksTest::archivesOfOthersAreRead_data() {
    QTest::addColumn<QString>("format");
    for (const char* format : {"gnu", "pax", "ustar"}) QTest::newRow(format) << format;
}

// Feature: archives of GNU tar are read, with long names as each format has them; links are passed over.
void FormatsPacksTest::archivesOfOthersAreRead() {
    if (!hasTar()) QSKIP("tar is not installed");
    QFETCH(QString, format);
    (void)order();
    fs::create_symlink("/etc/passwd", in("set/link.jpg"));
    const std::string command = "tar cf '" + in("all.tar").string() + "' --format=" + format.toStdString() + " -C '" +
                                in("set").string() + "' . 2> /dev/null";
    QCOMPARE(std::system(command.c_str()), 0);
    const auto pack = Pack::open(in("all.tar"));
    QVERIFY2(pack.ok(), pack ? "" : pack.error().text().c_str());
    QCOMPARE((*pack)->index().size(), paths().size());
    for (const std::string& path : paths()) {
        const auto at = (*pack)->index().find(path);
        QVERIFY2(at.has_value(), path.c_str());
        QCOMPARE(QByteArray::fromStdString(*(*pack)->read(*at)), contentOf(path));
    }
    QVERIFY((*pack)->labels().empty());
    compareText(QString::fromStdString((*pack)->notes().at(0)), "1 entries of the archives passed over: links");
    // Half of it, and something else.
    fs::resize_file(in("all.tar"), fs::file_size(in("all.tar")) / 2 + 100);
    compareText(openingSays(in("all.tar")), "is cut short");
    writeBytes(in("all.tar"), QByteArray(2000, 'x'));
    compareText(openingSays(in("all.tar")), "all.tar, byte 0: is no tar archive (name a tar archive)");
    writeBytes(in("all.tar"), QByteArray("\x1f\x8b", 2) + QByteArray(2000, 'x'));
    compareText(openingSays(in("all.tar")), "cannot be read at their places (unpack it with gunzip)");
    writeBytes(in("all.tar"), QByteArray());
    compareText(openingSays(in("all.tar")), "holds no files");
}

void FormatsPacksTest::pathsStayInside_data() {
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("stays");
    const auto row = [](const char* name, const QByteArray& path, bool stays) { QTest::newRow(name) << path << stays; };
    row("a file", "cat/1.jpg", true);
    row("dots in a name", "cat/..1.jpg", true);
    row("up", "../1.jpg", false);
    row("up in the middle", "cat/../../1.jpg", false);
    row("from the root", "/etc/passwd", false);
    row("nothing between", "cat//1.jpg", false);
    row("a folder", "cat/", false);
    row("nothing", "", false);
    row("NUL", QByteArray("cat\0/1.jpg", 10), false);
    row("a line break", "cat\n/1.jpg", false);
    row("a long name", QByteArray(256, 'n'), false);
    row("a long path", QByteArray("n/").repeated(3000) + "n", false);
}

// Bad inputs: names in archives that lead out of their folder, or are none.
void FormatsPacksTest::pathsStayInside() {
    QFETCH(QByteArray, path);
    QFETCH(bool, stays);
    QCOMPARE(formats::isPackedPath({path.constData(), static_cast<std::size_t>(path.size())}), stays);
}

// Bad inputs: a place that is taken or inside of the folder, a name with a line break, nothing to pack.
void FormatsPacksTest::refusesWhatCannotBePacked() {
    const auto says = [](const formats::PackOrder& wanted) {
        const auto made = formats::writePack(wanted);
        return made ? QString() : QString::fromStdString(made.error().text());
    };
    auto wanted = order();
    wanted.out = in("set/pack");
    compareText(says(wanted), "is inside the folder that is packed");
    wanted.out = in("set");
    compareText(says(wanted), "is there already (give the pack another name, or remove that one)");
    wanted = order();
    wanted.files[1].path = "a\nb.jpg";
    compareText(says(wanted), "has a name that a pack cannot hold");
    wanted.files.clear();
    compareText(says(wanted), "holds no files to pack");
    QVERIFY(!fs::exists(formats::partOfPack(in("pack"))));
}

// Fault: the disk has no room for the pack. Nothing is written.
void FormatsPacksTest::aFullDiskIsFoundBeforeItIsWrittenTo() {
    auto wanted = order();
    for (int i = 0; i < 20'000; ++i) wanted.files.push_back({"large" + std::to_string(i), "data", {UINT32_MAX, 1}});
    const auto made = formats::writePack(wanted); // 86 TB
    QVERIFY(!made.ok() && made.error().kind == ErrorKind::Environment && made.error().code == ErrorCode::DiskFull);
    compareText(QString::fromStdString(made.error().text()), "(free some space, or pack to another disk)");
    QVERIFY(!fs::exists(in("pack")) && !fs::exists(formats::partOfPack(in("pack"))));
}

// Fault: two processes write the same pack. The second one says so, and costs the first one nothing.
void FormatsPacksTest::oneWritesAPackAtATime() {
    const fs::path lock = formats::partOfPack(in("pack")) / "writing.lock";
    writeBytes(lock, "");
    UniqueFd first(::open(lock.c_str(), O_RDWR | O_CLOEXEC));
    QVERIFY(first && ::flock(first.get(), LOCK_EX) == 0);
    const auto made = formats::writePack(order());
    QVERIFY(!made.ok() && made.error().kind == ErrorKind::Environment);
    compareText(QString::fromStdString(made.error().text()), "is being written by another process (wait for it");
    QVERIFY(fs::exists(lock));
    first.reset(); // as by its death
    QVERIFY(formats::writePack(order()).ok() && fs::exists(in("pack/pack.index")));
}

void FormatsPacksTest::ordinaryFoldersAreNoPacks() {
    (void)order();
    writeBytes(in("set/a/more.tar"), "x");
    writeBytes(in("tables/notes.txt"), "x");
    for (const char* folder : {"set", "set/a", "tables"}) {
        QCOMPARE(openingSays(in(folder)), QString("no pack"));
        QVERIFY(formats::namesIn(in(folder)).ok());
    }
}

QTEST_GUILESS_MAIN(FormatsPacksTest)
#include "formats_packs_test.moc"
