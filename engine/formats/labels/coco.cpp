// SPDX-License-Identifier: GPL-3.0-or-later
// The classes in the pictures of COCO's annotations: {"images": [{"id", "file_name"}], "categories": [{"id", "name"}],
// "annotations": [{"image_id", "category_id"}]}. Boxes, masks and all else are passed over while the text is read.
#include "engine/base/text/printable.h"
#include "engine/formats/labels/label_readers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace trainyard::formats {

namespace {

using nlohmann::json;

enum class Section { None, Images, Categories, Annotations };

struct Item {
    std::int64_t id = -1, image = -1, category = -1;
    std::string name;
};

// Depth 1 is the whole, 2 a section's array, 3 one of its objects.
class Reader : public nlohmann::json_sax<json> {
public:
    std::vector<Item> images, categories, annotations;
    bool sections = false; // there was one
    std::string problem;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t v) override { return number(v); }
    bool number_unsigned(number_unsigned_t v) override {
        return v <= INT64_MAX ? number(static_cast<std::int64_t>(v)) : true;
    }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t& v) override {
        if (m_depth == 3 && (m_key == "file_name" || m_key == "name")) m_item.name = v;
        return true;
    }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override {
        if (++m_depth == 3) m_item = {};
        return fits();
    }
    bool start_array(std::size_t) override {
        ++m_depth;
        return fits();
    }
    bool end_array() override {
        if (--m_depth == 1) m_section = Section::None;
        return true;
    }
    bool end_object() override {
        if (m_depth-- == 3 && m_section != Section::None) {
            auto& items = m_section == Section::Images       ? images
                          : m_section == Section::Categories ? categories
                                                             : annotations;
            if (items.size() >= 10 * kMaxLabelRows) return problem = "has too many entries", false;
            items.push_back(std::move(m_item));
        }
        return true;
    }
    bool key(string_t& name) override {
        m_key = name;
        if (m_depth != 1) return true;
        m_section = name == "images"        ? Section::Images
                    : name == "categories"  ? Section::Categories
                    : name == "annotations" ? Section::Annotations
                                            : Section::None;
        sections = sections || m_section != Section::None;
        return true;
    }
    bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception&) override {
        problem = "is not JSON at byte " + std::to_string(at);
        return false;
    }

private:
    bool fits() {
        if (m_depth <= 64) return true;
        problem = "is nested more than 64 deep";
        return false;
    }
    bool number(std::int64_t v) {
        if (m_depth != 3) return true;
        if (m_key == "id") m_item.id = v;
        if (m_key == "image_id") m_item.image = v;
        if (m_key == "category_id") m_item.category = v;
        return true;
    }

    int m_depth = 0;
    Section m_section = Section::None;
    std::string m_key;
    Item m_item;
};

} // namespace

Result<LabelTable> labelsOfCoco(std::string_view text, const std::string& name, const LabelOptions& options) {
    TY_TRY(checkClasses(name, options));
    Reader reader;
    if (!json::sax_parse(text.begin(), text.end(), &reader))
        return inputError(reader.problem, name, "correct the file, or write it again");
    if (!reader.sections || reader.images.empty() || reader.categories.empty())
        return inputError("has no \"images\", or no \"categories\", as COCO's annotations have", name,
                          "give COCO's instances file, or labels as JSON lines (.jsonl)");
    LabelTable table;
    table.name = name;
    std::unordered_map<std::int64_t, std::string> names;
    std::unordered_map<std::int64_t, std::size_t> places;
    std::sort(reader.categories.begin(), reader.categories.end(),
              [](const Item& a, const Item& b) { return a.id < b.id; });
    for (const Item& category : reader.categories) {
        if (category.name.empty() || !names.emplace(category.id, category.name).second)
            return inputError("the category " + std::to_string(category.id) + " has no name, or is there twice", name,
                              "correct \"categories\"");
        table.classes.push_back(category.name);
    }
    for (const Item& image : reader.images) {
        if (image.name.empty() || !places.emplace(image.id, table.rows.size()).second)
            return inputError("the image " + std::to_string(image.id) + " has no file_name, or is there twice", name,
                              "correct \"images\"");
        table.rows.push_back({.file = image.name, .words = {}, .numbers = {}, .part = {}, .line = 0});
    }
    for (const Item& annotation : reader.annotations) {
        const auto place = places.find(annotation.image);
        const auto word = names.find(annotation.category);
        if (place == places.end() || word == names.end())
            return inputError("an annotation is of the " +
                                  (place == places.end() ? "image " + std::to_string(annotation.image)
                                                         : "category " + std::to_string(annotation.category)) +
                                  ", which is not in the file",
                              name, "remove the annotation, or add what it is of");
        auto& words = table.rows[place->second].words;
        if (std::find(words.begin(), words.end(), word->second) == words.end()) words.push_back(word->second);
    }
    TY_TRY(checkRows(table));
    return table;
}

} // namespace trainyard::formats
