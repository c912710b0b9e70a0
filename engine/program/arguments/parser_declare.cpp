// SPDX-License-Identifier: GPL-3.0-or-later
// Packages that make a command line of declarations: click, absl, dataclasses,
// fire, Lightning, Hydra, a configurator.
#include "engine/program/arguments/declared_fields.h"
#include "engine/program/arguments/parser_walk.h"

#include <algorithm>

namespace trainyard::program {
namespace {

namespace fs = std::filesystem;

bool endsInName(std::string_view dotted, std::string_view name) {
    if (!dotted.ends_with(name)) return false;
    return dotted.size() == name.size() || dotted[dotted.size() - name.size() - 1] == '.';
}

// The classes or functions that a call is given, each by its name; of a tuple
// or list its elements.
std::vector<std::string> namesGiven(const Site& site) {
    std::vector<std::string> names;
    for (const Given& each : site.call.given()) {
        const PythonFile& file = site.file();
        const Token& first = file.token(each.value.begin);
        const auto pieces =
            first.opens() ? file.pieces({each.value.begin + 1, first.partner}) : std::vector{each.value};
        for (const Span piece : pieces)
            if (auto name = file.dotted(piece); !name.empty()) names.push_back(std::move(name));
    }
    return names;
}

// class MyCLI(LightningCLI) of the project.
bool isOwnLightningCli(PythonProject& project, const Site& site) {
    if (!site.method.ends_with("CLI")) return false;
    const Found found = project.find(site.file(), site.dotted());
    return found && found.definition->isClass &&
           found.file->text(found.head().span).find("LightningCLI") != std::string::npos;
}

} // namespace

// The decorator's call, of @click.option(…) and @hydra.main(…).
void ParserWalk::decorator(const PythonFile& file, Span span) {
    const std::size_t open = file.find("(", span);
    const auto site = open < span.end ? siteAt(file, span, open) : std::nullopt;
    if (!site) return;
    const bool option = site->method == "option", positional = site->method == "argument";
    const auto click =
        file.imports().find(option || positional ? site->receiver.empty() ? site->method : site->receiver : "");
    if (click != file.imports().end() && click->second.module.starts_with("click")) {
        m_book.style(ArgumentStyle::Click);
        auto added = clickArgument(m_project, site->call, positional);
        if (added.argument) m_book.add(*std::move(added.argument), {});
        else m_book.note(site->place(m_project), added.unread);
    } else if (site->dotted() == "hydra.main") {
        m_book.style(ArgumentStyle::Hydra);
        const auto given = site->call.given();
        const auto word = [&](std::string_view keyword) {
            const Given* found = site->call.find(given, keyword);
            return found ? plainText(valueOf(m_project, file, found->value)) : std::string();
        };
        const std::string name = word("config_name");
        const fs::path config =
            file.path().parent_path() / word("config_path") / (name.ends_with(".yaml") ? name : name + ".yaml");
        if (!name.empty()) m_book.configFile(m_project.shown(config.lexically_normal()));
    }
}

// Calls that turn declarations into arguments.
bool ParserWalk::declaringCall(const Scope& scope, const Site& site) {
    const std::string dotted = site.dotted();
    if (site.method.starts_with("DEFINE_")) {
        m_book.style(ArgumentStyle::Absl);
        auto added = abslArgument(m_project, site.call, std::string_view(site.method).substr(7));
        if (added.argument) m_book.add(*std::move(added.argument), {});
        else m_book.note(site.place(m_project), added.unread);
    } else if (site.method == "mark_flag_as_required" || site.method == "mark_flags_as_required") {
        const auto given = site.call.given();
        if (given.empty()) return true;
        const Value value = valueOf(m_project, site.file(), given[0].value);
        if (const auto* list = std::get_if<Value::List>(&value.is))
            for (const Value& each : *list) m_book.require(plainText(each));
        else m_book.require(plainText(value));
    } else if (site.method == "HfArgumentParser" || site.method == "TrlParser") {
        fieldsOf(site, ArgumentStyle::Dataclass, {});
    } else if (dotted == "tyro.cli") {
        fieldsOf(site, ArgumentStyle::Tyro, {.dashes = true, .negatable = true});
    } else if (dotted == "pyrallis.parse" || dotted == "draccus.parse" || dotted == "simple_parsing.parse") {
        fieldsOf(site, ArgumentStyle::Dataclass, {});
    } else if (endsInName(dotted, "Fire") || dotted == "typer.run") {
        fieldsOf(site, ArgumentStyle::Fire, {});
    } else if (site.method.ends_with("LightningCLI") || isOwnLightningCli(m_project, site)) {
        lightningCli(site);
    } else if (dotted == "exec" && scope.depth == 0) {
        const PythonFile& file = site.file();
        const std::string code = file.text({site.call.open, file.token(site.call.open).partner + 1});
        if (code.find("open(") == std::string::npos && code.find("argv") == std::string::npos) return false;
        m_book.style(ArgumentStyle::Globals);
        const auto& all = file.statements();
        const auto here = std::find_if(all.begin(), all.end(),
                                       [&](const Statement& each) { return each.span.begin == site.statement.begin; });
        FieldReader(m_project, m_book).variables(file, std::size_t(here - all.begin()));
    } else {
        return false;
    }
    return true;
}

void ParserWalk::fieldsOf(const Site& site, ArgumentStyle style, const FieldStyle& fields) {
    m_book.style(style);
    FieldReader reader(m_project, m_book);
    for (const auto& name : namesGiven(site)) {
        const Found found = m_project.find(site.file(), name);
        if (!found) m_book.note(site.place(m_project), "the fields of " + name + "; it is not of the project");
        else if (!found.definition->isClass) reader.function(found, fields);
        else if (style != ArgumentStyle::Fire) reader.dataclass(found, fields);
        else m_book.note(site.place(m_project), "the methods of " + name + " are commands");
    }
}

// LightningCLI(Model, Data): the parameters of their constructors.
void ParserWalk::lightningCli(const Site& site) {
    m_book.style(ArgumentStyle::LightningCli);
    FieldReader reader(m_project, m_book);
    std::size_t at = 0;
    for (const Given& each : site.call.given()) {
        const bool model = each.keyword == "model_class" || (each.keyword.empty() && at == 0);
        const bool data = each.keyword == "datamodule_class" || (each.keyword.empty() && at == 1);
        ++at;
        if (!model && !data) continue;
        Found found = m_project.find(site.file(), site.file().dotted(each.value));
        if (!found || !found.definition->isClass) continue;
        found.definition = found.file->method(*found.definition, "__init__");
        reader.function(found, {.prefix = model ? "--model." : "--data."});
    }
    m_book.note(site.place(m_project), "the arguments of Lightning's Trainer (--trainer.max_epochs and so on)");
}

} // namespace trainyard::program
