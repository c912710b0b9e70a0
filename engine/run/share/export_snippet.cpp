// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/export_snippet.h"

#include "engine/base/files/atomic_file.h"
#include "engine/base/json_text.h"
#include "engine/spec/run/task_kind.h"

#include <nlohmann/json.hpp>

namespace trainyard::run {
namespace {

using SnippetJson = nlohmann::json;
namespace fs = std::filesystem;

struct Facts {
    std::string file;         // name of the export, as a literal of both languages
    std::string shape;        // "1, 28, 28"
    std::string mean, stddev; // "0.2860"; empty when there are none
    std::string targetMean, targetStddev;
    std::string names; // "\"Ankle boot\", ..."
    std::string row;   // of a table: {"size": 0, "colour": "red"}; empty: there is none, or its columns have no names
    bool image = false, language = false, classes = false;
    bool shares = false; // each output by itself is between 0 and 1
    std::string tokens;
};

constexpr const char* kListWeights =
    "for name, tensor in weights.items():\n    print(name, tuple(tensor.shape), tensor.dtype)\n"
    "# model.load_state_dict(weights) fills a module with the same names\n";

// A row of a table as the numbers of its features (CHECKPOINT.md).
const std::string kEncodeRow = "def encoded(row):\n"
                               "    numbers = []\n"
                               "    for feature in json.loads(files[\"modelInfo.json\"])[\"table\"][\"features\"]:\n"
                               "        cell = row[feature[\"name\"]]\n"
                               "        if \"words\" in feature:\n"
                               "            place = feature[\"words\"].index(\"(missing)\" if cell is None else cell)\n"
                               "            numbers += [float(i == place) for i in range(len(feature[\"words\"]))]\n"
                               "        else:\n"
                               "            numbers.append(float(feature[\"fill\"] if cell is None else cell))\n"
                               "    return numbers\n\n\n";

// The tensors of `file` into `weights`.
const std::string kReadSafetensors =
    std::string("TYPES = {\"F64\": torch.float64, \"F32\": torch.float32, \"F16\": torch.float16, \"BF16\": "
                "torch.bfloat16,\n"
                "         \"I64\": torch.int64, \"I32\": torch.int32, \"U8\": torch.uint8, \"BOOL\": torch.bool}\n\n"
                "data = file.read_bytes()\n"
                "length, = struct.unpack_from(\"<Q\", data)\n"
                "header = json.loads(data[8:8 + length])\n"
                "weights = {}\n"
                "for name, entry in header.items():\n"
                "    if name != \"__metadata__\":\n"
                "        begin, end = (8 + length + at for at in entry[\"data_offsets\"])\n"
                "        tensor = torch.frombuffer(bytearray(data[begin:end]), dtype=TYPES[entry[\"dtype\"]])\n"
                "        weights[name] = tensor.reshape(entry[\"shape\"])\n\n") +
    kListWeights;

std::string literalOf(const std::string& text) { // of both languages
    return asciiJson(SnippetJson(text));
}

std::string joined(const SnippetJson& list) {
    std::string text;
    if (list.is_array())
        for (const auto& each : list) text += (text.empty() ? "" : ", ") + jsonText(each);
    return text;
}

std::string exampleRow(const SnippetJson& table) {
    if (!table.is_object() || table.value("hasHeader", SnippetJson()) != SnippetJson(true)) return {};
    std::string row;
    for (const auto& feature : table.value("features", SnippetJson::array())) {
        if (!feature.is_object() || !feature.contains("name")) return {};
        const SnippetJson words = feature.value("words", SnippetJson::array());
        row += (row.empty() ? "" : ", ") + asciiJson(feature["name"]) + ": " +
               (words.empty() ? "0" : asciiJson(words.front()));
    }
    return row.empty() ? row : '{' + row + '}';
}

Facts factsOf(const ExportedModel& exported) {
    const SnippetJson info = parseSortedJson(exported.modelInfo);
    Facts facts;
    facts.file = literalOf(exported.file.filename().string());
    if (!info.is_object()) return facts;
    const SnippetJson shape = info.value("sampleShape", SnippetJson::array());
    const std::string task = info.value("task", toString(spec::TaskKind::Classification));
    facts.shape = joined(shape);
    facts.mean = joined(info.value("mean", SnippetJson::array()));
    facts.stddev = joined(info.value("stddev", SnippetJson::array()));
    facts.targetMean = joined(info.value("targetMean", SnippetJson::array()));
    facts.targetStddev = joined(info.value("targetStddev", SnippetJson::array()));
    facts.names = joined(info.value("classNames", SnippetJson::array()));
    facts.row = exampleRow(info.value("table", SnippetJson::object()));
    facts.shares = exported.loss == "bce";
    facts.image = shape.size() == 3;
    facts.language = task == toString(spec::TaskKind::Language);
    facts.classes = task == toString(spec::TaskKind::Classification);
    facts.tokens = std::to_string(info.value("classes", std::int64_t{0}));
    return facts;
}

// The line that a user replaces by samples.
std::string pythonSample(const Facts& facts) {
    if (facts.image) return "sample = torch.zeros(1, " + facts.shape + ")  # pixels of 0 to 255\n";
    if (facts.row.empty())
        return "sample = torch.zeros(1, " + facts.shape + ", dtype=torch.float64)  # numbers as they are in the data\n";
    return kEncodeRow + "row = " + facts.row + "  # a cell for each column; None: it is missing\n" +
           "sample = torch.tensor([encoded(row)], dtype=torch.float64)\n";
}

std::string pythonModel(const Facts& facts) {
    std::string text = facts.row.empty() ? "model = torch.jit.load(folder / " + facts.file + ")\nmodel.eval()\n\n"
                                         : "files = {\"modelInfo.json\": \"\"}\nmodel = torch.jit.load(folder / " +
                                               facts.file + ", _extra_files=files)\nmodel.eval()\n\n";
    if (facts.language) {
        text += "tokens = torch.zeros(1, " + facts.shape + ", dtype=torch.int64)  # numbers of tokens, see `names`\n";
        text += "names = [" + facts.names + "]\n";
        return text + "with torch.no_grad():\n    print(model(tokens).softmax(-1)[0, -1])\n";
    }
    text += pythonSample(facts);
    if (!facts.mean.empty() && facts.image) {
        text += "mean, stddev = torch.tensor([" + facts.mean + "]), torch.tensor([" + facts.stddev + "])\n";
        text += "sample = (sample / 255 - mean[:, None, None]) / stddev[:, None, None]\n";
    } else if (!facts.mean.empty()) { // numbers far from 0 keep their digits in double precision
        text += "mean = torch.tensor([" + facts.mean + "], dtype=torch.float64)\n";
        text += "stddev = torch.tensor([" + facts.stddev + "], dtype=torch.float64)\n";
        text += "sample = (sample - mean) / stddev\n";
    }
    if (!facts.image) text += "sample = sample.float()\n";
    text += "with torch.no_grad():\n    outputs = model(sample)[0]\n";
    if (facts.shares) text += "outputs = outputs.sigmoid()\n";
    else if (facts.classes) text += "outputs = outputs.softmax(0)\n";
    if (!facts.targetMean.empty())
        text += "outputs = outputs.double() * torch.tensor([" + facts.targetStddev +
                "], dtype=torch.float64) + torch.tensor([" + facts.targetMean + "], dtype=torch.float64)\n";
    text += "names = [" + facts.names + "]\n";
    return text + "for name, value in zip(names, outputs.tolist()):\n    print(f\"{name}: {value:." +
           (facts.classes ? "4f" : "6g") + "}\")\n";
}

std::string pythonText(const ExportedModel& exported, const Facts& facts) {
    if (exported.format == "torchscript")
        return std::string(facts.row.empty() ? "" : "import json\n") +
               "import pathlib\n\nimport torch\n\nfolder = pathlib.Path(__file__).parent\n" + pythonModel(facts);
    if (exported.format == "state-dict")
        return "import pathlib\n\nimport torch\n\nfolder = pathlib.Path(__file__).parent\nweights = torch.load(folder "
               "/ " +
               facts.file + ", map_location=\"cpu\")\n" + kListWeights;
    return "import json\nimport pathlib\nimport struct\n\nimport torch\n\nfile = pathlib.Path(__file__).parent / " +
           facts.file + "\n" + kReadSafetensors;
}

std::string cppText(const ExportedModel& exported, const Facts& facts) {
    const std::string head = "// Build: find_package(Torch REQUIRED), then link ${TORCH_LIBRARIES}. Run: PROGRAM FILE\n"
                             "#include <torch/script.h>\n\n#include <fstream>\n#include <iostream>\n"
                             "#include <iterator>\n#include <vector>\n\nint main(int argc, char** argv) {\n"
                             "    const char* file = argc > 1 ? argv[1] : " +
                             facts.file + ";\n";
    if (exported.format == "state-dict")
        return head +
               "    std::ifstream stream(file, std::ios::binary);\n"
               "    const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};\n"
               "    const auto weights = torch::jit::pickle_load(bytes).toGenericDict();\n"
               "    for (const auto& item : weights)\n"
               "        std::cout << item.key().toStringRef() << ' ' << item.value().toTensor().sizes() << '\\n';\n}\n";
    std::string text = head + "    torch::jit::Module model = torch::jit::load(file);\n    model.eval();\n"
                              "    const at::NoGradGuard noGradients;\n";
    if (facts.language)
        return text + "    const auto tokens = torch::zeros({1, " + facts.shape +
               "}, torch::kInt64);\n"
               "    std::cout << model.forward({tokens}).toTensor().select(1, -1).softmax(-1) << '\\n';\n}\n";
    const auto tensor = [](const std::string& numbers) {
        return "torch::tensor(std::vector<double>{" + numbers + "})";
    };
    const std::string each = facts.image ? ".reshape({-1, 1, 1})" : "";
    text += "    auto sample = torch::zeros({1, " + facts.shape + "}" + (facts.image ? "" : ", torch::kDouble") +
            "); // " + (facts.image ? "pixels of 0 to 255" : "numbers as they are in the data") + "\n";
    const std::string type = facts.image ? ".to(torch::kFloat);\n" : ".to(torch::kDouble);\n";
    if (!facts.mean.empty())
        text += "    const auto mean = " + tensor(facts.mean) + each + type +
                "    const auto stddev = " + tensor(facts.stddev) + each + type + "    sample = (sample" +
                (facts.image ? " / 255" : "") + " - mean) / stddev;\n";
    text += "    auto outputs = model.forward({sample.to(torch::kFloat)}).toTensor();\n";
    if (facts.shares) text += "    outputs = outputs.sigmoid();\n";
    else if (facts.classes) text += "    outputs = outputs.softmax(1);\n";
    if (!facts.targetMean.empty())
        text += "    outputs = outputs.to(torch::kDouble) * " + tensor(facts.targetStddev) + ".to(torch::kDouble) + " +
                tensor(facts.targetMean) + ".to(torch::kDouble);\n";
    return text + "    std::cout << outputs << '\\n';\n}\n";
}

} // namespace

std::string exportingLoader(const std::string& file, const std::vector<std::string>& exportWords) {
    std::string command = literalOf("trainyardctl");
    for (const std::string& word : exportWords) command += ", " + literalOf(word);
    return "import json\nimport pathlib\nimport struct\nimport subprocess\n\nimport torch\n\n"
           "file = pathlib.Path(__file__).parent / " +
           literalOf(file) + "\nif not file.exists():\n    subprocess.run([" + command +
           ",\n                    \"--out\", str(file)], check=True)\n" + kReadSafetensors;
}

Result<std::vector<fs::path>> writeSnippets(const ExportedModel& exported) {
    const Facts facts = factsOf(exported);
    std::vector<fs::path> written{exported.file.string() + ".py"};
    TY_TRY(writeFileAtomic(written.front(), pythonText(exported, facts)));
    if (exported.format == "safetensors") return written;
    written.push_back(exported.file.string() + ".cpp");
    TY_TRY(writeFileAtomic(written.back(), cppText(exported, facts)));
    return written;
}

} // namespace trainyard::run
