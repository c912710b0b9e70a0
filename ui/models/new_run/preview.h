// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <QImage>
#include <QObject>
#include <QPointF>
#include <QSize>
#include <QStringList>
#include <QTimer>

#include <optional>

class QProcess;

namespace trainyard::ui {

// A preview of a run, from `trainyard-worker preview`.
struct Preview {
    struct Class {
        QString name;
        std::int64_t train = 0, validation = 0;
    };
    struct Layer {
        QString name, kind, shape;
        std::int64_t parameters = 0;
    };
    QString dataName, dataSource, dataShape;
    std::int64_t train = 0, validation = 0, test = 0; // samples
    QList<Class> classes;
    QString learned;          // in other tasks than classification: "2 targets", "41 tokens"
    QStringList learnedLines; // the targets with mean and spread
    QList<QImage> thumbnails;
    struct DataPoint {
        double x = 0, y = 0;
        int cls = 0;
    };
    QList<DataPoint> points; // of data with two features
    QStringList lines;       // of tables and texts: samples to read; cells of a table have tabs between them
    std::int64_t parameters = 0;
    QList<Layer> layers;
    // A part of the model that can be frozen, with the number of its parameters that are.
    struct Block {
        QString name;
        std::int64_t parameters = 0, frozen = 0;
        bool isFrozen() const { return frozen >= parameters; }
        bool isPartly() const { return frozen > 0 && frozen < parameters; }
    };
    QList<Block> blocks;
    QString head;      // its last layer; empty: it has none apart from the rest
    QSize pictureSize; // of most pictures of a folder, as they are stored; empty: unknown
    std::int64_t perRank = 0, workers = 0, accumulate = 0, global = 0, stepsPerEpoch = 0, totalSteps = 0, leftOut = 0;
    QList<QPointF> lr; // step, learning rate
    double bytesOfAll = 0, weightBytes = 0, datasetBytes = 0;
    // For a run that starts from a checkpoint: whether it fits; if not, the reason and the remedy.
    struct Checkpoint {
        bool fits = true;
        QString why, remedy;
        QString changed; // difference of the data from what the checkpoint was trained on; empty: none
    };
    std::optional<Checkpoint> checkpoint;
    // For a run that begins with weights of a file: how many of the model's tensors are in it, and what the last layer
    // takes of it ("new", "kept", "rows").
    struct Weights {
        std::int64_t tensors = 0, tensorsOfModel = 0, headRows = 0;
        QString head;
    };
    std::optional<Weights> weights;
    std::int64_t lost = 0; // skipped samples: rows with an empty cell, unreadable images
    QStringList notes;     // converted, skipped or filled-in data: sentences of the engine
};
std::optional<Preview> parsePreview(const QByteArray& json);

// Asks a worker for previews in the background; a new question cancels the old one. GUI thread.
class PreviewProcess : public QObject {
    Q_OBJECT
public:
    explicit PreviewProcess(QObject* parent = nullptr);
    ~PreviewProcess() override;

    // Asks after a short pause, so that typing does not start a process for each key. `checkpoint`: the file that the
    // run starts from; empty: none.
    void ask(const QString& runJson, const QString& checkpoint = {});
    void cancel();
    bool busy() const { return m_process != nullptr || m_pause.isActive(); }

Q_SIGNALS:
    void arrived(const trainyard::ui::Preview& preview);
    // The run would be refused, or there is no worker. `samples`: training samples, if the data could be read; else 0.
    void refused(const trainyard::Error& error, qint64 samples);

private:
    void start();
    void finished(int code);

    QTimer m_pause;
    QString m_question, m_checkpoint;
    QProcess* m_process = nullptr;
};

} // namespace trainyard::ui
