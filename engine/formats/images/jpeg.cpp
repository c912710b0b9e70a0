// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/images/decoders.h"

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
constexpr std::int64_t kMaxScannedPixels = std::int64_t{1} << 32; // in all passes
constexpr int kMoreColumns = 8;
constexpr int kExifMarker = JPEG_APP0 + 1, kLongestMarker = 0xFFFF;
constexpr std::array<std::uint8_t, 6> kExifName{'E', 'x', 'i', 'f', 0, 0};

// Everything that must outlive a longjmp stands here, outside the frame that it leaves.
struct Decoding {
    Decoded& into;
    jpeg_decompress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    std::jmp_buf jump{};
    std::array<char, JMSG_LENGTH_MAX> problem{};
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
    of(jpeg).into.image.recovered = true;
}

void onProgress(j_common_ptr common) {
    if (common->is_decompressor == 0) return;
    const auto* jpeg = reinterpret_cast<j_decompress_ptr>(common);
    const std::int64_t pixels = std::int64_t{jpeg->image_width} * jpeg->image_height;
    if (jpeg->input_scan_number <= kMaxScans && jpeg->input_scan_number * pixels <= kMaxScannedPixels) return;
    common->err->msg_code = JERR_BAD_PROGRESSION;
    onError(common);
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

// The window is cut to blocks; the decoder smooths colours over the edge of blocks, so it is given a few columns more.
bool start(Decoding& decoding) {
    if (setjmp(decoding.jump) != 0) return false;
    jpeg_decompress_struct& jpeg = decoding.jpeg;
    if (jpeg.jpeg_color_space == JCS_GRAYSCALE) jpeg.out_color_space = JCS_GRAYSCALE;
    else if (jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK) jpeg.out_color_space = JCS_CMYK;
    else jpeg.out_color_space = JCS_RGB;
    jpeg.scale_num = 1;
    jpeg.scale_denom = static_cast<unsigned>(decoding.into.window.shrink);
    jpeg_start_decompress(&jpeg);
    decoding.into.fullWidth = static_cast<int>(jpeg.output_width);
    decoding.into.fullHeight = static_cast<int>(jpeg.output_height);
    Window& window = decoding.into.window;
    if (window.width < decoding.into.fullWidth) {
        JDIMENSION left = static_cast<JDIMENSION>(std::max(0, window.left - kMoreColumns));
        const int end = std::min(decoding.into.fullWidth, window.left + window.width + kMoreColumns);
        JDIMENSION width = static_cast<JDIMENSION>(end) - left;
        jpeg_crop_scanline(&jpeg, &left, &width);
        window.left = static_cast<int>(left);
        window.width = static_cast<int>(width);
    }
    return true;
}

// Adobe's programs, which write nearly all of these files, store the inks inverted.
void inksToRgb(const Decoding& decoding, std::uint8_t* rgb) {
    const bool inverted = decoding.jpeg.saw_Adobe_marker != 0;
    for (int x = 0; x < decoding.into.image.width; ++x) {
        const std::uint8_t* ink = decoding.inks.data() + 4 * x;
        const auto light = [&](int k) { return inverted ? int{ink[k]} : 255 - int{ink[k]}; };
        for (int c = 0; c < 3; ++c) rgb[3 * x + c] = static_cast<std::uint8_t>((light(c) * light(3) + 127) / 255);
    }
}

bool readPixels(Decoding& decoding) {
    if (setjmp(decoding.jump) != 0) return false;
    jpeg_decompress_struct& jpeg = decoding.jpeg;
    Image& image = decoding.into.image;
    const std::size_t stride = static_cast<std::size_t>(image.width * image.channels);
    const auto top = static_cast<JDIMENSION>(decoding.into.window.top);
    const JDIMENSION end = top + static_cast<JDIMENSION>(image.height);
    if (top > 0) jpeg_skip_scanlines(&jpeg, top);
    while (jpeg.output_scanline < end) {
        std::uint8_t* row = image.pixels.data() + stride * (jpeg.output_scanline - top);
        JSAMPROW target = decoding.inks.empty() ? row : decoding.inks.data();
        if (jpeg_read_scanlines(&jpeg, &target, 1) == 1 && !decoding.inks.empty()) inksToRgb(decoding, row);
    }
    if (end < jpeg.output_height) jpeg_abort_decompress(&jpeg);
    else jpeg_finish_decompress(&jpeg);
    return true;
}

// Before anything is reserved: one that asks for passes over all of it keeps its coefficients in memory.
Result<void> checkHeader(const jpeg_decompress_struct& jpeg) {
    TY_TRY(checkImageSize(jpeg.image_width, jpeg.image_height));
    const int components = jpeg.num_components;
    if (components != 1 && components != 3 && components != 4)
        return inputError("is a JPEG image of " + std::to_string(components) + " colours");
    return {};
}

} // namespace

Result<void> decodeJpeg(std::span<const std::uint8_t> bytes, const ChooseWindow& choose, Decoded& into) {
    Decoding decoding{.into = into, .inks = {}};
    into.image.recovered = false;
    decoding.jpeg.err = jpeg_std_error(&decoding.errors);
    decoding.errors.error_exit = onError;
    decoding.errors.emit_message = onMessage;
    decoding.progress.progress_monitor = onProgress;
    decoding.jpeg.client_data = &decoding;
    const auto damaged = [&] {
        return inputError(std::string("the JPEG data is damaged: ") + decoding.problem.data());
    };
    if (!readHeader(decoding, bytes)) return damaged();
    TY_TRY(checkHeader(decoding.jpeg));
    into.header = {static_cast<int>(decoding.jpeg.image_width), static_cast<int>(decoding.jpeg.image_height),
                   orientationOf(decoding.jpeg), /*shrinks=*/true};
    into.window = choose(into.header);
    if (!start(decoding)) return damaged();
    const int components = decoding.jpeg.output_components;
    beginWindow(into.window, components == 1 ? 1 : 3, into);
    if (components == 4) decoding.inks.resize(4u * static_cast<std::size_t>(into.image.width));
    if (!readPixels(decoding)) return damaged();
    return {};
}

} // namespace trainyard::formats
