// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/samples/prediction.h"
#include "ui/models/serve/service_caller.h"
#include "ui/pages/shared/sample_card.h"

#include <array>

class QComboBox;

namespace trainyard::ui {

// "Try it": a picture, a row or a text, sent to the service over HTTP as any other program would, with the answer of
// its version, or of two side by side; and the same question as text for other programs.
class ServiceTrial : public SampleCard {
    Q_OBJECT
public:
    explicit ServiceTrial(QWidget* parent = nullptr);

    void setService(const serve::ServiceView& service);
    // The question as text: of the last sample, or of an example.
    QString asCurl() const;
    QString asPython() const;

Q_SIGNALS:
    void copied(const QString& told);

protected:
    std::optional<spec::TaskKind> task() const override;
    void takeSample(const Result<AskedSample>& sample) override;

private:
    void buildHeader();
    void askVersions();
    void answered(std::size_t which, Result<ServiceAnswer> answer);
    void showAnswers();
    static QString titleOf(const QString& version);
    QString model() const;
    std::array<QString, 2> versions() const;
    ServiceBody asked() const;

    ServiceCaller m_caller;
    std::optional<serve::ServiceView> m_service;
    std::optional<AskedSample> m_sample;
    std::array<QString, 2> m_asked; // versions; of the second, empty: none
    std::array<std::optional<Prediction>, 2> m_predictions;
    int m_question = 0; // answers to earlier ones are dropped
    QComboBox* m_model;
};

} // namespace trainyard::ui
