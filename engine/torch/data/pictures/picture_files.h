// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures read from their files, each when it is wanted.
#pragma once

#include "engine/formats/folders/folder_names.h"
#include "engine/torch/data/pictures/sample_source.h"

#include <filesystem>
#include <memory>
#include <span>

namespace trainyard::data {

// What a picture is brought to: uint8 [channels, height, width].
struct PictureForm {
    int width = 32, height = 32, channels = 3;
    bool crop = true; // to the shape; else stretched
    std::int64_t bytes() const { return std::int64_t{width} * height * channels; }
};

// Decodes a file into `planes`, form.bytes() of them. `cut` may be null; else a random resized crop: a part of the
// picture of `cut->leastArea` to all of its area and 3/4 to 4/3 times as wide as high, as drawn (Szegedy et al., Going
// Deeper with Convolutions, 2014, arXiv:1409.4842, section 6). True: the file had errors that cost no pixel. Input: it
// cannot be decoded. Environment: it cannot be read.
Result<bool> readPicture(const std::filesystem::path& file, const PictureForm& form, const CutDraw* cut,
                         std::uint8_t* planes);

// The same of a whole file in memory, which `name` stands for.
Result<bool> decodePicture(std::span<const std::uint8_t> bytes, const std::string& name, const PictureForm& form,
                           std::uint8_t* planes);

// The part of a picture that is cut out, in pixels.
struct CutRect {
    int left = 0, top = 0, width = 0, height = 0;
    bool operator==(const CutRect&) const = default;
};
CutRect cutRect(const CutDraw& cut, int width, int height);

using PictureList = std::shared_ptr<const formats::FileNames>;

// The files themselves.
class PictureFiles final : public SampleSource {
public:
    PictureFiles(PictureList files, const PictureForm& form) : m_files(std::move(files)), m_form(form) {}

    std::int64_t count() const override { return static_cast<std::int64_t>(m_files->size()); }
    std::int64_t sampleBytes() const override { return m_form.bytes(); }
    Result<void> read(std::int64_t i, const CutDraw* cut, std::uint8_t* to) const override;
    std::string nameOf(std::int64_t i) const override;
    bool isResident() const override { return false; }

private:
    PictureList m_files;
    PictureForm m_form;
};

} // namespace trainyard::data
