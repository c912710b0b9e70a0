// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/serve/serve_try.h"

#include "app/ctl/models/predictions.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/text/printable.h"
#include "engine/fetch/http_post.h"
#include "engine/serve/control/service_folder.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>

namespace trainyard::ctl::serving {

using namespace trainyard::serve;

namespace {

constexpr std::size_t kLargestFile = 1u << 30; // the service has a limit of its own

struct TryOptions {
    std::string name, file, row, text, model, version;
    int top = 5;
};

struct TryBody {
    std::string type, bytes;
};

// By its first bytes, else by its name.
std::string typeOf(const std::string& bytes, const std::string& file) {
    if (bytes.starts_with("\x89PNG")) return "image/png";
    if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
    if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP")) return "image/webp";
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending == ".csv") return "text/csv";
    if (ending == ".tsv") return "text/tab-separated-values";
    if (ending == ".json") return "application/json";
    if (ending == ".txt") return "text/plain";
    return {};
}

Result<TryBody> bodyOf(const TryOptions& options) {
    const int given = static_cast<int>(!options.file.empty()) + static_cast<int>(!options.row.empty()) +
                      static_cast<int>(!options.text.empty());
    if (given != 1)
        return inputError(given == 0 ? "no input is named" : "more than one input is named", "serve try",
                          "give a FILE, --row NUMBERS or --text WORDS");
    if (!options.row.empty()) return TryBody{"text/csv", options.row};
    if (!options.text.empty()) return TryBody{"text/plain", options.text};
    TY_ASSIGN(std::string bytes, readFile(options.file, kLargestFile));
    const std::string type = typeOf(bytes, options.file);
    if (type.empty())
        return inputError("is neither a PNG, JPEG or WebP picture nor a table or text by its name", options.file,
                          "convert it to PNG, or name it .csv, .tsv, .json or .txt");
    return TryBody{type, std::move(bytes)};
}

// The answer of the service, or what it refuses, as an error here.
Result<fetch::HttpPosted> askAsClient(const ServiceView& view, const TryOptions& options, const TryBody& body) {
    if (!view.isServed || view.status.url.empty())
        return runError("does not answer requests now", "service " + options.name,
                        "start it: trainyardctl serve resume " + options.name);
    TY_ASSIGN(const std::string token, tokenOf(view.folder));
    fetch::HttpPost post;
    const std::string model = options.model.empty() ? view.spec.models.front().name : options.model;
    std::string url = view.status.url;
    if (url.starts_with("unix:")) {
        post.unixSocket = url.substr(5);
        url = "http://localhost";
    }
    post.url = url + "/predict/" + model + (options.version.empty() ? "" : "/versions/" + options.version) +
               "?top=" + std::to_string(options.top);
    post.certificate = view.spec.certificate;
    post.headers = {"Authorization: Bearer " + token, "Content-Type: " + body.type};
    post.body = body.bytes;
    post.seconds = view.spec.deadlineSeconds + 30;
    TY_ASSIGN(auto answer, fetch::postHttp(post));
    if (answer.status == 200) return answer;
    const Json said = parseJson(answer.body);
    const auto member = [&](const char* key) {
        return said.is_object() && said.contains(key) && said[key].is_string() ? said[key].get<std::string>() : "";
    };
    const std::string message = member("error").empty() ? "answers " + std::to_string(answer.status) : member("error");
    const std::string where = member("where").empty() ? "service " + options.name : member("where");
    if (answer.status >= 500) return environmentError(message, where, member("remedy"));
    return inputError(message, where, member("remedy"));
}

int tryIt(const Session& session, const TryOptions& options) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    const auto view = viewService(*workspace, options.name);
    if (!view) return fail(view.error());
    const auto body = bodyOf(options);
    if (!body) return fail(body.error());
    const auto answer = askAsClient(*view, options, *body);
    if (!answer) return fail(answer.error());
    const Json json = parseJson(answer->body);
    if (!json.is_object() || !json.contains("inputs") || !json["inputs"].is_array())
        return fail(environmentError("its answer is not one of a service", view->status.url));
    if (session.json) return printJson(json);
    printPredictions(json);
    std::printf("%s: %s\n", forTerminal(answer->header("x-model-version")).c_str(),
                forTerminal(answer->header("server-timing")).c_str());
    return 0;
}

} // namespace

void addTryCommand(CLI::App& serve, Session& session) {
    const auto options = std::make_shared<TryOptions>();
    auto* command = serve.add_subcommand("try", "ask a service as a client would, and print its answer");
    command->add_option("NAME", options->name, "the service")->required();
    command->add_option("FILE", options->file, "a picture, a table (.csv, .tsv, .json) or a text (.txt)");
    command->add_option("--row", options->row, "the cells of a row, such as 5.1,3.5,red");
    command->add_option("--text", options->text, "a text");
    command->add_option("--model", options->model, "which of the service's models; the first otherwise");
    command->add_option("--version", options->version, "which version of it, such as RUN@STEP");
    command->add_option("--top", options->top, "how many classes, the likeliest first (5)")->check(CLI::Range(1, 1000));
    addCommonOptions(*command, session);
    command->callback(
        [&session, options] { session.action = [&session, options] { return tryIt(session, *options); }; });
}

} // namespace trainyard::ctl::serving
