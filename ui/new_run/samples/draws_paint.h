// SPDX-License-Identifier: GPL-3.0-or-later
// The drawings of augmented pictures.
#pragma once

#include "ui/models/data/draws.h"

#include <QRectF>
#include <QStringList>

class QPainter;

namespace trainyard::ui {

// The picture as it is at the left, larger, and its draws beside it where the run changes it.
void paintDraws(QPainter& painter, const QRectF& rect, const Draws& draws);
// The room beside the picture.
QRectF besidePicture(const QRectF& rect, const Draws& draws);
// The pictures of a batch with their labels.
void paintBatch(QPainter& painter, const QRectF& rect, const Draws& draws);
// The place of each of them in a drawing of this size, from its top left.
QList<QRectF> batchAreas(const QSizeF& size, const Draws& draws);
// "class03 78 %" for each label.
QStringList labelLines(const Draws::Mixed& mixed);

} // namespace trainyard::ui
