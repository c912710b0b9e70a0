// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/protocol/predict_body.h"

#include "engine/base/json_text.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/utf8.h"
#include "engine/formats/csv.h"
#include "engine/spec/run/check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace trainyard::serve {

namespace {

constexpr std::size_t kMostInputs = 4096; // rows or texts of one request

// What a body is, by its Content-Type. Unsaid: what programs send that say nothing, such as curl --data-binary.
enum class BodyKind { Unsaid, Picture, Csv, Tsv, Text, Json, Other };

std::string mediaType(std::string_view contentType) {
    std::string type(contentType.substr(0, contentType.find(';')));
    while (!type.empty() && type.back() == ' ') type.pop_back();
    std::transform(type.begin(), type.end(), type.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return type;
}

BodyKind bodyKindOf(std::string_view contentType) {
    const std::string type = mediaType(contentType);
    if (type.empty() || type == "application/x-www-form-urlencoded") return BodyKind::Unsaid;
    if (type.starts_with("image/") || type == "application/octet-stream") return BodyKind::Picture;
    if (type == "text/csv") return BodyKind::Csv;
    if (type == "text/tab-separated-values") return BodyKind::Tsv;
    if (type == "text/plain") return BodyKind::Text;
    if (type == "application/json") return BodyKind::Json;
    return BodyKind::Other;
}

bool takes(InputKind kind, BodyKind body) {
    if (body == BodyKind::Unsaid) return kind != InputKind::Tensor;
    switch (kind) {
    case InputKind::Image: return body == BodyKind::Picture;
    case InputKind::Row: return body == BodyKind::Csv || body == BodyKind::Tsv || body == BodyKind::Json;
    case InputKind::Text: return body == BodyKind::Text || body == BodyKind::Json;
    case InputKind::Tensor: break;
    }
    return false;
}

const char* wantedTypes(InputKind kind) {
    switch (kind) {
    case InputKind::Image: return "send a picture as image/png, image/jpeg or application/octet-stream";
    case InputKind::Row: return "send rows as application/json or text/csv";
    case InputKind::Text: return "send a text as text/plain or application/json";
    case InputKind::Tensor: break;
    }
    return "send tensors to /v2/models/NAME/infer";
}

// One value of the query, checked and as JSON has it.
struct ParameterRow {
    std::string_view name;
    double least, most;
    bool whole;
};
constexpr ParameterRow kParameters[] = {
    {"top", 1, 1000, true}, {"continue", 0, 10000, true}, {"temperature", 0, 10, false}, {"seed", 0, 9e15, true}};

Result<std::string> readParameters(std::string_view query) {
    Json parameters = Json::object();
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
        if (pair.empty()) continue;
        const std::string_view name = pair.substr(0, pair.find('='));
        const std::string_view value = name.size() < pair.size() ? pair.substr(name.size() + 1) : std::string_view();
        const std::string where = "?" + std::string(name);
        const auto* row = std::find_if(std::begin(kParameters), std::end(kParameters),
                                       [name](const ParameterRow& each) { return each.name == name; });
        if (row == std::end(kParameters))
            return inputError("there is no parameter " + spec::inQuotes(std::string(name)), "the part behind the ?",
                              "use top, continue, temperature or seed");
        double number = 0;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
        const bool fits = read.ec == std::errc() && read.ptr == value.data() + value.size() && number >= row->least &&
                          number <= row->most && (!row->whole || number == std::floor(number));
        if (!fits)
            return inputError(spec::inQuotes(std::string(value)) + " does not fit", where,
                              std::string("send a ") + (row->whole ? "whole " : "") + "number from " +
                                  spec::numberText(row->least) + " to " + spec::numberText(row->most));
        if (row->whole) parameters[std::string(name)] = static_cast<std::int64_t>(number);
        else parameters[std::string(name)] = number;
    }
    return jsonText(parameters);
}

std::vector<std::string> columnNames(const ModelSignature& signature) {
    std::vector<std::string> names;
    for (const ColumnSignature& each : signature.columns) names.push_back(each.name);
    return names;
}

Error missingColumn(const std::string& name, const std::string& where, const std::vector<std::string>& found) {
    const std::string near = nearestWord(name, found);
    return inputError("the column " + spec::inQuotes(name) + " is missing", where,
                      near.empty() ? "send every column that the model was trained with"
                                   : "is " + spec::inQuotes(near) + " meant? Name it as in training");
}

Error tooMany() {
    return inputError("there are more than " + std::to_string(kMostInputs) + " rows or texts", "body",
                      "send them in several requests");
}

// Where each column of the model stands in a record with these cells; nothing where it has no header.
Result<std::optional<std::vector<std::size_t>>> headerOf(const std::vector<formats::CsvCell>& record,
                                                         const std::vector<std::string>& columns) {
    std::vector<std::string> cells;
    for (const formats::CsvCell& each : record) cells.push_back(each.text);
    const bool named = std::any_of(columns.begin(), columns.end(), [&cells](const std::string& column) {
        return std::find(cells.begin(), cells.end(), column) != cells.end();
    });
    if (!named && cells.size() == columns.size()) return std::optional<std::vector<std::size_t>>();
    std::vector<std::size_t> places;
    for (const std::string& each : columns) {
        const auto found = std::find(cells.begin(), cells.end(), each);
        if (found == cells.end()) return missingColumn(each, "body, line 1", cells);
        places.push_back(static_cast<std::size_t>(found - cells.begin()));
    }
    return std::optional(places);
}

Result<std::vector<std::vector<std::string>>> readCsv(const ModelSignature& signature, std::string_view text,
                                                      char separator) {
    TY_ASSIGN(auto reader, formats::CsvReader::ofText(text, "body", separator));
    std::vector<std::vector<std::string>> rows;
    std::vector<formats::CsvCell> record;
    const auto columns = columnNames(signature);
    std::vector<std::size_t> places;
    for (bool isFirst = true;; isFirst = false) {
        TY_ASSIGN(const bool more, reader.next(record));
        if (!more) break;
        if (isFirst) {
            TY_ASSIGN(const auto header, headerOf(record, columns));
            for (std::size_t i = 0; !header && i < columns.size(); ++i) places.push_back(i);
            if (header) {
                places = *header;
                continue;
            }
        }
        if (rows.size() == kMostInputs) return tooMany();
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (places[i] >= record.size())
                return inputError("the cell of " + spec::inQuotes(columns[i]) + " is missing", reader.position(),
                                  "send as many cells in each line as in the first");
            const formats::CsvCell& cell = record[places[i]];
            row.push_back(formats::standsForMissing(cell) ? std::string() : cell.text);
        }
    }
    if (rows.empty()) return inputError("there is no row", "body", "send at least one line of values");
    return rows;
}

Result<std::string> cellOf(const Json& value, const std::string& where) {
    if (value.is_null()) return std::string();
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number() || value.is_boolean()) return jsonText(value);
    return inputError("a cell is a number, a text, true, false or null", where,
                      "send none that is a list or an object");
}

Result<std::vector<std::string>> rowOf(const Json& json, const std::vector<std::string>& columns,
                                       const std::string& where) {
    std::vector<std::string> row;
    if (json.is_array() && json.size() == columns.size()) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            TY_ASSIGN(row.emplace_back(), cellOf(json[i], where + "[" + std::to_string(i) + "]"));
        }
        return row;
    }
    if (!json.is_object())
        return inputError("a row is an object of its columns, or a list of as many cells", where,
                          "send {\"COLUMN\": value, …} with " + spec::joined(columns));
    for (const std::string& each : columns) {
        const auto found = json.find(each);
        if (found == json.end()) {
            std::vector<std::string> names;
            for (auto it = json.begin(); it != json.end(); ++it) names.push_back(it.key());
            return missingColumn(each, where, names);
        }
        TY_ASSIGN(row.emplace_back(), cellOf(*found, where + "." + each));
    }
    return row;
}

// The list that a body means, and what each of its elements is called in errors.
const Json* listIn(const Json& json, const char* key, std::string& where) {
    where = key;
    if (json.is_object() && json.contains(key)) return &json[key];
    where = "body";
    return json.is_array() ? &json : nullptr;
}

Result<void> readJsonRows(const ModelSignature& signature, const Json& json, PredictRequest& request) {
    const auto columns = columnNames(signature);
    std::string where;
    const Json* list = listIn(json, "rows", where);
    if (!list) {
        TY_ASSIGN(request.rows.emplace_back(), rowOf(json, columns, "body"));
        return {};
    }
    if (!list->is_array() || list->empty()) return inputError("it is no list of rows", where, "send at least one row");
    if (list->size() > kMostInputs) return tooMany();
    for (std::size_t i = 0; i < list->size(); ++i) {
        TY_ASSIGN(request.rows.emplace_back(), rowOf((*list)[i], columns, where + "[" + std::to_string(i) + "]"));
    }
    return {};
}

Result<void> readJsonTexts(const Json& json, PredictRequest& request) {
    const auto add = [&request](const Json& value, const std::string& where) -> Result<void> {
        if (!value.is_string()) return inputError("it is no text", where, "send {\"text\": \"…\"}");
        request.texts.push_back(value.get<std::string>());
        return {};
    };
    std::string where;
    if (json.is_string()) return add(json, "body");
    if (json.is_object() && json.contains("text")) return add(json["text"], "text");
    const Json* list = listIn(json, "texts", where);
    if (!list || !list->is_array() || list->empty())
        return inputError("there is no text", "body", "send {\"text\": \"…\"} or {\"texts\": [\"…\"]}");
    if (list->size() > kMostInputs) return tooMany();
    for (std::size_t i = 0; i < list->size(); ++i) TY_TRY(add((*list)[i], where + "[" + std::to_string(i) + "]"));
    return {};
}

Result<void> readJson(const ModelSignature& signature, std::string_view text, PredictRequest& request) {
    const Json json = parseJson(text);
    if (json.is_discarded()) return inputError("it is no JSON", "body", wantedTypes(signature.kind));
    if (signature.kind == InputKind::Row) return readJsonRows(signature, json, request);
    return readJsonTexts(json, request);
}

Result<void> readText(std::string_view text, PredictRequest& request) {
    if (const std::size_t bad = firstNotUtf8(text); bad != std::string_view::npos)
        return inputError("it is no UTF-8", "body, byte " + std::to_string(bad), "send the text in UTF-8");
    request.texts.emplace_back(text);
    return {};
}

} // namespace

int predictStatus(const ModelSignature& signature, std::string_view contentType) {
    return takes(signature.kind, bodyKindOf(contentType)) ? 0 : 415;
}

Result<PredictRequest> readPredict(const ModelSignature& signature, std::string_view contentType,
                                   std::string_view query, std::span<const std::byte> body) {
    BodyKind kind = bodyKindOf(contentType);
    if (!takes(signature.kind, kind))
        return inputError("the model takes none of " + spec::inQuotes(mediaType(contentType)), "Content-Type",
                          wantedTypes(signature.kind));
    PredictRequest request;
    request.kind = signature.kind;
    TY_ASSIGN(request.parameters, readParameters(query));
    const std::string_view text(reinterpret_cast<const char*>(body.data()), body.size());
    if (body.empty()) return inputError("the body is empty", "body", wantedTypes(signature.kind));
    if (signature.kind == InputKind::Image) {
        request.image = body;
        return request;
    }
    if (kind == BodyKind::Unsaid) {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        const bool isJson = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
        if (signature.kind == InputKind::Row) kind = isJson ? BodyKind::Json : BodyKind::Csv;
        else kind = BodyKind::Text;
    }
    if (kind == BodyKind::Csv || kind == BodyKind::Tsv) {
        TY_ASSIGN(request.rows, readCsv(signature, text, kind == BodyKind::Tsv ? '\t' : '\0'));
    } else if (kind == BodyKind::Json) {
        TY_TRY(readJson(signature, text, request));
    } else {
        TY_TRY(readText(text, request));
    }
    return request;
}

} // namespace trainyard::serve
