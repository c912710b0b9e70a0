// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/printable.h"
#include "engine/spec/run/check.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/run/learning_rate.h"
#include "engine/spec/run/preload.h"
#include "engine/spec/run/sections.h"
#include "engine/spec/run/task_kind.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::spec {
namespace {

void checkBatch(const RunSpec& spec, Checker& check) {
    const Batch& batch = spec.batch;
    check.range("batch.accumulate", batch.accumulate, 1, 10'000);
    if (batch.perRank && batch.global)
        check.fail("batch", std::to_string(*batch.perRank) + " and " + std::to_string(*batch.global),
                   "has both perRank and global", "give one of the two");
    if (!batch.perRank && !batch.global)
        check.fail("batch", "", "has neither perRank nor global", "give one of the two");
    if (batch.perRank) check.range("batch.perRank", *batch.perRank, 1, kMaxBatch);
    if (!batch.global) return;
    check.range("batch.global", *batch.global, 1, kMaxBatch);
    const std::int64_t shares = spec.scaling.workers * batch.accumulate;
    if (check.failed("batch.global") || check.failed("batch.accumulate") || check.failed("scaling.workers")) return;
    if (*batch.global % shares == 0) return;
    const std::int64_t below = *batch.global / shares * shares, above = below + shares;
    check.fail("batch.global", std::to_string(*batch.global),
               "must be divisible by workers × accumulate = " + std::to_string(shares),
               below > 0 ? "use " + std::to_string(below) + " or " + std::to_string(above)
                         : "use " + std::to_string(above));
}

void checkLength(const RunSpec& spec, Checker& check) {
    if (spec.epochs && spec.steps)
        check.fail("epochs", std::to_string(*spec.epochs), "cannot be given together with steps",
                   "give one of the two");
    if (!spec.epochs && !spec.steps) check.fail("epochs", "", "is missing, and so is steps", "give one of the two");
    if (spec.epochs) check.range("epochs", *spec.epochs, 1, kMaxEpochs);
    if (spec.steps) check.range("steps", *spec.steps, 1, kMaxSteps);
}

// A program's hang watch can be switched off, and all copies of its checkpoints be kept.
bool mayBeNever(const RunSpec& spec, const std::string& field) {
    if (!spec.program) return false;
    return (field == "failure.heartbeatSeconds" && spec.failure.heartbeatSeconds == 0) ||
           (field == "checkpoint.keep" && spec.checkpoint.keep == 0);
}

// What is not finite stops a program or sends it back, but it takes its steps itself.
std::vector<std::string> optionsOf(const ParamInfo& info, bool isProgram) {
    return isProgram && info.name == "failure.nonFinite" ? std::vector<std::string>{"warn", "stop", "rollback"}
                                                         : info.options;
}

// Fields whose limits are in the one table that forms are made of too.
void checkSections(const RunSpec& spec, Checker& check) {
    const Params values = sectionValues(spec);
    for (const Section& section : runSections()) {
        for (const ParamInfo& info : section.params) {
            const auto found = values.find(info.name);
            if (found == values.end()) continue;
            if (const auto* text = std::get_if<std::string>(&found->second)) {
                if (info.type == ParamType::Option)
                    check.word(info.name, *text, optionsOf(info, spec.program.has_value()));
            } else if (const auto* whole = std::get_if<std::int64_t>(&found->second);
                       whole && info.type == ParamType::Integer && !mayBeNever(spec, info.name)) {
                check.range(info.name, *whole, static_cast<std::int64_t>(*info.min),
                            info.max ? static_cast<std::int64_t>(*info.max) : std::numeric_limits<std::int64_t>::max());
            } else if (info.type == ParamType::Number && !mayBeNever(spec, info.name)) {
                check.range(info.name, Choice{"", values}.number(info.name, std::nan("")), *info.min, *info.max);
            }
        }
    }
    if (spec.program) {
        if (!spec.checkpoint.scoreBy.empty()) check.series("checkpoint.scoreBy", spec.checkpoint.scoreBy);
        if (!spec.earlyStop.metric.empty()) check.series("earlyStop.metric", spec.earlyStop.metric);
        return;
    }
    if (spec.ema == 1) check.fail("ema", "1", "must be less than 1", "use 0.999, or 0 for no average");
    check.series("checkpoint.scoreBy", spec.checkpoint.scoreBy);
    if (!spec.earlyStop.metric.empty()) check.series("earlyStop.metric", spec.earlyStop.metric);
}

// `workers` is what a run starts with, so it lies between the two.
void checkElastic(const Scaling& scaling, Checker& check) {
    const Elastic& elastic = scaling.elastic;
    if (elastic.min == 0 && elastic.max == 0) return;
    if (check.failed("scaling.elastic.min") || check.failed("scaling.elastic.max")) return;
    check.range("scaling.elastic.min", std::int64_t{elastic.min}, 1, kMaxWorkers);
    check.range("scaling.elastic.max", std::int64_t{elastic.max}, 1, kMaxWorkers);
    if (check.failed("scaling.elastic.min") || check.failed("scaling.elastic.max")) return;
    if (elastic.min <= scaling.workers && scaling.workers <= elastic.max) return;
    check.fail("scaling.elastic", std::to_string(elastic.min) + " to " + std::to_string(elastic.max),
               "must include scaling.workers = " + std::to_string(scaling.workers),
               "choose min at most and max at least that");
}

void checkScaling(const RunSpec& spec, Checker& check) {
    const Scaling& scaling = spec.scaling;
    checkElastic(scaling, check);
    if (scaling.port != 0) // c10d's TCPStore listens on every interface and accepts every client
        check.fail("scaling.port", std::to_string(scaling.port), "would open an unauthenticated port",
                   "leave it out: the ranks rendezvous through their supervisor, and nothing has to listen");
    if (scaling.averaging == "reducer" && scaling.compression != "none")
        check.fail("scaling.compression", inQuotes(scaling.compression),
                   "LibTorch's reducer does not compress gradients",
                   "use \"none\", or \"buckets\" as scaling.averaging");
    if (scaling.compression == "powersgd" && spec.precision == "fp16")
        check.fail("scaling.compression", inQuotes(scaling.compression),
                   "carries gradients over to later steps, and the scale of the loss in fp16 changes between them",
                   "use \"bf16\" as precision, or \"fp16\" here");
    if (scaling.backend == "nccl" && scaling.device == "cpu")
        check.fail("scaling.backend", "\"nccl\"", "works between CUDA devices only, and the device is cpu",
                   "use \"gloo\" or \"auto\"");
}

// What holds for every optimizer, so that it is said also when the catalog cannot be asked.
void checkLearningRate(const Choice& optimizer, Checker& check) {
    const auto found = optimizer.params.find("lr");
    if (found == optimizer.params.end()) return;
    const double lr = optimizer.number("lr", std::nan(""));
    const auto* text = std::get_if<std::string>(&found->second);
    if (text != nullptr)
        check.fail("optimizer.lr", inQuotes(*text), "must be a number", insteadOfText(*text, ParamType::Number));
    else if (std::isnan(lr)) check.fail("optimizer.lr", toText(found->second), "must be a number");
    else if (!(lr > 0)) check.fail("optimizer.lr", numberText(lr), "must be greater than 0");
    else if (lr > kMaxLearningRate)
        check.fail("optimizer.lr", numberText(lr), "must be at most " + numberText(kMaxLearningRate));
}

void checkHostList(const std::string& path, const std::vector<std::string>& hosts, Checker& check) {
    if (hosts.size() > static_cast<std::size_t>(kMaxWorkers))
        check.fail(path, std::to_string(hosts.size()) + " hosts", "must be at most " + std::to_string(kMaxWorkers));
    for (std::size_t i = 0; i < hosts.size(); ++i) check.host(path + "." + std::to_string(i), hosts[i]);
}

void checkHosts(const RunSpec& spec, Checker& check) {
    checkHostList("hosts", spec.hosts, check);
    checkHostList("spareHosts", spec.spareHosts, check);
    std::vector<std::string> known = spec.hosts;
    for (std::size_t i = 0; i < spec.spareHosts.size(); ++i) {
        const std::string &spare = spec.spareHosts[i], path = "spareHosts." + std::to_string(i);
        if (spare == kSlurmHost)
            check.fail(path, inQuotes(spare), "must be a single host", "name its nodes: slurm:NODE");
        else if (std::find(known.begin(), known.end(), spare) != known.end())
            check.fail(path, inQuotes(spare), "is there twice, here or in hosts", "name another host, or leave it out");
        known.push_back(spare);
    }
    if (spec.hosts.empty() && !spec.spareHosts.empty())
        check.fail("spareHosts", std::to_string(spec.spareHosts.size()) + " hosts", "needs hosts to replace",
                   "name the hosts that train in hosts");
}

// The name of a variable of an environment.
bool isVariable(const std::string& name) {
    return !name.empty() && name.find_first_of(std::string("=\0", 2)) == name.npos;
}

bool hasNul(const std::string& text) { return text.find('\0') != text.npos; }

// The argument that takes the copy of a file of settings gets nothing else.
void checkConfig(const Program& program, Checker& check) {
    const auto& config = *program.config;
    if (config.file.empty() || hasNul(config.file))
        check.fail("program.config.file", inQuotes(config.file), "must name a file of settings",
                   "give a .yaml, .json or .toml file");
    if (config.argument.empty() || hasNul(config.argument))
        check.fail("program.config.argument", inQuotes(config.argument), "must name the argument that takes the file",
                   "for example \"config\"");
    const auto flag = config.argument.starts_with('-') ? config.argument : "--" + config.argument;
    const auto isFlag = [&](const std::string& word) { return word == flag || word.starts_with(flag + "="); };
    if (program.arguments.contains(config.argument) || std::ranges::any_of(program.words, isFlag) ||
        std::ranges::any_of(program.command, isFlag))
        check.fail("program.config.argument", inQuotes(config.argument), "is given a value by the command line, too",
                   "take it out there: the run passes the copy of the file");
}

void checkProgram(const Program& program, Checker& check) {
    const int given =
        (program.script.empty() ? 0 : 1) + (program.module.empty() ? 0 : 1) + (program.command.empty() ? 0 : 1);
    if (given != 1)
        check.fail("program", "",
                   given == 0 ? "has no script, module or command" : "has more than one of script, module and command",
                   "give one of the three");
    for (const auto& [path, text] :
         {std::pair{"program.script", &program.script}, std::pair{"program.module", &program.module},
          std::pair{"program.interpreter", &program.interpreter}, std::pair{"program.folder", &program.folder}})
        if (hasNul(*text) || text->size() > 4000)
            check.fail(path, inQuotes(*text), "must be at most 4000 characters, without NUL");
    for (const auto& [path, words] :
         {std::pair{"program.command", &program.command}, std::pair{"program.arguments", &program.words},
          std::pair{"program.resume", &program.resume}})
        for (std::size_t i = 0; i < words->size(); ++i)
            if (hasNul((*words)[i]))
                check.fail(std::string(path) + "." + std::to_string(i), inQuotes((*words)[i]), "must not hold NUL");
    if (!program.command.empty() && (!program.arguments.empty() || !program.words.empty()))
        check.fail("program.arguments", "", "belongs to a script or module", "put the words into program.command");
    if (!program.command.empty() && program.command.front().empty())
        check.fail("program.command.0", "\"\"", "must name a program");
    for (const auto& [name, value] : program.environment)
        if (!isVariable(name) || hasNul(value))
            check.fail("program.environment." + name, inQuotes(value), "cannot be a variable of the environment",
                       "use letters, digits and _ in its name");
    for (std::size_t i = 0; i < program.secrets.size(); ++i)
        if (!isVariable(program.secrets[i]))
            check.fail("program.secrets." + std::to_string(i), inQuotes(program.secrets[i]),
                       "must be the name of a variable", "use letters, digits and _");
    check.word("program.style", program.style, {"auto", "--a b", "--a=b", "a=b"});
    check.word("program.metrics.ranks", program.metrics.ranks, {"0", "mean", "each"});
    check.word("program.checkpoints.copy", program.checkpoints.copy, {"none", "best", "all"});
    if (program.config) checkConfig(program, check);
    if (hasNul(program.prepare) || program.prepare.size() > 65'536)
        check.fail("program.prepare", "", "must be at most 65,536 bytes, without NUL");
    check.word("program.code", program.code, {"snapshot", "inPlace", "shared"});
    if (const auto preload = parsePreload(program.preload); !preload)
        check.fail("program.preload", inQuotes(program.preload), preload.error().message, preload.error().remedy);
    else if (!program.command.empty() && preload->mode == Preload::Mode::Named)
        check.fail("program.preload", inQuotes(program.preload), "belongs to a script or module",
                   "name it as program.script, or leave this out");
    check.range("program.stop.graceSeconds", program.stop.graceSeconds, 0, 3600);
}

void checkStorage(const std::string& storage, Checker& check) {
    if (storage.size() > 4000 || storage.find('\0') != std::string::npos || printable(storage, 5000) != storage)
        check.fail("storage", inQuotes(storage), "must be a folder's path without control characters");
}

// A Slurm job's nodes have the files of this computer.
void checkCodeOnHosts(const RunSpec& spec, Checker& check) {
    const auto isElsewhere = [](const std::string& host) { return !isThisComputer(host) && !isSlurmHost(host); };
    if (spec.program->code == "inPlace" &&
        (std::ranges::any_of(spec.hosts, isElsewhere) || std::ranges::any_of(spec.spareHosts, isElsewhere)))
        check.fail("program.code", "\"inPlace\"", "is for this computer: other hosts do not have its files",
                   "write \"snapshot\", or \"shared\" where the hosts share the workspace's file system");
}

// What the program saves is the user's, so only copies are ever deleted; and they are made where rank 0 is.
void checkCopies(const RunSpec& spec, Checker& check) {
    const std::string& copy = spec.program->checkpoints.copy;
    if (spec.checkpoint.keep > 0 && copy != "all")
        check.fail("checkpoint.keep", std::to_string(spec.checkpoint.keep),
                   "would delete checkpoints of the program, which are yours",
                   "keep copies of them, and so many: program.checkpoints.copy \"all\"");
    const bool isAway = !spec.hosts.empty() && !isThisComputer(spec.hosts.front()) && !isSlurmHost(spec.hosts.front());
    if (copy != "none" && isAway)
        check.fail("program.checkpoints.copy", inQuotes(copy), "is for checkpoints that are saved on this computer",
                   "leave it out, and copy one with: trainyardctl fetch RUN@STEP");
}

// A run whose program knows the rest.
void checkProgramRun(const RunSpec& spec, Checker& check) {
    checkProgram(*spec.program, check);
    checkCopies(spec, check);
    checkSections(spec, check);
    checkElastic(spec.scaling, check);
    checkHosts(spec, check);
    checkCodeOnHosts(spec, check);
    checkStorage(spec.storage, check);
}

} // namespace

std::vector<FieldError> validateFields(const RunSpec& spec) {
    std::vector<FieldError> errors;
    Checker check(errors, spec.program.has_value());
    if (!spec.name.empty()) check.name("name", spec.name);
    if (spec.program) {
        checkProgramRun(spec, check);
        return errors;
    }
    check.word("task", spec.task, taskWords());
    for (const auto& [path, choice] :
         {std::pair{"model", &spec.model}, std::pair{"dataset", &spec.dataset}, std::pair{"optimizer", &spec.optimizer},
          std::pair{"schedule", &spec.schedule}, std::pair{"loss", &spec.loss}})
        if (choice->name.empty()) check.fail(std::string(path) + ".name", "\"\"", "must not be empty");
    checkLearningRate(spec.optimizer, check);
    checkSections(spec, check);
    checkScaling(spec, check);
    checkBatch(spec, check);
    checkLength(spec, check);
    checkHosts(spec, check);
    checkStorage(spec.storage, check);
    checkFinetune(spec, check);
    return errors;
}

} // namespace trainyard::spec
