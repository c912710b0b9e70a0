// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/layers/source_tree.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

namespace trainyard::layers {

QStringList sourceFiles(const QString& root) {
    QStringList files;
    for (const char* folder : {"engine", "remote", "ui", "app", "tests", "examples"}) {
        QDirIterator walk(root + '/' + QLatin1String(folder), {"*.h", "*.hpp", "*.cpp"}, QDir::Files,
                          QDirIterator::Subdirectories);
        while (walk.hasNext()) files << QDir(root).relativeFilePath(walk.next());
    }
    files.sort();
    return files;
}

QList<Include> includesOf(const QString& text) {
    static const QRegularExpression pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
    QList<Include> includes;
    bool inComment = false;
    int number = 0;
    for (const QString& line : text.split('\n')) {
        ++number;
        if (inComment) {
            inComment = !line.contains("*/");
            continue;
        }
        if (line.trimmed().startsWith("/*")) inComment = !line.contains("*/");
        if (const auto match = pattern.match(line); match.hasMatch()) includes.append({match.captured(1), number});
    }
    return includes;
}

QString readText(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("%s: %s", qPrintable(path), qPrintable(file.errorString()));
    return QString::fromUtf8(file.readAll());
}

} // namespace trainyard::layers
