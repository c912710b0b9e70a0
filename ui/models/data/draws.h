// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "ui/models/actions/answer_process.h"

#include <QImage>
#include <QTimer>

#include <optional>

namespace trainyard::ui {

// What a run's augmentation makes of its pictures, as `draws` of engine/torch/worker/ANSWER.md tells.
struct Draws {
    struct Label {
        QString name;
        double share = 0; // of what the sample is trained to be
    };
    struct Mixed {
        QImage picture;
        QList<Label> labels; // the largest share first
    };
    QImage picture; // one as it is stored
    QString label;
    bool changes = false;  // the run has augmentation at all
    QList<QImage> changed; // that picture, one draw each
    QList<Mixed> batch;    // of the first step, as the model is given it
};
Draws parseDraws(const QJsonObject& answer);

// Asks a worker that keeps the pictures in memory. One question at a time: of those that come meanwhile the last one
// is asked. GUI thread.
class DrawsQuestion : public QObject {
    Q_OBJECT
public:
    explicit DrawsQuestion(QObject* parent = nullptr);

    // Does nothing if the same was asked last.
    void ask(spec::RunSpec run);
    // The next one of the pictures.
    void askForNext();
    // Ends the worker.
    void cancel();
    bool isBusy() const { return m_isBusy || m_pause.isActive(); }

Q_SIGNALS:
    void arrived(const trainyard::ui::Draws& draws);
    void refused(const QString& why);

private:
    void send();

    AnswerProcess m_worker{nullptr, /*atOnce=*/true};
    QTimer m_pause;
    QString m_wanted, m_sent; // the run's JSON; empty: nothing
    int m_picture = 0, m_sentPicture = 0;
    bool m_isBusy = false;
};

} // namespace trainyard::ui
