// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/evaluation.h"
#include "ui/models/samples/evaluation_choice.h"

#include <QAbstractListModel>
#include <QHash>
#include <QImage>
#include <QJsonObject>

namespace trainyard::ui {

// Samples that an evaluation names with the model's outputs, and, once the worker has sent them (`samples` of
// engine/torch/worker/ANSWER.md), their picture, values or text.
class SampleList : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        ImageRole = Qt::UserRole + 1, // a QImage; null: none, or not yet
        TextRole,                     // values or text of the sample
        PredictedRole,                // the prediction: "Coat", "4.2", "loss 3.1"
        ConfidenceRole,               // the probability of a class: "99.8%"; else nothing
        TruthRole                     // the true class or value
    };
    using QAbstractListModel::QAbstractListModel;

    // The samples of one evaluation. `of` names run and part; data of others is dropped.
    void setExamples(std::vector<run::Example> examples, const QStringList& classes, const QString& of);
    // Shown samples that were not requested yet; marks them as requested.
    std::vector<std::int64_t> wanted();
    // The worker's answer to a question for samples of `of`.
    void take(const QJsonObject& answer, const QString& of);
    // Requests missing samples again.
    void forgetMissing();

    const run::Example* at(int row) const;
    QImage imageAt(int row) const { return m_known.value(at(row) ? at(row)->index : -1).image; }
    QString of() const { return m_of; }
    bool hasImages() const { return m_images; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Known {
        QImage image;
        QString text;
        bool read = false; // false: requested
    };
    QString className(std::int64_t number) const;
    QString predicted(const run::Example& example) const;
    QString confidence(const run::Example& example) const;
    QString truth(const run::Example& example) const;
    QString tip(const run::Example& example) const;

    std::vector<run::Example> m_examples;
    QStringList m_classes;
    QString m_of;
    QHash<std::int64_t, Known> m_known; // by index in the part
    bool m_images = false;
};

} // namespace trainyard::ui
