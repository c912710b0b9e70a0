// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines as people have them in their notes, and what a run file says of them.
#include "engine/program/command/axis_words.h"
#include "engine/program/command/command_line.h"
#include "engine/program/command/secret_words.h"
#include "tests/texts.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::program;
using trainyard::test::compareText;
using trainyard::test::text;

namespace {

std::vector<std::string> wordsOf(const QString& line) {
    std::vector<std::string> words;
    for (const QString& each : line.split(' ', Qt::SkipEmptyParts)) words.push_back(each.toStdString());
    return words;
}

QString joined(const std::vector<std::string>& words) {
    QStringList all;
    for (const auto& each : words) all << text(each);
    return all.join(' ');
}

// "script=train.py words=--lr 0.1 workers=4"
QString told(const CommandLine& line) {
    QStringList parts;
    const auto add = [&](const char* name, const QString& value) {
        if (!value.isEmpty()) parts << QString("%1=%2").arg(name, value);
    };
    const auto count = [&](const char* name, std::optional<int> value) {
        if (value) add(name, QString::number(*value));
    };
    for (const auto& [name, value] : line.program.environment) parts << text(name + "=" + value);
    add("python", text(line.program.interpreter));
    add("script", text(line.program.script));
    add("module", text(line.program.module));
    add("command", joined(line.program.command));
    add("words", joined(line.program.words));
    count("workers", line.workers);
    count("hosts", line.hosts);
    count("threads", line.threadsPerWorker);
    count("restarts", line.maxRestarts);
    if (line.onCpu) parts << "cpu";
    if (line.passLocalRank) parts << "localRank";
    return parts.join(' ');
}

} // namespace

class CommandLineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: any command line as a run: scripts, modules, torchrun, accelerate, deepspeed and what else there is.
    void commandLinesAreUnderstood_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("is");
        const auto row = [](const char* line, const char* is) { QTest::newRow(line) << QString(line) << QString(is); };
        row("train.py", "script=train.py");
        row("train.py --lr 0.1 -- -x", "script=train.py words=--lr 0.1 -- -x");
        row("-- train.py", "script=train.py");
        row("-m pkg.train --lr 1", "module=pkg.train words=--lr 1");
        row("python train.py --workers 8", "script=train.py words=--workers 8");
        row("python3 -u train.py", "script=train.py");
        row("python3.11 -uB train.py -u", "PYTHONDONTWRITEBYTECODE=1 python=python3.11 script=train.py words=-u");
        row("/opt/py/bin/python -m pkg.train a", "python=/opt/py/bin/python module=pkg.train words=a");
        row("python -O -O -W error -Xdev train", "PYTHONDEVMODE=1 PYTHONOPTIMIZE=2 PYTHONWARNINGS=error script=train");
        row("python -X importtime a.py", "command=python -X importtime a.py");
        row("python3.9 -OI a.py", "command=python3.9 -OI a.py");
        row("python -c print()", "command=python -c print()");
        row("./train --fast", "command=./train --fast");
        row("bash train.sh a", "command=bash train.sh a");
        row("julia --threads 2 train.jl", "command=julia --threads 2 train.jl");
        row("uv run train.py", "command=uv run train.py");
        row("OMP_NUM_THREADS=2 A= train.py", "A= OMP_NUM_THREADS=2 script=train.py");
        row("env A=1 torchrun train.py B=2", "A=1 script=train.py words=B=2 workers=1");
        row("env -i train.py", "command=env -i train.py");
        row("conda run -n x --no-capture-output python train.py", "python=conda:x script=train.py");
        row("mamba run --prefix /e torchrun train.py", "python=/e script=train.py workers=1");
        row("torchrun train.py", "script=train.py workers=1");
        row("torchrun --nproc_per_node 4 train.py --nnodes 3", "script=train.py words=--nnodes 3 workers=4");
        row("torchrun --standalone --nproc-per-node=4 train.py", "script=train.py workers=4");
        row("torchrun --nproc 4 train.py", "script=train.py workers=4");
        row("torchrun --nproc_per_node gpu a.py", "script=a.py workers=2");
        row("torchrun --nproc_per_node=cpu a.py", "script=a.py workers=6");
        row("torchrun --nproc_per_node auto a.py", "script=a.py workers=2");
        row("torchrun --nnodes 1:1 a.py", "script=a.py workers=1");
        row("torchrun --nnodes=2 --nproc_per_node 4 -m a.b", "module=a.b workers=8 hosts=2");
        row("torchrun --max-restarts 0 --no_python ./a b", "command=./a b workers=1 restarts=0");
        row(".venv/bin/torchrun --nproc_per_node 2 a.py", "python=.venv/bin/python script=a.py workers=2");
        row("python -m torch.distributed.run --nproc_per_node 2 a.py", "script=a.py workers=2");
        row("python -m torch.distributed.launch --nproc_per_node 2 a.py", "script=a.py workers=2 localRank");
        row("python -m torch.distributed.launch --use_env a.py", "script=a.py workers=1");
        row("accelerate launch a.py", "script=a.py workers=1");
        row("accelerate launch --multi_gpu --mixed_precision bf16 a.py",
            "ACCELERATE_MIXED_PRECISION=bf16 script=a.py workers=2");
        row("accelerate launch --num_processes=3 --cpu --num_cpu_threads_per_process 4 a.py",
            "script=a.py workers=3 threads=4 cpu");
        row("accelerate launch --gpu_ids 0,1,3 -m a.b", "CUDA_VISIBLE_DEVICES=0,1,3 module=a.b workers=3");
        row("deepspeed a.py --deepspeed ds.json", "script=a.py words=--deepspeed ds.json workers=2 localRank");
        row("deepspeed --num_gpus 3 --no_local_rank a.py", "script=a.py workers=3");
        row("torchrun --nproc_per_node 2 -- a.py", "script=a.py workers=2");
    }
    void commandLinesAreUnderstood() {
        QFETCH(QString, line);
        QFETCH(QString, is);
        const auto read = commandLineOf(wordsOf(line), {2, 6});
        QVERIFY2(read.ok(), text(read).c_str());
        QCOMPARE(told(*read), is);
    }

    // A word stays a word, whatever is in it.
    void wordsAreNeverSplit() {
        const std::vector<std::string> words{"train.py", "--name", "a b", "", "--x=\"c d\"", "*", "$HOME", "ü"};
        const auto read = commandLineOf(words, {});
        QVERIFY(read.ok());
        QCOMPARE(read->program.words, std::vector<std::string>(words.begin() + 1, words.end()));
    }

    // Bad inputs: options of launchers that mean nothing here, and launchers without a program: each with its remedy.
    void badCommandLinesAreExplained_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* line, const char* says) {
            QTest::newRow(line) << QString(line) << QString(says);
        };
        row("", "there is no program to run");
        row("A=1", "there is no program to run");
        row("python", "there is no program behind python");
        row("-m", "there is no program behind -m");
        row("--lr 0.1 train.py", "options of trainyardctl come first");
        row("torchrun", "there is no program behind torchrun");
        row("torchrun --nproc_per_node", "--nproc_per_node: has no value");
        row("torchrun --nproc_per_node four a.py", "\"four\" is no number of processes");
        row("torchrun --nproc_per_node 0 a.py", "\"0\" is no number of processes");
        row("torchrun --nproc_per_node 99999999999 a.py", "is no number of processes");
        row("torchrun --rdzv_endpoint localhost:0 a.py", "the processes find one another by themselves");
        row("torchrun --master_port=29500 a.py", "--master_port=29500: torchrun's option means nothing here");
        row("torchrun --nnodes 1:4 a.py", "scaling.elastic.min");
        row("torchrun --nnodes x a.py", "\"x\" is no number of hosts");
        row("torchrun --standalone=1 a.py", "takes no value");
        row("torchrun --nproc_per_nod3 2 a.py", "did you mean --nproc_per_node?");
        row("torchrun -r 3 a.py", "trainyardctl logs RUN --rank N");
        row("torchrun --m 3 a.py", "is no known option of torchrun");
        row("accelerate launch --config_file c.yaml a.py", "--num_processes, --mixed_precision");
        row("accelerate launch --use_fsdp a.py", "program.environment");
        row("deepspeed --include localhost:0,1 a.py", "CUDA_VISIBLE_DEVICES");
        row("deepspeed --hostfile h a.py", "trainyardctl run --hosts");
    }
    void badCommandLinesAreExplained() {
        QFETCH(QString, line);
        QFETCH(QString, says);
        const auto read = commandLineOf(wordsOf(line), {2, 6});
        QVERIFY2(!read.ok(), qPrintable(read.ok() ? told(*read) : QString()));
        QCOMPARE(read.error().kind, ErrorKind::Input);
        QVERIFY(!read.error().remedy.empty());
        compareText(text(read.error().text()), says);
    }
    void noDeviceIsSaid() {
        const auto read = commandLineOf({"torchrun", "--nproc_per_node", "gpu", "a.py"}, {0, 6});
        QVERIFY(!read.ok());
        compareText(text(text(read)), "there is no CUDA device on this computer");
    }
    void longCommandLinesAreRefused() {
        QVERIFY(!commandLineOf({"a.py", std::string(3u << 20, 'x')}, {}).ok());
        QVERIFY(!commandLineOf(std::vector<std::string>(200'000, "a"), {}).ok());
        QVERIFY(!commandLineOf({"a.py", std::string("a\0b", 3)}, {}).ok());
    }

    // Feature: words that look like passwords or keys are refused, with the environment as remedy; they are written
    // nowhere.
    void secretsAreRefused_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("secret"); // that the message does not hold; empty: it is none
        const auto row = [](const char* line, const char* secret) {
            QTest::newRow(line) << QString(line) << QString(secret);
        };
        row("a.py --wandb_api_key 0123456789abcdef0123456789abcdef01234567", "0123456789abcdef");
        row("a.py --wandb-api-key=abc", "abc");
        row("a.py --hub_token hf_ABCDEFGHIJKLMNOPQRST1", "ABCDEFGH");
        row("a.py hf_ABCDEFGHIJKLMNOPQRST1", "ABCDEFGH");
        row("a.py logger.key=sk-proj-0123456789abcdefghij", "0123456789");
        row("a.py --x ghp_0123456789abcdefghijABCDEFGHIJ012345", "0123456789");
        row("a.py --x={\"k\":\"AKIAIOSFODNN7EXAMPLE\"}", "IOSFODNN");
        row("a.py --db postgres://ada:lovelace@host/db", "lovelace");
        row("a.py --password hunter2", "hunter2");
        row("HF_TOKEN=abc123 a.py", "abc123");
        row("A=hf_ABCDEFGHIJKLMNOPQRST1 a.py", "ABCDEFGH");
        row("curl --token 0123456789abcdef0123 x", "0123456789");
        row("a.py --pad_token <pad> --max_tokens 512 --num_key_value_heads 8", "");
        row("a.py --tokenizer gpt2 --use_auth_token True --key_dim 64 --api_key none", "");
        row("a.py --sort-key label --monkey banana123 --secret_santa yes", "");
        row("a.py sk-learn hf_internal_testing/tiny-random-model sk-learn-pipeline-config-file", "");
        row("a.py --url https://host:8080/a@b --at user@host --t {output}/token", "");
        row("TOKENIZERS_PARALLELISM=false OMP_NUM_THREADS=4 a.py", "");
    }
    void secretsAreRefused() {
        QFETCH(QString, line);
        QFETCH(QString, secret);
        const auto read = commandLineOf(wordsOf(line), {});
        if (secret.isEmpty()) {
            QVERIFY2(read.ok(), text(read).c_str());
            return;
        }
        QVERIFY(!read.ok());
        compareText(text(text(read)), "environment");
        QVERIFY2(!text(text(read)).contains(secret), text(read).c_str());
    }
    // A run file is refused before its run is made.
    void secretsInRunFilesAreRefused_data() {
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("where");
        QTest::newRow("an argument") << "wandb_api_key" << "" << "program.arguments.wandb_api_key";
        QTest::newRow("a variable") << "" << "WANDB_API_KEY" << "environment.WANDB_API_KEY";
        QTest::newRow("none") << "tokenizer" << "TOKENIZERS_PARALLELISM" << "";
    }
    void secretsInRunFilesAreRefused() {
        QFETCH(QString, argument);
        QFETCH(QString, variable);
        QFETCH(QString, where);
        spec::Program program{.script = "a.py"};
        if (!argument.isEmpty()) program.arguments[argument.toStdString()] = "0123456789abcdef0123";
        if (!variable.isEmpty()) program.environment[variable.toStdString()] = "0123456789abcdef0123";
        const auto checked = checkNoSecrets(program);
        QCOMPARE(checked.ok(), where.isEmpty());
        if (!checked) QCOMPARE(text(checked.error().where), where);
    }

    // Feature: values of a sweep as they are typed: lists and ranges.
    void valuesOfSweepsAreRead_data() {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("is");
        const auto row = [](const char* value, const char* is) {
            QTest::newRow(value) << QString(value) << QString(is);
        };
        row("64,128", "list 64 128");
        row("sgd,adam", "list sgd adam");
        row("0.0001..0.1 log", "0.0001 to 0.1 log");
        row("1..9 step 2", "1 to 9 step 2");
        row("-1..1   count 5", "-1 to 1 count 5");
        row("16..512 log int", "16 to 512 log int");
        row("1e-4...5", "0.0001 to 0.5");
        row("0.1", "");
        row("../data", "");
        row("a..b", "");
        row("1..", "");
        row("", "");
        row("[1,2]", "");
        row("a b", "");
    }
    void valuesOfSweepsAreRead() {
        QFETCH(QString, value);
        QFETCH(QString, is);
        const auto axis = axisWords(value.toStdString(), "--x");
        QVERIFY2(axis.ok(), text(axis).c_str());
        QString told;
        if (*axis) {
            const auto& found = **axis;
            told = found.values.empty() ? QString("%1 to %2").arg(found.from).arg(found.to)
                                        : "list " + joined(found.values);
            if (found.logScale) told += " log";
            if (found.whole) told += " int";
            if (found.step > 0) told += QString(" step %1").arg(found.step);
            if (found.count > 0) told += QString(" count %1").arg(found.count);
        }
        QCOMPARE(told, is);
    }
    // Bad inputs: ranges without values, and lists with empty ones.
    void badValuesOfSweepsAreExplained_data() {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* value, const char* says) {
            QTest::newRow(value) << QString(value) << QString(says);
        };
        row("1..1", "the range has no values");
        row("9..1", "the range has no values");
        row("0..1 log", "begins above 0");
        row("1..2 lgo", "\"lgo\" makes no sense behind a range");
        row("1..2 step", "\"step\" makes no sense");
        row("1..2 step -1", "\"step\" makes no sense");
        row("1..2 count 1.5", "\"count\" makes no sense");
        row("1,,2", "the list has an empty value");
        row("1,2,", "the list has an empty value");
    }
    void badValuesOfSweepsAreExplained() {
        QFETCH(QString, value);
        QFETCH(QString, says);
        const auto axis = axisWords(value.toStdString(), "--x");
        QVERIFY(!axis.ok());
        QVERIFY(!axis.error().remedy.empty());
        QCOMPARE(axis.error().where, std::string("--x"));
        compareText(text(text(axis)), says);
    }

    void namesOfSecrets() {
        for (const char* each : {"HF_TOKEN", "WANDB_API_KEY", "AWS_SECRET_ACCESS_KEY", "wandbApiKey", "db-password",
                                 "GOOGLE_APPLICATION_CREDENTIALS", "passwd"})
            QVERIFY2(isSecretName(each), each);
        for (const char* each : {"TOKENIZERS_PARALLELISM", "MONKEY", "PATH", "", "KEYBOARD", "__"})
            QVERIFY2(!isSecretName(each), each);
    }
};

QTEST_GUILESS_MAIN(CommandLineTest)
#include "command_line_test.moc"
