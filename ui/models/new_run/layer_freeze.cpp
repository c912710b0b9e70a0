// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/new_run/layer_freeze.h"

#include "engine/spec/run/parameter_globs.h"

#include <algorithm>

namespace trainyard::ui {

QString freezeWith(const QString& globs, const QList<Preview::Block>& blocks, const QString& head, const QString& name,
                   bool frozen) {
    const QString body = QStringLiteral("body");
    const auto isOfHead = [&](const QString& block) {
        return !head.isEmpty() && (block == head || block.startsWith(head + QLatin1Char('.')));
    };
    QStringList names;
    bool isBody = !head.isEmpty();
    for (const auto& block : blocks) {
        const bool isFrozen = block.name == name ? frozen : block.isFrozen();
        if (isFrozen) names << block.name;
        isBody = isBody && isFrozen == !isOfHead(block.name);
    }
    if (isBody) return body;
    // A glob that freezes some parameters of another part stays.
    for (const QString& each : globs.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString glob = each.trimmed();
        const auto means = [&](const QString& block) {
            return spec::meansParameter(glob.toStdString(), block.toStdString());
        };
        const bool isOfWhole = glob.isEmpty() || glob == body ||
                               std::any_of(blocks.begin(), blocks.end(), [&](const auto& b) { return means(b.name); });
        const bool isOfThis = glob.startsWith(name + QLatin1Char('.')) || means(name);
        const bool isOfSome = std::any_of(blocks.begin(), blocks.end(), [](const auto& b) { return b.isPartly(); });
        if (!isOfWhole && !isOfThis && isOfSome) names << glob;
    }
    return names.join(QStringLiteral(", "));
}

} // namespace trainyard::ui
