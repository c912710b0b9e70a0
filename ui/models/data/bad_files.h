// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QImage>
#include <QList>
#include <QString>

#include <filesystem>

namespace trainyard::ui {

// A file of a dataset that cannot be read, and why.
struct BadFile {
    QString file, why;
    bool operator==(const BadFile&) const = default;
};

// What is wrong with the files of a run or of a folder.
struct BadFiles {
    static constexpr qsizetype kMost = 5000; // listed
    QList<BadFile> files;
    qsizetype count = 0;    // of all
    qsizetype pictures = 0; // of those that were looked at; 0: not known
    qsizetype twice = 0;    // the same bytes as another
    qsizetype leaks = 0;    // of those, in training and in validation or test
};

// The run's data-errors.jsonl (engine/run/record/data_file.h). Blocks. Input: a line is no object with "file" and
// "error", or the file is too large; the error names the line. Environment: it cannot be read.
Result<BadFiles> readDataErrors(const std::filesystem::path& file);
// The answer of `trainyard-worker data check` (engine/torch/worker/folder_report.h). Input: it is none.
Result<BadFiles> parseFolderCheck(const QByteArray& json);

// A picture of the file in a square of this side; null where nothing of it can be decoded. Blocks; any thread.
QImage thumbnailOf(const QString& file, int side);

} // namespace trainyard::ui
