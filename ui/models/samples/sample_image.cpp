// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/samples/sample_image.h"

#include <algorithm>

namespace trainyard::ui {

QImage imageOf(const QByteArray& pixels, int width, int height, int channels) {
    if (width <= 0 || height <= 0 || (channels != 1 && channels != 3) ||
        pixels.size() != static_cast<qsizetype>(width) * height * channels) {
        return {};
    }
    QImage image(width, height, channels == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
    const qsizetype stride = static_cast<qsizetype>(width) * channels;
    for (int y = 0; y < height; ++y)
        std::copy_n(pixels.constData() + y * stride, stride, reinterpret_cast<char*>(image.scanLine(y)));
    return image;
}

QImage imageOf(const QJsonObject& item, const QJsonObject& shape) {
    const auto pixels = QByteArray::fromBase64(item.value(QLatin1String("pixels")).toString().toLatin1());
    return imageOf(pixels, shape.value(QLatin1String("width")).toInt(), shape.value(QLatin1String("height")).toInt(),
                   shape.value(QLatin1String("channels")).toInt());
}

} // namespace trainyard::ui
