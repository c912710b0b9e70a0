// SPDX-License-Identifier: GPL-3.0-or-later
// Files of settings: the first byte says which kind; what is set is found in them, and stays a file of that kind.
#include "engine/program/config/edit_config.h"
#include "engine/program/config/json_config.h"
#include "engine/program/config/toml_config.h"
#include "engine/program/config/yaml_config.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

#include <array>

using namespace trainyard;
using namespace trainyard::program;

namespace {

Result<ConfigNode> readAs(ConfigFormat format, std::string_view text) {
    switch (format) {
    case ConfigFormat::Yaml: return readYamlConfig(ConfigText(text, "file"));
    case ConfigFormat::Json: return readJsonConfig(ConfigText(text, "file"));
    case ConfigFormat::Toml: break;
    }
    return readTomlConfig(ConfigText(text, "file"));
}

// A value in one piece lies within what it is in.
std::size_t checked(const ConfigNode& node, std::size_t size) {
    std::size_t values = 1;
    const bool isSet = node.isOnePiece && node.kind != ConfigNode::Kind::Fixed;
    require(!isSet || (node.begin <= node.end && node.end <= size), "a value is in the file");
    for (const auto& child : node.children) {
        if (isSet && child.isOnePiece && child.kind != ConfigNode::Kind::Fixed)
            require(child.begin >= node.begin && child.end <= node.end, "a value is in its group");
        values += checked(child, size);
    }
    return values;
}

void setSome(ConfigFormat format, std::string_view text, const ConfigNode& node, const std::string& above) {
    int tries = 0;
    for (const auto& child : node.children) {
        if (++tries > 8) break;
        const auto name = above.empty() ? child.key : above + "." + child.key;
        const auto edited = withSettings(text, format, {{name, std::int64_t{7}}}, "file");
        if (edited) {
            require(readAs(format, *edited).ok(), "what was understood before is understood after");
            require(edited->find('7') != edited->npos, "the value is there");
        } else {
            require(!edited.error().message.empty() && !edited.error().remedy.empty(), "an error says what to do");
        }
        if (above.size() < 64) setSome(format, text, child, name);
    }
}

} // namespace

TRAINYARD_FUZZ_TARGET(data, size) {
    if (size == 0 || size > 4096) return 0;
    static constexpr std::array kFormats{ConfigFormat::Yaml, ConfigFormat::Json, ConfigFormat::Toml};
    const auto format = kFormats[data[0] % kFormats.size()];
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto root = readAs(format, text);
    if (!root) {
        require(!root.error().message.empty() && !root.error().remedy.empty(), "an error says what to do");
        return 0;
    }
    require(checked(*root, text.size()) <= 4 * kMostConfigValues, "there are not too many");
    setSome(format, text, *root, {});
    return 0;
}
