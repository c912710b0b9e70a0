// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/canvas/plot_layer.h"

namespace trainyard::ui {

// What one kind of marks or colours of a plot means.
struct KeyEntry {
    enum Mark { Line, Cross, Ramp };
    Mark mark = Line;
    QString words;
    QColor color{};  // of a ramp: none, it has those of quantities
    QString worst{}; // of a ramp: what its other end stands for
};

// The key of a plot, in its upper right corner. Exports have their legend.
class KeyLayer final : public PlotLayer {
public:
    explicit KeyLayer(QList<KeyEntry> entries) : m_entries(std::move(entries)) {}
    void paint(QPainter& painter, const PlotFrame& frame) const override;

private:
    QList<KeyEntry> m_entries;
};

} // namespace trainyard::ui
