// SPDX-License-Identifier: GPL-3.0-or-later
// What the cards of the preview pane draw.
#pragma once

#include "ui/new_run/run_checks.h"

namespace trainyard::ui {

void paintClasses(QPainter& painter, const QRectF& rect, const Preview& preview);
void paintSamples(QPainter& painter, const QRectF& rect, const Preview& preview);
void paintLayers(QPainter& painter, const QRectF& rect, const Preview& preview);
// The learning rate over the run, once for each trial.
void paintLearningRates(QPainter& painter, const QRectF& rect, const Preview& preview,
                        const QList<double>& learningRates, double base);
// Where each check stands in a card of this width: in two columns; one that is no plain "yes" and has no room there in
// lines of its own below them. The height of all is the bottom of the lowest.
QList<QRectF> checkAreas(qreal width, const QList<RunCheck>& checks);
// `detail` in full is what a check has no room for in its area.
bool isCheckCut(const RunCheck& check, const QRectF& area);
void paintChecks(QPainter& painter, const QRectF& rect, const QList<RunCheck>& checks);
// Words in the middle while nothing is known.
void paintWords(QPainter& painter, const QRectF& rect, const QString& words);

} // namespace trainyard::ui
