// SPDX-License-Identifier: GPL-3.0-or-later
// Every example file is valid; against the real catalog where the worker program is built.
#include "engine/run/launch/catalog_cache.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <QTest>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace trainyard;

class RunExamplesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isValid_data();
    void isValid();
};

void RunExamplesTest::isValid_data() {
    QTest::addColumn<QString>("file");
    for (const auto& entry : std::filesystem::directory_iterator(TRAINYARD_SOURCE_DIR "/examples"))
        if (entry.path().extension() == ".json")
            QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
}

void RunExamplesTest::isValid() {
    QFETCH(QString, file);
    const std::filesystem::path path = file.toStdString();
    std::ifstream stream(path);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    std::vector<spec::RunSpec> specs;
    if (spec::isSweepFile(text)) {
        const auto sweep = spec::readSweepSpec(path);
        QVERIFY2(sweep.ok(), sweep ? "" : sweep.error().text().c_str());
        const auto trials = spec::foreseenConfigurations(*sweep);
        QVERIFY2(trials.ok() && !trials->empty(), "no trials");
        for (std::size_t index = 0; index < trials->size(); ++index)
            specs.push_back(*spec::trialSpec(*sweep, (*trials)[index], static_cast<int>(index)));
    } else {
        const auto spec = spec::readRunSpec(path);
        QVERIFY2(spec.ok(), spec ? "" : spec.error().text().c_str());
        specs.push_back(*spec);
    }
    const char* programs = std::getenv("TRAINYARD_BIN");
    const auto worker = std::filesystem::path(programs ? programs : ".") / "trainyard-worker";
    std::optional<spec::Catalog> catalog;
    if (std::filesystem::exists(worker)) {
        auto loaded = run::loadCatalog(worker);
        QVERIFY2(loaded.ok(), loaded ? "" : loaded.error().text().c_str());
        catalog = **loaded;
        // The files of a dataset may be missing here; the examples name it all the same.
        for (auto& dataset : catalog->datasets) dataset.available = true;
    }
    for (auto& spec : specs) {
        const auto errors = catalog ? spec::validate(spec, *catalog) : spec::validateFields(spec);
        QVERIFY2(errors.empty(), errors.empty() ? "" : spec::toError(errors, path.filename()).text().c_str());
    }
}

QTEST_GUILESS_MAIN(RunExamplesTest)
#include "run_examples_test.moc"
