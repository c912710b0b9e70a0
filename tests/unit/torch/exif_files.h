// SPDX-License-Identifier: GPL-3.0-or-later
// Images that say how they are to be turned, as cameras write them.
#pragma once

#include <QByteArray>
#include <zlib.h>

namespace trainyard::tests {

inline QByteArray numberIn(int bytes, quint32 value, bool little) {
    QByteArray text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * (little ? i : bytes - 1 - i) & 0xff);
    return text;
}

// The block of a camera: a maker's field first, then the orientation, 1 to 8.
inline QByteArray exif(quint32 orientation, bool little = true, quint32 type = 3) {
    const auto entry = [&](quint32 tag, quint32 kind, quint32 value) {
        return numberIn(2, tag, little) + numberIn(2, kind, little) + numberIn(4, 1, little) +
               (kind == 3 ? numberIn(2, value, little) + numberIn(2, 0, little) : numberIn(4, value, little));
    };
    return QByteArray(little ? "II" : "MM") + numberIn(2, 42, little) + numberIn(4, 8, little) +
           numberIn(2, 2, little) + entry(0x010f, 4, 7) + entry(0x0112, type, orientation) + numberIn(4, 0, little);
}

inline QByteArray jpegWith(const QByteArray& jpeg, const QByteArray& block) { // APP1 before every other segment
    const QByteArray content = QByteArray("Exif\0\0", 6) + block;
    return jpeg.left(2) + "\xFF\xE1" + numberIn(2, static_cast<quint32>(content.size()) + 2, false) + content +
           jpeg.mid(2);
}

inline QByteArray pngWith(const QByteArray& png, const QByteArray& block) { // eXIf after the header
    const QByteArray chunk = "eXIf" + block;
    const auto* bytes = reinterpret_cast<const Bytef*>(chunk.constData());
    const auto check = static_cast<quint32>(::crc32(0, bytes, static_cast<uInt>(chunk.size())));
    return png.left(33) + numberIn(4, static_cast<quint32>(block.size()), false) + chunk + numberIn(4, check, false) +
           png.mid(33);
}

} // namespace trainyard::tests
