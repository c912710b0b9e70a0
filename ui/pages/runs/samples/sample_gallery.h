// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/actions/answer_process.h"
#include "ui/models/samples/asked_sample.h"
#include "ui/models/samples/sample_list.h"
#include "ui/widgets/card.h"

class QListView;
class QToolButton;

namespace trainyard::ui {

class Label;

// The content of the gallery.
struct GalleryContent {
    QString title{}; // "Most wrong"
    QString note{};
    bool filtered = false; // by a cell or a class; the user can clear it
    std::vector<run::Example> examples{};
    QStringList classes{};
    QString run{}; // its id
    DataPart part = DataPart::Validation;
    QString checkpoint{}; // a checkpoint that can show the samples' images; empty: there is none
};

// Samples of an evaluation with their predictions, largest loss first: images side by side, rows and texts below one
// another.
class SampleGallery : public Card {
    Q_OBJECT
public:
    explicit SampleGallery(AnswerProcess& worker, QWidget* parent = nullptr);

    void setContent(GalleryContent content);
    const SampleList& samples() const { return m_samples; }
    QListView* view() const { return m_view; }

Q_SIGNALS:
    void filterCleared();
    void chosen(const trainyard::ui::AskedSample& sample); // clicked, or Enter pressed on it

private:
    void arrange();
    void askForSamples();
    void tell(const QModelIndex& index);

    AnswerProcess& m_worker;
    SampleList m_samples;
    GalleryContent m_content;
    QListView* m_view;
    QToolButton* m_filter;
    Label* m_problem;
};

} // namespace trainyard::ui
