// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QTest>

#include <filesystem>

namespace trainyard::tests {

// Makes the folder, too; a failure fails the test.
inline void writeBytes(const std::filesystem::path& path, QByteArrayView bytes) {
    std::filesystem::create_directories(path.parent_path());
    QFile file(QString::fromStdString(path.string()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes.data(), bytes.size()), bytes.size());
}
inline void writeBytes(const QString& path, QByteArrayView bytes) {
    writeBytes(std::filesystem::path(path.toStdString()), bytes);
}

// Empty where there is no file.
inline QByteArray bytesOf(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace trainyard::tests
