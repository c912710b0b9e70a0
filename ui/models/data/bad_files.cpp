// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/data/bad_files.h"

#include "engine/base/files/atomic_file.h"

#include <QImageReader>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace trainyard::ui {

namespace {

constexpr std::size_t kLargestList = 64u << 20;
constexpr int kLargestSide = 20000; // of a picture that is decoded for a thumbnail

bool isBadFile(const QJsonValue& value, const char* why, BadFile& bad) {
    const auto object = value.toObject();
    const auto file = object.value(QLatin1String("file")), reason = object.value(QLatin1String(why));
    bad = {file.toString(), reason.toString()};
    return file.isString() && reason.isString() && !bad.file.isEmpty();
}

void add(BadFiles& all, BadFile bad) {
    ++all.count;
    if (all.files.size() < BadFiles::kMost) all.files << std::move(bad);
}

} // namespace

Result<BadFiles> readDataErrors(const std::filesystem::path& file) {
    TY_ASSIGN(const std::string text, readFile(file, kLargestList));
    BadFiles all;
    int number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const auto line = QByteArray::fromRawData(text.data() + at, static_cast<qsizetype>(end - at)).trimmed();
        at = end + 1;
        ++number;
        if (line.isEmpty()) continue;
        BadFile bad;
        if (!isBadFile(QJsonDocument::fromJson(line).object(), "error", bad))
            return inputError("is no object with \"file\" and \"error\"",
                              file.string() + ", line " + std::to_string(number),
                              "the run writes the list anew at its next start");
        add(all, std::move(bad));
    }
    return all;
}

Result<BadFiles> parseFolderCheck(const QByteArray& json) {
    const auto root = QJsonDocument::fromJson(json).object();
    BadFiles all;
    bool isCheck = root.value(QLatin1String("bad")).isArray() && root.value(QLatin1String("pictures")).isDouble();
    for (const auto& each : root.value(QLatin1String("bad")).toArray()) {
        BadFile bad;
        isCheck = isCheck && isBadFile(each, "why", bad);
        add(all, std::move(bad));
    }
    if (!isCheck) return inputError("is no answer of a check", "the worker's answer");
    all.pictures = root.value(QLatin1String("pictures")).toInteger();
    all.twice = root.value(QLatin1String("twiceCount")).toInteger();
    all.leaks = root.value(QLatin1String("leaks")).toInteger();
    return all;
}

QImage thumbnailOf(const QString& file, int side) {
    QImageReader reader(file);
    reader.setDecideFormatFromContent(true);
    reader.setAutoTransform(true);
    const QSize size = reader.size();
    if (size.width() > kLargestSide || size.height() > kLargestSide) return {};
    if (size.isValid()) reader.setScaledSize(size.scaled(side, side, Qt::KeepAspectRatio).expandedTo({1, 1}));
    const QImage image = reader.read();
    return image.isNull() ? image : image.scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

} // namespace trainyard::ui
