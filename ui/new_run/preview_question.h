// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "ui/models/new_run/preview.h"

namespace trainyard::ui {

// What a worker says of the run that is being set up: it is asked once for each state of the run.
class PreviewQuestion : public QObject {
    Q_OBJECT
public:
    explicit PreviewQuestion(QObject* parent = nullptr);

    // Nothing where it was asked just that; the name of the run does not count. `checkpoint`: the file that the run
    // begins with; empty: none.
    void ask(spec::RunSpec run, const QString& checkpoint = {});
    // The same once more: what it is about may be another one now.
    void again();
    // There is nothing to ask about now.
    void cancel();
    // Why the run that was asked for last would be refused, once that is known.
    const std::optional<Error>& refusal() const { return m_refusal; }
    // Of training, where it was refused although the data could be read; else 0.
    std::int64_t samples() const { return m_samples; }

Q_SIGNALS:
    // What was answered before is of another run.
    void asked();
    void arrived(const trainyard::ui::Preview& preview);
    void refused();

private:
    PreviewProcess m_process;
    QString m_asked, m_checkpoint;
    std::optional<Error> m_refusal;
    std::int64_t m_samples = 0;
};

} // namespace trainyard::ui
