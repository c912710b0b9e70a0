// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/samples/prediction.h"
#include "ui/models/serve/service_caller.h"
#include "ui/widgets/card.h"

#include <QTemporaryDir>

#include <array>

class QComboBox;
class QMimeData;
class QVBoxLayout;

namespace trainyard::ui {

class DropZone;
class Label;
class PredictionBars;
class UnitEdit;

// "Try it": a picture, a row or a text, sent to the service over HTTP as any other program would, with the answer of
// its version, or of two side by side; and the same question as text for other programs.
class ServiceTrial : public Card {
    Q_OBJECT
public:
    explicit ServiceTrial(QWidget* parent = nullptr);

    void setService(const serve::ServiceView& service);
    // Uses dropped or pasted data.
    void take(const QMimeData& given);
    void paste();
    void choose();
    void setInviting(bool inviting); // droppable data is over the page
    bool eventFilter(QObject* watched, QEvent* event) override;
    // The question as text: of the last sample, or of an example.
    QString asCurl() const;
    QString asPython() const;
    UnitEdit* edit() const { return m_edit; }
    const PredictionBars* bars() const { return m_bars; }
    QString error() const;

Q_SIGNALS:
    void copied(const QString& told);

private:
    void build();
    void buildHeader();
    void take(const Result<AskedSample>& sample);
    void askVersions();
    void answered(std::size_t which, Result<ServiceAnswer> answer);
    void showAnswers();
    static QString titleOf(const QString& version);
    void fail(const QString& why);
    std::optional<spec::TaskKind> task() const;
    QString model() const;
    std::array<QString, 2> versions() const;
    ServiceBody asked() const;

    ServiceCaller m_caller;
    QTemporaryDir m_pasted; // images from the clipboard
    std::optional<serve::ServiceView> m_service;
    std::optional<AskedSample> m_sample;
    std::array<QString, 2> m_asked; // versions; of the second, empty: none
    std::array<std::optional<Prediction>, 2> m_predictions;
    int m_question = 0; // answers to earlier ones are dropped
    QComboBox* m_model;
    DropZone* m_zone;
    PredictionBars* m_bars;
    UnitEdit* m_edit;
    Label* m_error;
};

} // namespace trainyard::ui
