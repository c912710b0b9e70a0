// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/evaluation.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <optional>

namespace trainyard::ui {

// A run's evaluation.json, read again after every change. GUI thread; the file is read in the background.
class EvaluationWatch : public QObject {
    Q_OBJECT
public:
    explicit EvaluationWatch(QObject* parent = nullptr);

    // Selects the run; empty: none. Drops the data of the previous one.
    void setRunFolder(const std::filesystem::path& folder);
    // Checks the file every half second: for a training run that is shown.
    void setLive(bool live);
    // Checks the file now.
    void look();

    bool isKnown() const { return m_known; } // it has been checked
    // Null if the file is missing or unreadable.
    std::shared_ptr<const run::EvaluationSet> evaluations() const { return m_evaluations; }
    // Why the file is unreadable; empty if it is missing.
    QString problem() const { return m_problem; }

Q_SIGNALS:
    void changed();

private:
    // Identifies the version of the file that was read.
    struct Stamp {
        std::filesystem::file_time_type written{};
        std::uintmax_t bytes = 0;
        bool operator==(const Stamp&) const = default;
    };
    struct Look {
        std::filesystem::path file;
        std::optional<Stamp> stamp;                            // nothing: there is no file
        std::optional<Result<run::EvaluationSet>> evaluations; // nothing: unchanged since the last read
    };
    static Look lookAt(const std::filesystem::path& file, const std::optional<Stamp>& known);
    void take(Look look);

    std::filesystem::path m_file;
    std::optional<Stamp> m_stamp;
    std::shared_ptr<const run::EvaluationSet> m_evaluations;
    QString m_problem;
    QTimer m_timer;
    bool m_known = false, m_looking = false;
};

} // namespace trainyard::ui
