// SPDX-License-Identifier: GPL-3.0-or-later
// The Debian packages, made of what this build has: what is in them, what they need, and that they come and go without
// a trace. Nothing is compiled.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

#include <map>

namespace {

struct Answer {
    int code = -1;
    QString out, both;
};

Answer call(const QString& program, const QStringList& arguments, const QString& folder = {}) {
    QProcess process;
    if (!folder.isEmpty()) process.setWorkingDirectory(folder);
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LC_ALL", "C.UTF-8");
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    if (!process.waitForFinished(300'000)) return {};
    const QString out = QString::fromUtf8(process.readAllStandardOutput());
    return {process.exitCode(), out, out + QString::fromUtf8(process.readAllStandardError())};
}

bool has(const char* program) { return !QStandardPaths::findExecutable(program).isEmpty(); }

} // namespace

class PackagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void eachHoldsWhatItsNameSays_data();
    void eachHoldsWhatItsNameSays();
    void filesAreRootsAndBelowUsr();
    void theEngineNeedsNoScreen();
    void programsAreHardened();
    void everyProgramHasAManualPage();
    void haveNoScripts();
    void lintianFindsNoErrors();
    void comeAndGoWithoutATrace();

private:
    QString file(const QString& package) const;
    QString field(const QString& package, const QString& name) const {
        return call("dpkg-deb", {"-f", file(package), name}).out.trimmed();
    }
    // A tree with the package's files.
    QString unpacked(const QString& package);
    bool make(const QString& to, const QStringList& more);

    static inline const QStringList kPackages{"trainyard", "trainyard-engine", "libtrainyard-dev"};
    QTemporaryDir m_folder;
    std::map<QString, QString> m_unpacked;
};

bool PackagesTest::make(const QString& to, const QStringList& more) {
    const auto made =
        call("cpack", QStringList{"-G", "DEB", "--config", QString(BUILD_FOLDER) + "/CPackConfig.cmake", "-B", to,
                                  // xz, as they are delivered, takes a minute more
                                  "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"} +
                          more);
    if (made.code != 0) qWarning("%s", qPrintable(made.both));
    return made.code == 0;
}

void PackagesTest::initTestCase() {
    for (const char* program : {"cpack", "dpkg-deb", "dpkg-shlibdeps", "readelf", "file"})
        if (!has(program)) QSKIP(qPrintable(QString("%1 is not installed").arg(program)));
    for (const char* made : {"bin/trainyard", "bin/trainyard-worker", "share/manuals.stamp"})
        if (!QFile::exists(QString(BUILD_FOLDER) + '/' + made)) QSKIP("this build does not have all programs");
    QVERIFY(make(m_folder.path(), {}));
}

QString PackagesTest::file(const QString& package) const {
    const auto found = QDir(m_folder.path()).entryList({package + "_*.deb"}, QDir::Files);
    return found.size() == 1 ? m_folder.filePath(found.front()) : QString();
}

QString PackagesTest::unpacked(const QString& package) {
    auto& folder = m_unpacked[package];
    if (folder.isEmpty()) {
        folder = m_folder.filePath("tree-" + package);
        call("dpkg-deb", {"-x", file(package), folder});
    }
    return folder;
}

// Feature: Debian packages: contents, dependencies, hardening, lintian; installed, upgraded and purged without touching
// a workspace.
void PackagesTest::eachHoldsWhatItsNameSays_data() {
    QTest::addColumn<QString>("package");
    QTest::addColumn<QStringList>("holds");
    QTest::addColumn<QStringList>("lacks");
    QTest::newRow("window") << "trainyard"
                            << QStringList{"/usr/bin/trainyard",
                                           "/usr/share/man/man1/trainyard.1.gz",
                                           "/usr/share/applications/org.trainyard.Trainyard.desktop",
                                           "/usr/share/metainfo/org.trainyard.Trainyard.metainfo.xml",
                                           "/usr/share/mime/packages/org.trainyard.Trainyard.mime.xml",
                                           "/usr/share/icons/hicolor/scalable/apps/trainyard.svg",
                                           "/usr/share/doc/trainyard/copyright",
                                           "/usr/share/doc/trainyard/changelog.Debian.gz"}
                            << QStringList{"/usr/bin/trainyardctl", "/usr/include"};
    QTest::newRow("engine") << "trainyard-engine"
                            << QStringList{"/usr/bin/trainyardctl",
                                           "/usr/bin/trainyard-worker",
                                           "/usr/bin/trainyard-relay",
                                           "/usr/share/man/man1/trainyardctl.1.gz",
                                           "/usr/share/man/man1/trainyardctl-run.1.gz",
                                           "/usr/share/man/man5/trainyard-run-file.5.gz",
                                           "/usr/share/bash-completion/completions/trainyardctl",
                                           "/usr/share/zsh/vendor-completions/_trainyardctl",
                                           "/usr/share/fish/vendor_completions.d/trainyardctl.fish",
                                           "/usr/share/trainyard/python/trainyard.py",
                                           "/usr/share/doc/trainyard-engine/examples/fashion_mnist_mlp.json",
                                           "/usr/share/doc/trainyard-engine/examples/programs/ddp.py",
                                           "/usr/share/doc/trainyard-engine/copyright"}
                            << QStringList{"/usr/bin/trainyard", "/usr/share/applications", "/usr/include"};
    QTest::newRow("library") << "libtrainyard-dev"
                             << QStringList{"/usr/include/trainyard/train.h",
                                            "/usr/share/doc/libtrainyard-dev/copyright"}
                             << QStringList{"/usr/bin"};
}

void PackagesTest::eachHoldsWhatItsNameSays() {
    QFETCH(QString, package);
    QFETCH(QStringList, holds);
    QFETCH(QStringList, lacks);
    QVERIFY2(!file(package).isEmpty(), qPrintable(package));
    for (const QString& path : holds) QVERIFY2(QFile::exists(unpacked(package) + path), qPrintable(path));
    for (const QString& path : lacks) QVERIFY2(!QFile::exists(unpacked(package) + path), qPrintable(path));
    QVERIFY(field(package, "Version").startsWith(QString(PROJECT_VERSION) + "-1"));
    QVERIFY(!field(package, "Description").isEmpty() && !field(package, "Maintainer").isEmpty());
    if (package == "libtrainyard-dev") {
        QDirIterator config(unpacked(package) + "/usr/lib", {"TrainyardConfig.cmake"}, QDir::Files,
                            QDirIterator::Subdirectories);
        QVERIFY(config.hasNext());
    }
    if (package == "trainyard") QVERIFY(QFileInfo(file(package)).size() < 7'000'000);
}

// No file of users, no path of the computer that built it.
void PackagesTest::filesAreRootsAndBelowUsr() {
    for (const QString& package : kPackages) {
        const auto list = call("dpkg-deb", {"-c", file(package)});
        QCOMPARE(list.code, 0);
        for (const QString& line : list.out.split('\n', Qt::SkipEmptyParts)) {
            QVERIFY2(line.contains(" root/root "), qPrintable(line));
            QVERIFY2(line.contains(QRegularExpression(" \\./(usr/.*)?$")), qPrintable(line));
            QVERIFY2(line.contains(QRegularExpression("^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) ")), qPrintable(line));
        }
    }
}

void PackagesTest::theEngineNeedsNoScreen() {
    const QString engine = field("trainyard-engine", "Depends"), window = field("trainyard", "Depends");
    QVERIFY2(!engine.contains("libqt", Qt::CaseInsensitive) && !engine.contains("qcustomplot"), qPrintable(engine));
    QVERIFY2(engine.contains("libtorch") && engine.contains("libssh2-1") && engine.contains("libc6 (>= "),
             qPrintable(engine));
    QVERIFY2(window.contains("libqt6widgets6") && window.contains("libqcustomplot"), qPrintable(window));
    QVERIFY2(!window.contains("libtorch"), qPrintable(window));
    const QString same = "trainyard-engine (= " + field("trainyard-engine", "Version") + ')';
    QVERIFY2(window.contains(same), qPrintable(window));
    const QString library = field("libtrainyard-dev", "Depends");
    QVERIFY2(library.contains(same) && library.contains("libtorch-dev"), qPrintable(library));
    QVERIFY(field("trainyard-engine", "Recommends").contains("libopenblas0-openmp"));
    QVERIFY(field("trainyard-engine", "Recommends").contains("dataset-fashion-mnist"));
}

void PackagesTest::programsAreHardened() {
    const std::map<QString, QStringList> programs{
        {"trainyard", {"trainyard"}}, {"trainyard-engine", {"trainyardctl", "trainyard-worker", "trainyard-relay"}}};
    for (const auto& [package, names] : programs) {
        for (const QString& name : names) {
            const QString path = unpacked(package) + "/usr/bin/" + name;
            const QString dynamic = call("readelf", {"-dW", path}).out, all = call("readelf", {"-hlSW", path}).out;
            QString own = dynamic; // the worker finds empty libraries of its own, and nobody looks elsewhere
            if (name == "trainyard-worker") own.remove("(RPATH)").remove("[$ORIGIN/../lib/trainyard/stand-ins]");
            QVERIFY2(!own.contains("RPATH") && !own.contains("RUNPATH"), qPrintable(name + dynamic));
            QVERIFY2(dynamic.contains("NOW") && dynamic.contains("PIE"), qPrintable(name + dynamic));
            QVERIFY2(all.contains("GNU_RELRO") && all.contains("GNU_STACK"), qPrintable(name));
            QVERIFY2(!all.contains(".symtab"), qPrintable(name + " is not stripped"));
#ifdef TRAINYARD_HARDENED
            const QString symbols = call("readelf", {"--dyn-syms", "-W", path}).out;
            QVERIFY2(symbols.contains("_chk@"), qPrintable(name + " is not fortified"));
            QVERIFY2(symbols.contains("__stack_chk_fail"), qPrintable(name + " has no protection of its stack"));
#endif
        }
    }
}

void PackagesTest::everyProgramHasAManualPage() {
    for (const QString& package : {QString("trainyard"), QString("trainyard-engine")})
        for (const QString& program : QDir(unpacked(package) + "/usr/bin").entryList(QDir::Files))
            QVERIFY2(QFile::exists(unpacked(package) + "/usr/share/man/man1/" + program + ".1.gz"),
                     qPrintable(program));
}

void PackagesTest::haveNoScripts() {
    for (const QString& package : kPackages) {
        const QString folder = m_folder.filePath("control-" + package);
        QCOMPARE(call("dpkg-deb", {"-e", file(package), folder}).code, 0);
        const auto found = QDir(folder).entryList(QDir::Files, QDir::Name);
        QVERIFY2(found == QStringList({"control", "md5sums"}), qPrintable(package + ": " + found.join(' ')));
    }
}

void PackagesTest::lintianFindsNoErrors() {
    if (!has("lintian")) QSKIP("lintian is not installed");
    QStringList arguments{"--fail-on", "error,warning", "--no-tag-display-limit"};
    // Who makes a package for others names themselves and a homepage; the default address is nobody's. Debian 12's
    // lintian does not ask for a homepage.
    const QString homepage = "appstream-metadata-validation-failed";
    const bool isAsked = call("lintian-explain-tags", {homepage}).code == 0;
    arguments << "--suppress-tags"
              << "bogus-mail-host,bogus-mail-host-in-debian-changelog" + (isAsked ? ',' + homepage : QString());
    if (::geteuid() == 0) arguments << "--allow-root";
    for (const QString& package : kPackages) arguments << file(package);
    const auto answer = call("lintian", arguments);
    QVERIFY2(answer.code == 0, qPrintable(answer.both));
    if (!isAsked) return;
    const auto metadata =
        call("appstreamcli", {"validate", "--no-net", "--override=url-homepage-missing=info",
                              TRAINYARD_SOURCE_DIR "/resources/desktop/org.trainyard.Trainyard.metainfo.xml"});
    QVERIFY2(metadata.code == 0, qPrintable(metadata.both)); // all else that the tag stands for
}

// In a root of its own: installed, upgraded, removed, purged; a user's workspace stays as it is.
void PackagesTest::comeAndGoWithoutATrace() {
    if (!has("dpkg")) QSKIP("dpkg is not installed");
    const QString root = m_folder.filePath("root"), data = root + "/home/anna/.local/share/trainyard";
    QVERIFY(QDir().mkpath(root + "/var/lib/dpkg/info") && QDir().mkpath(root + "/var/lib/dpkg/updates") &&
            QDir().mkpath(data));
    for (const QString& path :
         {root + "/var/lib/dpkg/status", root + "/var/lib/dpkg/available", data + "/trainyard.db"}) {
        QFile made(path);
        QVERIFY(made.open(QIODevice::WriteOnly));
    }
    const auto dpkg = [&](const QStringList& what) {
        const auto done = call("dpkg", QStringList{"--root=" + root, "--force-depends", "--force-not-root",
                                                   "--force-script-chrootless", "--log=" + root + "/log"} +
                                           what);
        if (done.code != 0) qWarning("%s", qPrintable(done.both));
        return done.code == 0;
    };
    const QStringList names{"trainyard-engine", "trainyard"};
    if (!dpkg({"-i", file(names[0]), file(names[1])})) QSKIP("dpkg cannot install into a folder here");
    QVERIFY(QFile::exists(root + "/usr/bin/trainyardctl") && QFile::exists(root + "/usr/bin/trainyard"));
    QCOMPARE(call(root + "/usr/bin/trainyardctl", {"--version"}).out.trimmed(),
             QString("trainyardctl " PROJECT_VERSION));

    // What they need was looked up in the symbols of all libraries for the first ones.
    QVERIFY(make(m_folder.filePath("newer"),
                 {"-R", "99.0.0", "-D", "CPACK_COMPONENTS_ALL=engine;window", "-D",
                  "CPACK_DEBIAN_COMPRESSION_TYPE=none", "-D", "CPACK_DEBIAN_PACKAGE_SHLIBDEPS=OFF"}));
    QDir newer(m_folder.filePath("newer"));
    QStringList upgrade{"-i"};
    for (const QString& name : names)
        for (const QString& each : newer.entryList({name + "_99*.deb"})) upgrade << newer.filePath(each);
    QCOMPARE(upgrade.size(), 3);
    QVERIFY(dpkg(upgrade));

    QVERIFY(dpkg(QStringList{"-r"} + names));
    QVERIFY(dpkg(QStringList{"-P"} + names));
    QVERIFY(!QFile::exists(root + "/usr/bin") && !QFile::exists(root + "/usr/share/doc"));
    QVERIFY(QFile::exists(data + "/trainyard.db"));
}

QTEST_GUILESS_MAIN(PackagesTest)
#include "packages_test.moc"
