// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the source tree for the tests of its rules.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace trainyard::layers {

struct Include {
    QString name; // "engine/base/result.h", "torch/torch.h"
    int line = 0; // from 1
};

// The .h, .hpp and .cpp files of engine, remote, ui, app, tests and examples under `root`, relative to it, sorted.
QStringList sourceFiles(const QString& root);

// Names the text includes, in order; commented-out lines do not count.
QList<Include> includesOf(const QString& text);

// The whole file as text; fails the test program when it cannot be read, since a file not read is a rule not checked.
QString readText(const QString& path);

} // namespace trainyard::layers
