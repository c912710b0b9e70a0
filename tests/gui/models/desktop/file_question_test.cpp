// SPDX-License-Identifier: GPL-3.0-or-later
// People choose files in the desktop's dialog, through a portal on a session bus of the test's own, or in Qt's.
#include "tests/gui/session_bus.h"
#include "ui/models/desktop/file_portal.h"
#include "ui/models/desktop/file_question.h"
#include "ui/models/desktop/settings.h"

#include <QDBusContext>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QIcon>
#include <QLineEdit>
#include <QListView>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeView>
#include <QUrl>
#include <QWidget>

#include <fcntl.h>
#include <sys/stat.h>

using namespace trainyard::ui;

// What a desktop's portal answers (org.freedesktop.portal.FileChooser).
class Chooser : public QObject, protected QDBusContext {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.FileChooser")
    Q_PROPERTY(uint version MEMBER m_version)
public:
    uint m_version = 3;
    uint response = 0;
    QString path{}, asked{}, title{};
    QVariantMap options{};

public Q_SLOTS:
    QDBusObjectPath OpenFile(const QString&, const QString& what, const QVariantMap& how) {
        return answer(QStringLiteral("open"), what, how);
    }
    QDBusObjectPath SaveFile(const QString&, const QString& what, const QVariantMap& how) {
        return answer(QStringLiteral("save"), what, how);
    }

private:
    QDBusObjectPath answer(const QString& which, const QString& what, const QVariantMap& how) {
        asked = which;
        title = what;
        options = how;
        const QString sender = message().service().mid(1).replace(QLatin1Char('.'), QLatin1Char('_'));
        const QString request = QStringLiteral("/org/freedesktop/portal/desktop/request/%1/%2")
                                    .arg(sender, how[QStringLiteral("handle_token")].toString());
        auto said = QDBusMessage::createSignal(request, QStringLiteral("org.freedesktop.portal.Request"),
                                               QStringLiteral("Response"));
        said << response << QVariantMap{{QStringLiteral("uris"), QStringList(QUrl::fromLocalFile(path).toString())}};
        trainyard::testing::desktopsBus().send(said); // before the call is answered: it must not be missed
        return QDBusObjectPath(request);
    }
};

class FileQuestionTest : public QObject {
    Q_OBJECT

    Chooser m_chooser;
    QTemporaryDir m_folder;

    static QDBusConnection bus() { return trainyard::testing::desktopsBus(); }
    QString at(const char* name) const { return m_folder.filePath(QString::fromUtf8(name)); }
    static QFileDialog* dialog(const QWidget& window) {
        QFileDialog* found = nullptr;
        [&] { QTRY_VERIFY((found = window.findChild<QFileDialog*>()) && found->isVisible()); }();
        return found;
    }
    // Answers Qt's dialog as a person would.
    static void type(QFileDialog& dialog, const QString& path) {
        auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        name->setText(path);
        QTest::keyClick(name, Qt::Key_Return);
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(bus().registerService(QStringLiteral("org.freedesktop.portal.Desktop")));
        QVERIFY(QDir(m_folder.path()).mkdir(QStringLiteral("sub")));
    }
    void init() {
        QSettings().clear();
        m_chooser.m_version = 3;
        m_chooser.response = 0;
        m_chooser.path = at("a name, with ä.csv");
        m_chooser.asked.clear();
        QVERIFY(bus().registerObject(QStringLiteral("/org/freedesktop/portal/desktop"), &m_chooser,
                                     QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllProperties));
    }
    void cleanup() { bus().unregisterObject(QStringLiteral("/org/freedesktop/portal/desktop")); }

    // Feature: file dialogs are the desktop's own where its portal has one, and begin in the folder used last.
    void theDesktopAsks_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("option"); // that is set
        QTest::newRow("a file") << int(FileQuestion::Kind::File) << "open" << "";
        QTest::newRow("files") << int(FileQuestion::Kind::Files) << "open" << "multiple";
        QTest::newRow("a folder") << int(FileQuestion::Kind::Folder) << "open" << "directory";
        QTest::newRow("a new file") << int(FileQuestion::Kind::NewFile) << "save" << "current_name";
    }
    void theDesktopAsks() {
        QFETCH(int, kind);
        QFETCH(QString, asked);
        QFETCH(QString, option);
        auto* portal = new FilePortal;
        ChosenFiles chosen;
        connect(portal, &FilePortal::answered, this, [&](const ChosenFiles& files) { chosen = files; });
        QSignalSpy answered(portal, &FilePortal::answered), gone(portal, &QObject::destroyed);
        portal->ask({.kind = static_cast<FileQuestion::Kind>(kind),
                     .title = QStringLiteral("Which?"),
                     .filters = {QStringLiteral("Tables (*.csv *.tsv)")},
                     .name = QStringLiteral("run.csv")},
                    m_folder.path(), {});
        QTRY_COMPARE(answered.count(), 1);
        QCOMPARE(chosen.paths, QStringList(m_chooser.path));
        QCOMPARE(m_chooser.asked, asked);
        QCOMPARE(m_chooser.title, QStringLiteral("Which?"));
        QCOMPARE(m_chooser.options[QStringLiteral("current_folder")].toByteArray(),
                 QFile::encodeName(m_folder.path()) + '\0');
        for (const char* each : {"multiple", "directory", "current_name"})
            QCOMPARE(m_chooser.options.contains(QLatin1String(each)), option == QLatin1String(each));
        QVERIFY(m_chooser.options.contains(QStringLiteral("filters")));
        QTRY_COMPARE(gone.count(), 1);
    }

    void whoCancelsChoosesNothing() {
        m_chooser.response = 1;
        auto* portal = new FilePortal;
        ChosenFiles chosen{{QStringLiteral("before")}, {}};
        connect(portal, &FilePortal::answered, this, [&](const ChosenFiles& files) { chosen = files; });
        portal->ask({}, m_folder.path(), {});
        QTRY_VERIFY(chosen.paths.isEmpty());
    }

    void aDesktopWithoutSuchADialogRefuses_data() {
        QTest::addColumn<bool>("present");
        QTest::addColumn<uint>("version");
        QTest::newRow("no dialogs") << false << 3u;
        QTest::newRow("none for folders") << true << 2u;
    }
    void aDesktopWithoutSuchADialogRefuses() {
        QFETCH(bool, present);
        QFETCH(uint, version);
        m_chooser.m_version = version;
        if (!present) cleanup();
        auto* portal = new FilePortal;
        QSignalSpy refused(portal, &FilePortal::refused);
        portal->ask({.kind = FileQuestion::Kind::Folder}, m_folder.path(), {});
        QTRY_COMPARE(refused.count(), 1);
        QVERIFY(m_chooser.asked.isEmpty());
    }

    void theNextQuestionBeginsInTheFolderUsedLast() {
        QWidget window;
        window.show();
        QString chosen;
        int closed = 0;
        const auto ask = [&](const FileQuestion& question) {
            askForFiles(&window, question, [&](const ChosenFiles& files) { chosen = files.path(); }, [&] { ++closed; });
        };
        ask({.kind = FileQuestion::Kind::NewFile,
             .filters = {QStringLiteral("CSV (*.csv)")},
             .name = QStringLiteral("run.csv")});
        QFileDialog* first = dialog(window);
        QCOMPARE(first->directory().absolutePath(), QDir::homePath());
        ask({}); // one at a time
        QCOMPARE(window.findChildren<QFileDialog*>().size(), 1);
        type(*first, at("sub/points")); // without its ending
        QTRY_COMPARE(closed, 1);
        QCOMPARE(chosen, at("sub/points.csv"));
        QCOMPARE(Settings::filesFolder.get(), at("sub"));
        QTRY_VERIFY(!window.findChild<QFileDialog*>());
        ask({.kind = FileQuestion::Kind::Files});
        QFileDialog* second = dialog(window);
        QCOMPARE(second->directory().absolutePath(), at("sub"));
        second->reject();
        QTRY_COMPARE(closed, 2);
        QCOMPARE(chosen, at("sub/points.csv"));
        QTRY_VERIFY(!window.findChild<QFileDialog*>());
        ask({.kind = FileQuestion::Kind::Folder, .folder = m_folder.path()}); // that of the field it is for
        QCOMPARE(dialog(window)->directory().absolutePath(), m_folder.path());
        dialog(window)->reject();
        QTRY_COMPARE(closed, 3);
    }

    // A file that this process closes loses all locks that it has on it, those of an open workspace among them.
    void qtsDialogOpensNoFile() {
        QFile held(at("held.db"));
        QVERIFY(held.open(QIODevice::ReadWrite) && held.write(QByteArray("SQLite format 3\0", 16)) == 16 &&
                held.flush());
        struct flock lock{};
        lock.l_type = F_WRLCK;
        QCOMPARE(::fcntl(held.handle(), F_SETLK, &lock), 0);
        struct stat file{};
        QCOMPARE(::fstat(held.handle(), &file), 0);
        const auto isLocked = [&] {
            QFile locks(QStringLiteral("/proc/locks"));
            return locks.open(QIODevice::ReadOnly) &&
                   locks.readAll().contains(":" + QByteArray::number(qulonglong(file.st_ino)) + " ");
        };
        QVERIFY(isLocked());
        QWidget window;
        window.show();
        int closed = 0;
        askForFiles(&window, {.folder = m_folder.path()}, [](const ChosenFiles&) {}, [&] { ++closed; });
        QFileDialog* shown = dialog(window);
        const auto* list = shown->findChild<QListView*>(QStringLiteral("listView"));
        const auto entry = [&] {
            const QModelIndex root = list->rootIndex();
            for (int row = 0; row < list->model()->rowCount(root); ++row)
                if (const QModelIndex each = list->model()->index(row, 0, root);
                    each.data().toString() == QLatin1String("held.db"))
                    return each;
            return QModelIndex();
        };
        QTRY_VERIFY(!entry().data(Qt::DecorationRole).value<QIcon>().isNull());
        const QString kind = entry().siblingAtColumn(2).data().toString(); // which Qt asks for in its own way
        QVERIFY(isLocked());
        QCOMPARE(kind, QString("DB"));
        const auto* details = shown->findChild<QTreeView*>(); // with whole dates
        const QString date = entry().siblingAtColumn(3).data().toString();
        QTRY_VERIFY2(details->header()->sectionSize(3) > details->fontMetrics().horizontalAdvance(date),
                     qPrintable(date));
        shown->reject();
        QTRY_COMPARE(closed, 1);
        QVERIFY(isLocked());
    }
};

TRAINYARD_TEST_MAIN(int argc, char** argv) { return trainyard::testing::runOnSessionBus<FileQuestionTest>(argc, argv); }
#include "file_question_test.moc"
