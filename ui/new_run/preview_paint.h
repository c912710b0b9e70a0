// SPDX-License-Identifier: GPL-3.0-or-later
// The drawings of the preview pane's cards.
#pragma once

#include "ui/new_run/run_checks.h"

namespace trainyard::ui {

void paintClasses(QPainter& painter, const QRectF& rect, const Preview& preview);
void paintSamples(QPainter& painter, const QRectF& rect, const Preview& preview);
void paintLayers(QPainter& painter, const QRectF& rect, const Preview& preview);
// The learning rate over the run, once for each trial.
void paintLearningRates(QPainter& painter, const QRectF& rect, const Preview& preview,
                        const QList<double>& learningRates, double base);
// The place of each check in a card of this width: in two columns; a check other than a plain "yes" that does not fit
// gets its own lines below. The total height is the bottom of the lowest.
QList<QRectF> checkAreas(qreal width, const QList<RunCheck>& checks);
// The full `detail` of a check, if it does not fit into its area.
bool isCheckCut(const RunCheck& check, const QRectF& area);
void paintChecks(QPainter& painter, const QRectF& rect, const QList<RunCheck>& checks);
// Text in the middle while nothing is known.
void paintWords(QPainter& painter, const QRectF& rect, const QString& words);

} // namespace trainyard::ui
