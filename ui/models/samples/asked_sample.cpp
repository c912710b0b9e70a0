// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/samples/asked_sample.h"

#include "ui/models/text/format.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QMimeData>
#include <QRegularExpression>
#include <QUrl>

namespace trainyard::ui {

namespace {

constexpr qint64 kLargestTable = 1 << 20; // bytes: the worker predicts every row, the window shows one
constexpr qsizetype kShownText = 60;      // characters

struct AskWords {
    Q_DECLARE_TR_FUNCTIONS(Samples)
};

Error refused(const QString& what, const QString& where, const QString& remedy) {
    return inputError(what.toStdString(), where.toStdString(), remedy.toStdString());
}

AskedSample asked(const QString& input, const QString& title) {
    return {input, title.size() <= kShownText ? title : title.left(kShownText) + QChar(0x2026)};
}

bool isRow(const QString& text) {
    static const QRegularExpression kNumbers(
        QStringLiteral(R"(^[-+]?[0-9.]+([eE][-+]?[0-9]+)?([\s,;]+[-+]?[0-9.]+([eE][-+]?[0-9]+)?)*$)"));
    return kNumbers.match(text).hasMatch();
}

// "1 2;3" as "1,2,3"
QString rowInput(const QString& text) {
    static const QRegularExpression kBetween(QStringLiteral(R"([\s,;]+)"));
    return QStringLiteral("row:") + text.split(kBetween, Qt::SkipEmptyParts).join(QLatin1Char(','));
}

// "red; 0,5" as row:red,"0,5": cells of a table, words among them. Between tabs and semicolons a comma is a decimal
// one.
QString cellsInput(const QString& text) {
    const QChar between = text.contains(QLatin1Char('\t'))  ? QLatin1Char('\t')
                          : text.contains(QLatin1Char(';')) ? QLatin1Char(';')
                                                            : QLatin1Char(',');
    QStringList cells;
    for (const QString& cell : text.split(between)) {
        const QString bare = cell.trimmed();
        const bool holdsComma = bare.contains(QLatin1Char(',')) && !bare.startsWith(QLatin1Char('"'));
        cells << (holdsComma ? QLatin1Char('"') + bare + QLatin1Char('"') : bare);
    }
    return QStringLiteral("row:") + cells.join(QLatin1Char(','));
}

} // namespace

Result<AskedSample> sampleOfFile(const QString& path) {
    const QFileInfo file(path);
    if (file.isDir())
        return refused(AskWords::tr("is a folder"), path,
                       AskWords::tr("choose one image; for a folder, use trainyardctl predict"));
    if (!file.exists())
        return refused(AskWords::tr("does not exist"), path, AskWords::tr("choose a PNG, JPEG or CSV file"));
    if (!file.isReadable())
        return refused(AskWords::tr("cannot be read"), path,
                       AskWords::tr("change its permissions, or choose another file"));
    if (file.suffix().compare(QLatin1String("csv"), Qt::CaseInsensitive) == 0 && file.size() > kLargestTable)
        return refused(AskWords::tr("is larger than 1 MiB; only its first row is shown here"), path,
                       AskWords::tr("paste one row, or use trainyardctl predict"));
    return asked(file.absoluteFilePath(), file.fileName());
}

Result<AskedSample> sampleOfText(const QString& typed, std::optional<spec::TaskKind> task) {
    static const QRegularExpression kSample(QStringLiteral("^(data:)?(train|validation|test)/([0-9]+)$"));
    const QString text = typed.trimmed();
    if (text.isEmpty())
        return refused(AskWords::tr("nothing was entered"), {}, AskWords::tr("enter an image, a row or a text"));
    if (const auto sample = kSample.match(text); sample.hasMatch()) {
        const QString name = sample.captured(2) + QLatin1Char('/') + sample.captured(3);
        return asked(QStringLiteral("data:") + name, name);
    }
    const QUrl url(text);
    if (url.isLocalFile()) return sampleOfFile(url.toLocalFile());
    const QString path = text.startsWith(QLatin1String("~/")) ? QDir::homePath() + text.mid(1) : text;
    const bool oneLine = !text.contains(QLatin1Char('\n')) && text.size() < 4096;
    if (oneLine && QDir::isAbsolutePath(path) && QFileInfo::exists(path)) return sampleOfFile(path);
    if (text.startsWith(QLatin1String("row:")) || text.startsWith(QLatin1String("text:")))
        return asked(typed, text.mid(text.indexOf(QLatin1Char(':')) + 1));
    if (task == spec::TaskKind::Language) return asked(QStringLiteral("text:") + typed, typed);
    if (isRow(text)) return asked(rowInput(text), text);
    if (oneLine && QDir::isAbsolutePath(path)) return sampleOfFile(path); // reports that it does not exist
    static const QRegularExpression kBetweenCells(QStringLiteral("[,;\t]"));
    if (oneLine && text.contains(kBetweenCells)) return asked(cellsInput(text), text);
    return refused(AskWords::tr("is neither a file on this computer nor a row of numbers"),
                   QLatin1Char('"') + text.left(kShownText) + QLatin1Char('"'),
                   AskWords::tr("enter an image file, numbers such as 5.1, 3.5, or a sample such as validation/17"));
}

Result<AskedSample> sampleOfMime(const QMimeData& data, std::optional<spec::TaskKind> task, const QString& folder) {
    const QList<QUrl> urls = data.urls();
    for (const QUrl& url : urls)
        if (url.isLocalFile()) return sampleOfFile(url.toLocalFile());
    if (data.hasImage()) { // an image copied in another program
        const auto image = data.imageData().value<QImage>();
        static int number = 0;
        const QString path = QDir(folder).filePath(QStringLiteral("pasted-%1.png").arg(++number));
        if (!image.save(path))
            return environmentError("the image cannot be written", path.toStdString(), "free some space there");
        return asked(path, AskWords::tr("pasted image"));
    }
    if (!urls.isEmpty())
        return refused(AskWords::tr("is not a file on this computer"), urls.first().toDisplayString(),
                       AskWords::tr("save it and drop the file"));
    if (data.hasText()) return sampleOfText(data.text(), task);
    return refused(AskWords::tr("the clipboard holds neither an image nor text"), {},
                   AskWords::tr("copy an image, a row of numbers or a text"));
}

} // namespace trainyard::ui
