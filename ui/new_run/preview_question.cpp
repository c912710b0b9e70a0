// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/preview_question.h"

namespace trainyard::ui {

PreviewQuestion::PreviewQuestion(QObject* parent) : QObject(parent) {
    connect(&m_process, &PreviewProcess::arrived, this, &PreviewQuestion::arrived);
    connect(&m_process, &PreviewProcess::refused, this, [this](const Error& error, qint64 samples) {
        m_refusal = error;
        m_samples = samples;
        Q_EMIT refused();
    });
}

void PreviewQuestion::ask(spec::RunSpec run, const QString& checkpoint) {
    run.name.clear();
    const QString question = QString::fromStdString(spec::toJson(run));
    if (question == m_asked && checkpoint == m_checkpoint) return;
    m_asked = question;
    m_checkpoint = checkpoint;
    again();
}

void PreviewQuestion::again() {
    if (m_asked.isEmpty()) return;
    m_refusal.reset();
    Q_EMIT asked();
    m_process.ask(m_asked, m_checkpoint);
}

void PreviewQuestion::cancel() {
    m_process.cancel();
    m_asked.clear();
    m_refusal.reset();
}

} // namespace trainyard::ui
