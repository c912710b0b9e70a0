// SPDX-License-Identifier: GPL-3.0-or-later
// What a script's arguments are for: suggestions for checkpoint, output and seed.
#include "engine/program/arguments/script_arguments.h"
#include "engine/program/checkpoints/resume_words.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace trainyard;
using namespace trainyard::program;

namespace {

QString spaced(const std::vector<std::string>& words) {
    QStringList all;
    for (const auto& word : words) all << QString::fromStdString(word);
    return all.join(' ');
}

QString listOf(const std::vector<SuggestedArgument>& arguments) {
    QStringList all;
    for (const auto& each : arguments) all << QString::fromStdString(each.name + "=" + each.value);
    return all.join(' ');
}

} // namespace

class ResumeWordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Feature: the words with which a known script resumes, and its arguments for output and seed.
    void scriptsGetTheirWords_data() {
        QTest::addColumn<QStringList>("lines"); // of a parser
        QTest::addColumn<QString>("resume");
        QTest::addColumn<bool>("itself");
        QTest::addColumn<QString>("others");
        const auto row = [](const char* name, const QStringList& lines, const char* resume, bool itself,
                            const char* others) { QTest::newRow(name) << lines << resume << itself << others; };
        row("ImageNet", {"'--resume', default='', type=str", "'--seed', type=int", "'--output-dir', default='.'"},
            "--resume {checkpoint}", false, "output_dir={output} seed={seed}");
        row("short flag", {"'-r', '--resume', type=str"}, "--resume {checkpoint}", false, "");
        row("diffusers", {"'--resume_from_checkpoint', type=str", "'--checkpointing_steps', type=int"},
            "--resume_from_checkpoint {checkpoint}", false, "");
        row("ckpt_path", {"'--ckpt-path', type=str"}, "--ckpt-path {checkpoint}", false, "");
        row("a switch", {"'--resume', action='store_true'", "'--out_dir'"}, "--resume", true, "out_dir={output}");
        row("detectron2", {"'--config-file'", "'--resume', action='store_true'", "'--num-gpus', type=int"}, "--resume",
            true, "");
        row("DINO",
            {"'--output_dir'", "'--saveckp_freq', type=int", "'--local_crops_number', type=int", "'--seed', type=int"},
            "", true, "output_dir={output} seed={seed}");
        row("fairseq",
            {"'--restore-file', default='checkpoint_last.pt'", "'--save-dir', default='checkpoints'",
             "'--reset-optimizer', action='store_true'"},
            "", true, "save_dir={output}");
        row("Megatron", {"'--load', type=str", "'--save', type=str", "'--finetune', action='store_true'"},
            "--load {output}", true, "save={output}");
        row("the better name", {"'--log-dir'", "'--output_dir'"}, "", false, "output_dir={output}");
        row("no folder", {"'--output', type=bool", "'--seeds'"}, "", false, "");
        row("nothing", {"'--lr', type=float"}, "", false, "");
        row("a number is no path", {"'--resume', type=int", "'--output', type=int"}, "", false, "");
        row("a switch is no folder", {"'--output', action='store_true'", "'--seed', action='store_true'"}, "", false,
            "");
    }
    void scriptsGetTheirWords() {
        QFETCH(QStringList, lines);
        QFETCH(QString, resume);
        QFETCH(bool, itself);
        QFETCH(QString, others);
        std::string source = "import argparse\np = argparse.ArgumentParser()\n";
        for (const QString& line : lines) source += "p.add_argument(" + line.toStdString() + ")\n";
        check(source + "a = p.parse_args()\n", resume, itself, others);
    }

    void otherStylesGetTheirWords_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("resume");
        QTest::addColumn<bool>("itself");
        QTest::addColumn<QString>("others");
        QTest::newRow("configurator") << "char_gpt.py" << "" << false << "out_dir={output}";
        QTest::newRow("transformers") << "hf.py" << "--resume_from_checkpoint {checkpoint}" << false
                                      << "output_dir={output} seed={seed}";
        QTest::newRow("LightningCLI") << "lightning_cli.py" << "--ckpt_path {checkpoint}" << false
                                      << "trainer.default_root_dir={output} seed_everything={seed}";
        QTest::newRow("ImageNet") << "imagenet.py" << "--resume {checkpoint}" << false << "";
    }
    void otherStylesGetTheirWords() {
        QFETCH(QString, script);
        QFETCH(QString, resume);
        QFETCH(bool, itself);
        QFETCH(QString, others);
        std::ifstream file(TRAINYARD_SOURCE_DIR "/tests/programs/arguments/" + script.toStdString());
        check({std::istreambuf_iterator<char>(file), {}}, resume, itself, others);
    }

    void nanoGptGetsItsSwitch() {
        check("init_from = 'scratch'\nout_dir = 'out'\nalways_save_checkpoint = True\n"
              "exec(open('configurator.py').read())\n",
              "--init_from=resume", true, "out_dir={output}");
    }

private:
    static void check(const std::string& source, const QString& resume, bool itself, const QString& others) {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("train.py").toStdString();
        std::ofstream(path) << source;
        const auto script = readArguments(path);
        QVERIFY2(script.ok(), script ? "" : script.error().text().c_str());
        const auto found = suggestionsFor(*script);
        QCOMPARE(spaced(found.resume), resume);
        QCOMPARE(found.looksItself, itself);
        QCOMPARE(QString(listOf(found.output) + " " + listOf(found.seed)).trimmed(), others);
        QCOMPARE(found.why.empty(), resume.isEmpty() && !itself);
    }
};

QTEST_GUILESS_MAIN(ResumeWordsTest)
#include "resume_words_test.moc"
