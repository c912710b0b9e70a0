// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

namespace trainyard::ui {

// The meaning of one kind of marks or colours in a plot.
struct KeyEntry {
    enum Mark { Line, Cross, Ramp };
    Mark mark = Line;
    QString words;
    QColor color{};  // invalid for a ramp, which has the colours of quantities
    QString worst{}; // for a ramp: the name of its other end
};

// The key of a plot, in its upper right corner. Exports have a legend instead.
class KeyLayer final : public PlotLayer {
public:
    explicit KeyLayer(QList<KeyEntry> entries) : m_entries(std::move(entries)) {}
    void paint(QPainter& painter, const PlotFrame& frame) const override;

private:
    QList<KeyEntry> m_entries;
};

} // namespace trainyard::ui
