// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/samples/asked_sample.h"
#include "ui/widgets/card.h"

#include <QTemporaryDir>

class QMimeData;
class QPushButton;
class QVBoxLayout;

namespace trainyard::ui {

class DropZone;
class Label;
class PredictionBars;
class UnitEdit;

// What a SampleCard says of itself.
struct SampleCardWords {
    QString title, choose, chooseName, filters; // the button that opens a file, and the files it offers
    QString typed, typedName;                   // the line for typed samples
};

// A card that takes a picture, a row or a text, dropped, pasted, typed or chosen, and shows what a model says of it.
class SampleCard : public Card {
    Q_OBJECT
public:
    // Uses dropped or pasted data.
    void take(const QMimeData& given);
    void paste();
    void choose();
    // Shows that droppable data is over the page.
    void setInviting(bool inviting);
    bool eventFilter(QObject* watched, QEvent* event) override;
    UnitEdit* edit() const { return m_edit; }
    PredictionBars* bars() const { return m_bars; }
    QString error() const;

protected:
    SampleCard(const SampleCardWords& words, QWidget* parent);

    // The model's task, if known: it decides how typed words are read.
    virtual std::optional<spec::TaskKind> task() const = 0;
    // A sample, or why what was given is none.
    virtual void takeSample(const Result<AskedSample>& sample) = 0;
    // Shows the sample's name and picture, whose answer is still to come.
    void showSample(const AskedSample& sample, const QImage& picture, const QString& caption);
    void clearSample();
    void fail(const QString& why); // empty: no failure
    DropZone* zone() const { return m_zone; }
    QPushButton* chooser() const { return m_chooser; }
    void addBelowBars(QWidget* widget);

private:
    QTemporaryDir m_pasted; // images from the clipboard
    QString m_filters;
    DropZone* m_zone;
    PredictionBars* m_bars;
    UnitEdit* m_edit;
    Label* m_error;
    QPushButton* m_chooser;
    QVBoxLayout* m_inside;
};

} // namespace trainyard::ui
