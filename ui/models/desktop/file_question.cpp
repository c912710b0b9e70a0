// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/desktop/file_question.h"

#include "ui/models/desktop/settings.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QFontMetrics>
#include <QHeaderView>
#include <QPointer>
#include <QRegularExpression>
#include <QTreeView>

#ifdef TRAINYARD_HAVE_DBUS
#include "ui/models/desktop/file_portal.h"
#endif

namespace trainyard::ui {

namespace {

using Kind = FileQuestion::Kind;

constexpr int kLetters = 105, kLines = 28; // that fit into Qt's dialog: its own size cuts the dates

QString firstFolder(const FileQuestion& question) {
    for (const QString& folder : {question.folder, Settings::filesFolder.get()})
        if (!folder.isEmpty() && QFileInfo(folder).isDir()) return QFileInfo(folder).absoluteFilePath();
    return QDir::homePath();
}

// "pdf" of "PDF (*.pdf)"; empty where a filter has several.
QString endingOf(const QString& filter) {
    static const QRegularExpression only(QStringLiteral(R"(\(\*\.([^ *]+)\)$)"));
    return only.match(filter).captured(1);
}

// A dialog that adds the ending has asked before it replaces a file; behind one that does not, a file stays.
QString withEnding(const QString& path, const QString& filter) {
    const QString ending = endingOf(filter);
    if (ending.isEmpty() || !QFileInfo(path).suffix().isEmpty()) return path;
    const QString whole = path + QLatin1Char('.') + ending;
    return QFileInfo::exists(whole) ? path : whole;
}

// A portal's dialog leaves the window free, where the same could be asked again.
QPointer<QObject>& openQuestion() {
    static QPointer<QObject> open;
    return open;
}

// Tells files by their names. Qt's own looks into them, and a process that closes a database has no locks on it any
// more, although SQLite goes on to read it: others then take away its log.
class ClosedFiles : public QFileIconProvider {
public:
    using QFileIconProvider::icon;
    QIcon icon(const QFileInfo& file) const override { return icon(file.isDir() ? Folder : File); }
    QString type(const QFileInfo& file) const override {
        return file.isDir() ? QFileIconProvider::type(file) : file.suffix().toUpper();
    }
};

// A question from its beginning to its end.
class Asking : public QObject {
public:
    Asking(QWidget* parent, const FileQuestion& question, std::function<void(const ChosenFiles&)> then,
           std::function<void()> closed)
        : QObject(parent), m_parent(parent), m_question(question), m_then(std::move(then)),
          m_closed(std::move(closed)) {}

    void begin() {
#ifdef TRAINYARD_HAVE_DBUS
        const QString platform = QGuiApplication::platformName();
        const bool onX11 = platform == QLatin1String("xcb");
        if (onX11 || platform.startsWith(QLatin1String("wayland"))) { // where people see a dialog of the desktop
            auto* portal = new FilePortal(this);
            connect(portal, &FilePortal::answered, this, &Asking::end);
            connect(portal, &FilePortal::refused, this, &Asking::askWithQt);
            const QString id = QString::number(m_parent->window()->winId(), 16);
            return portal->ask(m_question, firstFolder(m_question), onX11 ? QStringLiteral("x11:") + id : QString());
        }
#endif
        askWithQt();
    }

private:
    void askWithQt() {
        auto* dialog = new QFileDialog(m_parent->window(), m_question.title, firstFolder(m_question));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        static ClosedFiles icons; // the dialog does not own them
        dialog->setIconProvider(&icons);
        dialog->setFileMode(m_question.kind == Kind::Folder    ? QFileDialog::Directory
                            : m_question.kind == Kind::Files   ? QFileDialog::ExistingFiles
                            : m_question.kind == Kind::NewFile ? QFileDialog::AnyFile
                                                               : QFileDialog::ExistingFile);
        dialog->setOption(QFileDialog::ShowDirsOnly, m_question.kind == Kind::Folder);
        if (!m_question.filters.isEmpty()) dialog->setNameFilters(m_question.filters);
        if (m_question.kind == Kind::NewFile) {
            dialog->setAcceptMode(QFileDialog::AcceptSave);
            dialog->setDefaultSuffix(endingOf(m_question.filters.value(0)));
            connect(dialog, &QFileDialog::filterSelected, dialog,
                    [dialog](const QString& filter) { dialog->setDefaultSuffix(endingOf(filter)); });
            dialog->selectFile(m_question.name);
        }
        if (auto* details = dialog->findChild<QTreeView*>()) { // its own width cuts the dates beside free room
            constexpr int kDate = 3;
            details->header()->setSectionResizeMode(kDate, QHeaderView::ResizeToContents);
        }
        const QFontMetrics letters(dialog->font());
        dialog->resize(letters.averageCharWidth() * kLetters, letters.height() * kLines);
        connect(dialog, &QDialog::finished, this, [this, dialog](int result) {
            end(result == QDialog::Accepted ? ChosenFiles{dialog->selectedFiles(), dialog->selectedNameFilter()}
                                            : ChosenFiles{});
        });
        dialog->open();
    }

    void end(ChosenFiles chosen) {
        openQuestion().clear(); // what follows may ask again
        deleteLater();
        const auto closed = std::move(m_closed);
        const QPointer<QObject> here(this);
        if (m_question.kind == Kind::NewFile)
            for (QString& path : chosen.paths) path = withEnding(path, chosen.filter);
        if (!chosen.paths.isEmpty()) {
            const QFileInfo first(chosen.path());
            Settings::filesFolder.set(m_question.kind == Kind::Folder ? first.absoluteFilePath()
                                                                      : first.absolutePath());
            m_then(chosen);
        }
        if (here && closed) closed();
    }

    QWidget* m_parent;
    FileQuestion m_question;
    std::function<void(const ChosenFiles&)> m_then;
    std::function<void()> m_closed;
};

} // namespace

void askForFiles(QWidget* parent, const FileQuestion& question, std::function<void(const ChosenFiles&)> then,
                 std::function<void()> closed) {
    if (openQuestion()) return;
    auto* asking = new Asking(parent, question, std::move(then), std::move(closed));
    openQuestion() = asking;
    asking->begin();
}

} // namespace trainyard::ui
