// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "ui/models/new_run/preview.h"
#include "ui/models/new_run/weights_look.h"

#include <QWidget>

class QPushButton;

namespace trainyard::ui {

class Label;
class LayerLocks;
class ParamField;

// What a model begins with, and what of it is trained: the fields of the weights, the model that a file fits, the parts
// of the model with their padlocks, and the quick head.
class WeightRows : public QWidget {
    Q_OBJECT
public:
    // Their paths in a run file, in the order of the fields.
    static QStringList paths();
    // `catalog` outlives it.
    WeightRows(const spec::Catalog& catalog, const QList<ParamField*>& fields, QWidget* parent = nullptr);

    // The part with the fields and padlocks, which may be hidden, and whether it must be shown.
    QWidget* foldable() const { return m_inner; }
    bool isNeeded() const;
    // The form as it was read last; `sweeping`: with fields that vary.
    void follow(const spec::RunSpec& spec, bool sweeping);
    // What a worker says of it; null: it refuses it, or was not asked.
    void setPreview(const Preview* preview);

    LayerLocks* locks() const { return m_locks; }
    QPushButton* quickHead() const { return m_quick; }
    QPushButton* offer() const { return m_take; }

Q_SIGNALS:
    // Another model and another side of the pictures, 0: as it is; without a name the same model.
    void offerTaken(const trainyard::spec::Choice& model, int side);
    void freezeChosen(const QString& globs);
    void quickHeadRequested();

private:
    void refresh();
    void refreshOffer();
    const FittingModel* offered() const;
    void take();
    bool hasUsualSize() const; // that of the dataset's defaults, which nobody has chosen
    bool hasLargePictures() const;
    bool differs(const FittingModel& found) const;

    const spec::Catalog& m_catalog;
    QList<ParamField*> m_fields;
    spec::RunSpec m_spec;
    bool m_sweeping = false;
    std::optional<Preview> m_preview;
    WeightsLook m_look;
    QWidget *m_inner, *m_offer, *m_lockRow, *m_quickRow;
    Label* m_words;
    QPushButton *m_take, *m_size, *m_quick;
    LayerLocks* m_locks;
};

} // namespace trainyard::ui
