// SPDX-License-Identifier: GPL-3.0-or-later
// What the cards of the preview pane draw.
#pragma once

#include "ui/new_run/preview_pane.h"

namespace trainyard::ui {

void paintClasses(QPainter& painter, const QRectF& rect, const Preview& preview);
void paintSamples(QPainter& painter, const QRectF& rect, const Preview& preview);
void paintLayers(QPainter& painter, const QRectF& rect, const Preview& preview);
// The learning rate over the run, once for each trial.
void paintLearningRates(QPainter& painter, const QRectF& rect, const Preview& preview,
                        const QList<double>& learningRates, double base);
void paintChecks(QPainter& painter, const QRectF& rect, const QList<RunCheck>& checks);
// Words in the middle while nothing is known.
void paintWords(QPainter& painter, const QRectF& rect, const QString& words);

} // namespace trainyard::ui
