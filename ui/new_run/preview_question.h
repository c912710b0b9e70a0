// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "ui/models/new_run/preview.h"

namespace trainyard::ui {

// A worker's verdict on the run in the sheet: asked once for each state of the run.
class PreviewQuestion : public QObject {
    Q_OBJECT
public:
    explicit PreviewQuestion(QObject* parent = nullptr);

    // Does nothing if the last question was the same; the run's name does not count. `checkpoint`: the file that the
    // run starts from; empty: none.
    void ask(spec::RunSpec run, const QString& checkpoint = {});
    // Asks the same again: the data may have changed.
    void again();
    // There is nothing to ask about now.
    void cancel();
    // The reason that the worker would refuse the last run asked about, once known.
    const std::optional<Error>& refusal() const { return m_refusal; }
    // Number of training samples if the run was refused although its data could be read; else 0.
    std::int64_t samples() const { return m_samples; }

Q_SIGNALS:
    // Discards earlier answers, which belong to another run.
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
