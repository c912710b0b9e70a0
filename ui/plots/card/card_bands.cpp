// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/card/card_bands.h"

#include "ui/models/text/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard::ui {

CardBands::CardBands(const CardCurves& curves) {
    bool isAnyOneLine = false;
    for (const auto& curve : curves) {
        const CurveGroup& group = curve->style.group;
        isAnyOneLine = isAnyOneLine || group.isOneLine;
        if (!group.key.isEmpty() && (group.isOneLine || curve->pattern == 0)) add(curves, *curve, group);
    }
    std::erase_if(m_bands, [](const CardBand& band) { return band.runs.size() < 2; });
    if (!m_bands.empty() || isAnyOneLine) return;
    for (const auto& curve : curves)
        if (curve->pattern == 0) add(curves, *curve, {});
    std::erase_if(m_bands, [](const CardBand& band) { return band.runs.size() < 2; });
}

void CardBands::add(const CardCurves& curves, const CardCurve& curve, const CurveGroup& group) {
    if (curve.data->isEmpty()) return;
    auto at = std::find_if(m_bands.begin(), m_bands.end(), [&](const CardBand& band) {
        return band.group.key == group.key && band.pattern == curve.pattern;
    });
    if (at == m_bands.end()) {
        const bool isOneOfSeveral = curves.series().size() > 1 && !group.key.isEmpty();
        const QString name =
            isOneOfSeveral ? QStringLiteral("%1, %2").arg(group.name, seriesText(curve.series)) : group.name;
        at = m_bands.insert(m_bands.end(), CardBand{group, name, curve.pattern, {}, {}});
    }
    at->ids << curve.style.runId;
    at->runs.push_back({curve.data.get(), &curves.shown(curve)});
}

bool CardBands::hides(const CardCurve& curve) const {
    const CurveGroup& group = curve.style.group;
    return group.isOneLine && std::any_of(begin(), end(), [&](const CardBand& band) {
               return band.pattern == curve.pattern && band.group.key == group.key;
           });
}

std::vector<Band> CardBands::over(const ColumnGrid& grid) const {
    std::vector<Band> bands;
    for (const CardBand& band : m_bands) {
        const QColor color = band.group.key.isEmpty() ? QColor() : Theme::current().curve(band.group.color);
        bands.push_back({bandOver(band.runs, grid), band.name, color, band.ids, band.pattern, band.group.isOneLine});
    }
    return bands;
}

} // namespace trainyard::ui
