// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"
#include "ui/series/run_band.h"

namespace trainyard::ui {

// The mean of a group of runs and their standard deviation.
struct Band {
    std::vector<BandPoint> points{};
    QString name{}; // in a legend; empty: "mean ± std of 3 runs"
    QColor color{}; // invalid: grey
    QStringList runs{};
    int pattern = 0;        // of the mean's line
    bool isOneLine = false; // the mean stands for the runs: it is bold, and goes on where only one run has a value
};

// The mean of each group of runs as a line, and one standard deviation to either side as an area. An area has a gap
// where fewer than two runs have a value.
class BandLayer final : public PlotLayer {
public:
    explicit BandLayer(std::vector<Band> bands) : m_bands(std::move(bands)) {}

    const std::vector<Band>& bands() const { return m_bands; }
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    QList<LegendEntry> legend(const Theme& theme) const override;

private:
    std::vector<Band> m_bands;
};

} // namespace trainyard::ui
