// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/decoders.h"

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
    Image image;
    std::vector<png_bytep> rows;

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

} // namespace

Result<Image> decodePng(std::span<const std::uint8_t> bytes) {
    Decoding decoding;
    decoding.bytes = bytes;
    decoding.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoding, onError, onWarning);
    decoding.info = decoding.png != nullptr ? png_create_info_struct(decoding.png) : nullptr;
    if (decoding.info == nullptr) return environmentError("not enough memory to read it");
    const auto damaged = [&] { return inputError("the PNG data is damaged: " + decoding.problem); };
    if (!readHeader(decoding)) return damaged();
    TY_TRY(checkImageSize(png_get_image_width(decoding.png, decoding.info),
                          png_get_image_height(decoding.png, decoding.info)));
    if (!prepare(decoding)) return damaged();
    Image& image = decoding.image;
    image.width = static_cast<int>(png_get_image_width(decoding.png, decoding.info));
    image.height = static_cast<int>(png_get_image_height(decoding.png, decoding.info));
    image.channels = png_get_channels(decoding.png, decoding.info);
    const std::size_t stride = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels);
    if ((image.channels != 1 && image.channels != 3) || png_get_rowbytes(decoding.png, decoding.info) != stride)
        return inputError("is a PNG image of an unknown kind");
    image.pixels.resize(stride * static_cast<std::size_t>(image.height));
    for (int y = 0; y < image.height; ++y)
        decoding.rows.push_back(image.pixels.data() + stride * static_cast<std::size_t>(y));
    if (!readPixels(decoding)) return damaged();
    return upright(std::move(image), orientationOf(decoding));
}

} // namespace trainyard::formats
