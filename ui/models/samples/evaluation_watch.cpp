// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/samples/evaluation_watch.h"

#include "engine/run/record/run_folder.h"
#include "ui/models/desktop/background.h"

namespace trainyard::ui {

namespace {

constexpr int kLookMs = 500; // it is written at most four times a second

} // namespace

EvaluationWatch::EvaluationWatch(QObject* parent) : QObject(parent) {
    m_timer.setInterval(kLookMs);
    connect(&m_timer, &QTimer::timeout, this, &EvaluationWatch::look);
}

void EvaluationWatch::setRunFolder(const std::filesystem::path& folder) {
    const auto file = folder.empty() ? std::filesystem::path() : run::RunFolder{folder}.evaluationFile();
    if (file == m_file) return;
    m_file = file;
    m_stamp.reset();
    m_evaluations.reset();
    m_problem.clear();
    m_known = m_looking = false;
    look();
}

void EvaluationWatch::setLive(bool live) {
    if (live == m_timer.isActive()) return;
    if (live) m_timer.start();
    else m_timer.stop();
    look(); // the last validation may have arrived since the last check
}

void EvaluationWatch::look() {
    if (m_file.empty() || m_looking) return;
    m_looking = true;
    inBackground(
        this, [file = m_file, known = m_stamp] { return lookAt(file, known); },
        [this](Look look) {
            if (look.file == m_file) take(std::move(look));
        });
}

// Takes the time before reading the file: a file written in between is read once more.
EvaluationWatch::Look EvaluationWatch::lookAt(const std::filesystem::path& file, const std::optional<Stamp>& known) {
    Look look{file, std::nullopt, std::nullopt};
    std::error_code missing, unread;
    const Stamp stamp{std::filesystem::last_write_time(file, missing), std::filesystem::file_size(file, unread)};
    if (missing || unread) return look;
    look.stamp = stamp;
    if (known != stamp) look.evaluations = run::readEvaluations(file);
    return look;
}

void EvaluationWatch::take(Look look) {
    m_looking = false;
    const bool first = !std::exchange(m_known, true);
    const bool gone = !look.stamp && m_stamp;
    m_stamp = look.stamp;
    if (gone) m_evaluations.reset();
    if (look.evaluations) {
        const Result<run::EvaluationSet>& read = *look.evaluations;
        m_problem = read ? QString() : QString::fromStdString(read.error().text());
        m_evaluations = read ? std::make_shared<const run::EvaluationSet>(*read) : nullptr;
    }
    if (first || gone || look.evaluations) Q_EMIT changed();
}

} // namespace trainyard::ui
