// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QJsonObject>

namespace trainyard::ui {

// Grey or RGB bytes, row by row, channels last, as engine/torch/worker/PREVIEW.md describes `pixels`. Null when they
// do not have that size.
QImage imageOf(const QByteArray& pixels, int width, int height, int channels);
// The same from an object of that document: `item` holds "pixels" in base64, `shape` "width", "height", "channels".
QImage imageOf(const QJsonObject& item, const QJsonObject& shape);

} // namespace trainyard::ui
