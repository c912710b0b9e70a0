// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/decoders.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio> // jpeglib.h uses FILE and does not include it
#include <jerror.h>
#include <jpeglib.h>

namespace trainyard::formats {

namespace {

// A progressive image may ask for any number of passes over all of it.
constexpr int kMaxScans = 200;
constexpr int kExifMarker = JPEG_APP0 + 1, kLongestMarker = 0xFFFF;
constexpr std::array<std::uint8_t, 6> kExifName{'E', 'x', 'i', 'f', 0, 0};

// Everything that must outlive a longjmp stands here, outside the frame that it leaves.
struct Decoding {
    jpeg_decompress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    std::jmp_buf jump{};
    std::array<char, JMSG_LENGTH_MAX> problem{};
    Image image;
    std::vector<std::uint8_t> inks; // one row of cyan, magenta, yellow, black

    ~Decoding() { jpeg_destroy_decompress(&jpeg); }
};

Decoding& of(j_common_ptr jpeg) { return *static_cast<Decoding*>(jpeg->client_data); }

void onError(j_common_ptr jpeg) {
    jpeg->err->format_message(jpeg, of(jpeg).problem.data());
    std::longjmp(of(jpeg).jump, 1);
}

// What is wrong with a file although every pixel is there: bytes that no decoder needs, a header that says too much.
bool losesNothing(int message) {
    return message == JWRN_EXTRANEOUS_DATA || message == JWRN_TOO_MUCH_DATA || message == JWRN_JFIF_MAJOR ||
           message == JWRN_ADOBE_XFORM || message == JWRN_NOT_SEQUENTIAL;
}

// Negative levels are warnings: mostly of damage that the library would paint over.
void onMessage(j_common_ptr jpeg, int level) {
    if (level >= 0) return;
    if (!losesNothing(jpeg->err->msg_code)) onError(jpeg);
    of(jpeg).image.recovered = true;
}

void onProgress(j_common_ptr jpeg) {
    if (jpeg->is_decompressor != 0 && reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number > kMaxScans) {
        jpeg->err->msg_code = JERR_BAD_PROGRESSION;
        onError(jpeg);
    }
}

// False after a longjmp. No object with a destructor may live in these frames.
bool readHeader(Decoding& decoding, std::span<const std::uint8_t> bytes) {
    if (setjmp(decoding.jump) != 0) return false;
    jpeg_create_decompress(&decoding.jpeg);
    decoding.jpeg.client_data = &decoding;
    decoding.jpeg.progress = &decoding.progress;
    jpeg_mem_src(&decoding.jpeg, bytes.data(), bytes.size());
    jpeg_save_markers(&decoding.jpeg, kExifMarker, kLongestMarker);
    jpeg_read_header(&decoding.jpeg, TRUE);
    return true;
}

int orientationOf(const jpeg_decompress_struct& jpeg) {
    for (const auto* marker = jpeg.marker_list; marker != nullptr; marker = marker->next) {
        const std::span<const std::uint8_t> bytes(marker->data, marker->data_length);
        if (marker->marker == kExifMarker && bytes.size() > kExifName.size() &&
            std::equal(kExifName.begin(), kExifName.end(), bytes.begin()))
            return orientationIn(bytes.subspan(kExifName.size()));
    }
    return 1;
}

bool start(Decoding& decoding) {
    if (setjmp(decoding.jump) != 0) return false;
    jpeg_decompress_struct& jpeg = decoding.jpeg;
    if (jpeg.jpeg_color_space == JCS_GRAYSCALE) jpeg.out_color_space = JCS_GRAYSCALE;
    else if (jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK) jpeg.out_color_space = JCS_CMYK;
    else jpeg.out_color_space = JCS_RGB;
    jpeg_start_decompress(&jpeg);
    return true;
}

// Adobe's programs, which write nearly all of these files, store the inks inverted.
void inksToRgb(const Decoding& decoding, std::uint8_t* rgb) {
    const bool inverted = decoding.jpeg.saw_Adobe_marker != 0;
    for (int x = 0; x < decoding.image.width; ++x) {
        const std::uint8_t* ink = decoding.inks.data() + 4 * x;
        const auto light = [&](int k) { return inverted ? int{ink[k]} : 255 - int{ink[k]}; };
        for (int c = 0; c < 3; ++c) rgb[3 * x + c] = static_cast<std::uint8_t>((light(c) * light(3) + 127) / 255);
    }
}

bool readPixels(Decoding& decoding) {
    if (setjmp(decoding.jump) != 0) return false;
    const std::size_t stride = static_cast<std::size_t>(decoding.image.width * decoding.image.channels);
    while (decoding.jpeg.output_scanline < decoding.jpeg.output_height) {
        std::uint8_t* row = decoding.image.pixels.data() + stride * decoding.jpeg.output_scanline;
        JSAMPROW target = decoding.inks.empty() ? row : decoding.inks.data();
        if (jpeg_read_scanlines(&decoding.jpeg, &target, 1) == 1 && !decoding.inks.empty()) inksToRgb(decoding, row);
    }
    jpeg_finish_decompress(&decoding.jpeg);
    return true;
}

} // namespace

Result<Image> decodeJpeg(std::span<const std::uint8_t> bytes) {
    Decoding decoding;
    decoding.jpeg.err = jpeg_std_error(&decoding.errors);
    decoding.errors.error_exit = onError;
    decoding.errors.emit_message = onMessage;
    decoding.progress.progress_monitor = onProgress;
    decoding.jpeg.client_data = &decoding;
    const auto damaged = [&] {
        return inputError(std::string("the JPEG data is damaged: ") + decoding.problem.data());
    };
    if (!readHeader(decoding, bytes)) return damaged();
    TY_TRY(checkImageSize(decoding.jpeg.image_width, decoding.jpeg.image_height));
    if (!start(decoding)) return damaged();
    Image& image = decoding.image;
    image.width = static_cast<int>(decoding.jpeg.output_width);
    image.height = static_cast<int>(decoding.jpeg.output_height);
    const int components = decoding.jpeg.output_components;
    if (components != 1 && components != 3 && components != 4)
        return inputError("is a JPEG image of " + std::to_string(components) + " colours");
    image.channels = components == 1 ? 1 : 3;
    if (components == 4) decoding.inks.resize(4u * static_cast<std::size_t>(image.width));
    image.pixels.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) *
                        static_cast<std::size_t>(image.channels));
    const int orientation = orientationOf(decoding.jpeg);
    if (!readPixels(decoding)) return damaged();
    return upright(std::move(image), orientation);
}

} // namespace trainyard::formats
