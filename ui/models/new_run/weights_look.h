// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"

#include <QObject>
#include <QStringList>

#include <optional>

class QProcess;

namespace trainyard::ui {

// The model of the catalog that a file of weights fits, from `trainyard-worker weights` (WEIGHTS.md).
struct FittingModel {
    spec::Choice model;
    int side = 0; // of the pictures that it is made for; 0: it is made for none
};
// Nothing where it fits none.
std::optional<FittingModel> readFittingModel(const QByteArray& json);

// Asks a worker about one file at a time, in the background; a new file drops the question before. GUI thread.
class WeightsLook : public QObject {
    Q_OBJECT
public:
    explicit WeightsLook(QObject* parent = nullptr);
    ~WeightsLook() override;

    // Empty: no file. Asks again only of another file.
    void ask(const QString& file);
    const std::optional<FittingModel>& found() const { return m_found; }

Q_SIGNALS:
    void changed();

private:
    void drop();

    QProcess* m_process = nullptr;
    QString m_file;
    std::optional<FittingModel> m_found;
};

} // namespace trainyard::ui
