// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs of a card have a mean with a band.
#pragma once

#include "ui/plots/card/card_curves.h"
#include "ui/plots/layers/band_layer.h"

namespace trainyard::ui {

// The runs of one group in a card, with the values that are drawn of one series.
struct CardBand {
    CurveGroup group{}; // without a key: all runs of the card
    QString name{};     // of the group, and of the series if the card has several; empty: all runs
    int pattern = 0;
    QStringList ids{};
    std::vector<BandRun> runs{}; // at least two
};

// The bands of a card, in the order of their first curves.
class CardBands {
public:
    CardBands() = default;
    // Groups that are one line have a band for each series; runs alone in their group stay themselves. Other groups
    // have one for the first series. Where no two runs are of one group, all are.
    explicit CardBands(const CardCurves& curves);

    auto begin() const { return m_bands.begin(); }
    auto end() const { return m_bands.end(); }
    bool isEmpty() const { return m_bands.empty(); }
    // Whether a mean is drawn instead of this curve.
    bool hides(const CardCurve& curve) const;
    // The bands at the edges of the grid's columns.
    std::vector<Band> over(const ColumnGrid& grid) const;

private:
    void add(const CardCurves& curves, const CardCurve& curve, const CurveGroup& group);

    std::vector<CardBand> m_bands;
};

} // namespace trainyard::ui
