// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/images/decoders.h"

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <png.h>

namespace trainyard::formats {

namespace {

// Everything that must outlive a longjmp of libpng stands here, outside the frame that it leaves.
struct Decoding {
    std::span<const std::uint8_t> bytes;
    std::size_t at = 0;
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::string problem;
    Decoded& into;
    std::vector<png_bytep> rows;
    std::vector<std::uint8_t> line; // a whole row

    ~Decoding() { png_destroy_read_struct(&png, &info, nullptr); }
};

void onError(png_structp png, png_const_charp message) {
    static_cast<Decoding*>(png_get_error_ptr(png))->problem = message;
    std::longjmp(png_jmpbuf(png), 1);
}

void onWarning(png_structp, png_const_charp) {}

void onRead(png_structp png, png_bytep out, std::size_t size) {
    auto& decoding = *static_cast<Decoding*>(png_get_io_ptr(png));
    if (size > decoding.bytes.size() - decoding.at) png_error(png, "the data ends too soon");
    std::memcpy(out, decoding.bytes.data() + decoding.at, size);
    decoding.at += size;
}

// False after a longjmp. No object with a destructor may live in this frame.
bool readHeader(Decoding& decoding) {
    if (setjmp(png_jmpbuf(decoding.png)) != 0) return false;
    png_set_read_fn(decoding.png, &decoding, onRead);
    png_set_user_limits(decoding.png, 0x7fffffff, 0x7fffffff); // checked by checkImageSize, which says it better
    png_read_info(decoding.png, decoding.info);
    return true;
}

bool prepare(Decoding& decoding) {
    if (setjmp(png_jmpbuf(decoding.png)) != 0) return false;
    png_set_expand(decoding.png);
    png_set_scale_16(decoding.png);
    png_set_strip_alpha(decoding.png);
    png_set_interlace_handling(decoding.png);
    png_read_update_info(decoding.png, decoding.info);
    return true;
}

bool readPixels(Decoding& decoding) {
    if (setjmp(png_jmpbuf(decoding.png)) != 0) return false;
    png_read_image(decoding.png, decoding.rows.data());
    png_read_end(decoding.png, decoding.info);
    return true;
}

// Rows and columns of the window; what is below them is not read.
bool readWindow(Decoding& decoding) {
    if (setjmp(png_jmpbuf(decoding.png)) != 0) return false;
    Image& image = decoding.into.image;
    const Window& window = decoding.into.window;
    const std::size_t pixel = static_cast<std::size_t>(image.channels);
    const std::size_t stride = static_cast<std::size_t>(image.width) * pixel;
    const std::uint8_t* from = decoding.line.data() + static_cast<std::size_t>(window.left) * pixel;
    for (int y = 0; y < window.top + window.height; ++y) {
        png_read_row(decoding.png, decoding.line.data(), nullptr);
        if (y >= window.top)
            std::memcpy(image.pixels.data() + static_cast<std::size_t>(y - window.top) * stride, from, stride);
    }
    return true;
}

// The chunk may stand before the pixels or after them.
int orientationOf(const Decoding& decoding) {
#ifdef PNG_eXIf_SUPPORTED
    png_bytep block = nullptr;
    png_uint_32 size = 0;
    if (png_get_eXIf_1(decoding.png, decoding.info, &size, &block) != 0 && block != nullptr)
        return orientationIn({block, size});
#endif
    return 1;
}

// Whether a chunk of Exif comes after pixels.
bool tellsLater(std::span<const std::uint8_t> bytes) {
    bool pixels = false;
    for (std::size_t at = 8; at + 12 <= bytes.size();) {
        const std::size_t size = std::size_t{bytes[at]} << 24 | std::size_t{bytes[at + 1]} << 16 |
                                 std::size_t{bytes[at + 2]} << 8 | bytes[at + 3];
        const std::uint8_t* type = bytes.data() + at + 4;
        if (std::memcmp(type, "IDAT", 4) == 0) pixels = true;
        if (pixels && std::memcmp(type, "eXIf", 4) == 0) return true;
        at += size + 12;
    }
    return false;
}

} // namespace

Result<void> decodePng(std::span<const std::uint8_t> bytes, const ChooseWindow& choose, Decoded& into) {
    Decoding decoding{.bytes = bytes, .problem = {}, .into = into, .rows = {}, .line = {}};
    into.image.recovered = false;
    decoding.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoding, onError, onWarning);
    decoding.info = decoding.png != nullptr ? png_create_info_struct(decoding.png) : nullptr;
    if (decoding.info == nullptr) return environmentError("not enough memory to read it");
    const auto damaged = [&] { return inputError("the PNG data is damaged: " + decoding.problem); };
    if (!readHeader(decoding)) return damaged();
    TY_TRY(checkImageSize(png_get_image_width(decoding.png, decoding.info),
                          png_get_image_height(decoding.png, decoding.info)));
    if (!prepare(decoding)) return damaged();
    into.header = {static_cast<int>(png_get_image_width(decoding.png, decoding.info)),
                   static_cast<int>(png_get_image_height(decoding.png, decoding.info)), orientationOf(decoding)};
    const int channels = png_get_channels(decoding.png, decoding.info);
    const std::size_t stride = static_cast<std::size_t>(into.header.width) * static_cast<std::size_t>(channels);
    if ((channels != 1 && channels != 3) || png_get_rowbytes(decoding.png, decoding.info) != stride)
        return inputError("is a PNG image of an unknown kind");
    into.fullWidth = into.header.width;
    into.fullHeight = into.header.height;
    // One that is interlaced comes in passes; the block of Exif may stand behind the pixels.
    const bool byRows = png_get_interlace_type(decoding.png, decoding.info) == PNG_INTERLACE_NONE && !tellsLater(bytes);
    if (byRows) {
        into.window = choose(into.header);
        if (into.window.width < into.header.width || into.window.height < into.header.height) {
            beginWindow(into.window, channels, into);
            decoding.line.resize(stride);
            return readWindow(decoding) ? Result<void>() : damaged();
        }
    }
    beginWindow({0, 0, into.header.width, into.header.height, 1}, channels, into);
    for (int y = 0; y < into.header.height; ++y)
        decoding.rows.push_back(into.image.pixels.data() + stride * static_cast<std::size_t>(y));
    if (!readPixels(decoding)) return damaged();
    if (byRows) return {};
    into.header.orientation = orientationOf(decoding);
    choose(into.header);
    return {};
}

} // namespace trainyard::formats
