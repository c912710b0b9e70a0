// SPDX-License-Identifier: GPL-3.0-or-later
// Files of datasets, good and bad, written for the tests of their readers.
#pragma once

#include "tests/unit/file_bytes.h"

#include <QByteArray>
#include <QString>
#include <zlib.h>

#include <cstdio> // jpeglib.h uses FILE and does not include it
#include <jpeglib.h>
#include <png.h>
#include <vector>

namespace trainyard::tests {

inline QByteArray gzipped(const QByteArray& bytes) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    QByteArray packed(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(bytes.size())) + 32), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

// A PNG of one of libpng's simple formats (PNG_FORMAT_GRAY, _RGB, _GA, _RGBA, PNG_FORMAT_LINEAR_Y for 16 bits).
inline QByteArray pngOf(int width, int height, png_uint_32 format, const QByteArray& pixels) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = format;
    png_alloc_size_t size = 0;
    png_image_write_to_memory(&image, nullptr, &size, 0, pixels.constData(), 0, nullptr);
    QByteArray bytes(static_cast<qsizetype>(size), '\0');
    png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.constData(), 0, nullptr);
    bytes.resize(static_cast<qsizetype>(size));
    return bytes;
}

// A JPEG of pixels of one (grey), three (RGB) or four (CMYK) bytes.
inline QByteArray jpegOf(int width, int height, int channels, const QByteArray& pixels) {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = static_cast<JDIMENSION>(width);
    jpeg.image_height = static_cast<JDIMENSION>(height);
    jpeg.input_components = channels;
    jpeg.in_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 95, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        auto* row = reinterpret_cast<JSAMPROW>(const_cast<char*>(pixels.constData())) +
                    static_cast<std::size_t>(jpeg.next_scanline) * static_cast<std::size_t>(width * channels);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    const QByteArray result(reinterpret_cast<const char*>(bytes), static_cast<qsizetype>(size));
    jpeg_destroy_compress(&jpeg);
    std::free(bytes);
    return result;
}

// The first 33 bytes of a PNG: signature and header, with a right checksum, and no image behind them.
inline QByteArray pngHeader(quint32 width, quint32 height, char depth = 8, char colour = 2) {
    QByteArray chunk("IHDR");
    for (const quint32 side : {width, height})
        for (int shift = 24; shift >= 0; shift -= 8) chunk += static_cast<char>((side >> shift) & 255);
    chunk += depth;
    chunk += colour;
    chunk += QByteArray(3, '\0');
    const auto crc = static_cast<quint32>(
        crc32(0, reinterpret_cast<const Bytef*>(chunk.constData()), static_cast<uInt>(chunk.size())));
    QByteArray bytes = QByteArray::fromHex("89504e470d0a1a0a0000000d") + chunk;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>((crc >> shift) & 255);
    return bytes + QByteArray::fromHex("0000ffff49444154"); // where the pixels begin
}

} // namespace trainyard::tests
