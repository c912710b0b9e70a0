<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en_US">
<context>
    <name>Action</name>
    <message numerus="yes">
        <source>%1 (%n runs)</source>
        <translation>
            <numerusform>%1 (%n run)</numerusform>
            <numerusform>%1 (%n runs)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Axis</name>
    <message numerus="yes">
        <source>%n values</source>
        <translation>
            <numerusform>%n value</numerusform>
            <numerusform>%n values</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message numerus="yes">
        <source>started with %n workers</source>
        <comment>started with %n worker</comment>
        <translation>
            <numerusform>started with %n worker</numerusform>
            <numerusform>started with %n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slots</source>
        <comment>%n slot</comment>
        <translation>
            <numerusform>%n slot</numerusform>
            <numerusform>%n slots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workers</source>
        <comment>%n worker</comment>
        <translation>
            <numerusform>%n worker</numerusform>
            <numerusform>%n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <comment>%n core</comment>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n threads each</source>
        <comment>%1 of %n thread each</comment>
        <translation>
            <numerusform>%1 of %n thread each</numerusform>
            <numerusform>%1 of %n threads each</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n CUDA devices</source>
        <comment>%n CUDA device</comment>
        <translation>
            <numerusform>%n CUDA device</numerusform>
            <numerusform>%n CUDA devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %2, %n trials on each, %3</source>
        <comment>%1: %2, %n trial on each, %3</comment>
        <translation>
            <numerusform>%1: %2, %n trial on each, %3</numerusform>
            <numerusform>%1: %2, %n trials on each, %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n configurations</source>
        <comment>%n configuration</comment>
        <translation>
            <numerusform>%n configuration</numerusform>
            <numerusform>%n configurations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>added %n configurations</source>
        <comment>added %n configuration</comment>
        <translation>
            <numerusform>added %n configuration</numerusform>
            <numerusform>added %n configurations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportSheet</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Skipped %n more records.</source>
        <translation>
            <numerusform>Skipped %n more record.</numerusform>
            <numerusform>Skipped %n more records.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Plots</name>
    <message numerus="yes">
        <source>%1 points above</source>
        <translation>
            <numerusform>%1 point above</numerusform>
            <numerusform>%1 points above</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 points below</source>
        <translation>
            <numerusform>%1 point below</numerusform>
            <numerusform>%1 points below</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message numerus="yes">
        <source>%n targets</source>
        <translation>
            <numerusform>%n target</numerusform>
            <numerusform>%n targets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunDialogs</name>
    <message numerus="yes">
        <source>Tags of %n runs saved</source>
        <translation>
            <numerusform>Tags of %n run saved</numerusform>
            <numerusform>Tags of %n runs saved</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StartChecklist</name>
    <message numerus="yes">
        <source>Start %n workers</source>
        <translation>
            <numerusform>Start %n worker</numerusform>
            <numerusform>Start %n workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>status</name>
    <message numerus="yes">
        <source>%n workers</source>
        <translation>
            <numerusform>%n worker</numerusform>
            <numerusform>%n workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ArchiveSheet</name>
    <message numerus="yes">
        <source>%n runs, %1</source>
        <translation>
            <numerusform>%n run, %1</numerusform>
            <numerusform>%n runs, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Deletes the points and checkpoints of %n runs and frees %1.</source>
        <translation>
            <numerusform>Deletes the points and checkpoints of %n run and frees %1.</numerusform>
            <numerusform>Deletes the points and checkpoints of %n runs and frees %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n runs</source>
        <translation>
            <numerusform>Delete %n run</numerusform>
            <numerusform>Delete %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ArgumentPane</name>
    <message numerus="yes">
        <source>%n of %1</source>
        <translation>
            <numerusform>%n of %1</numerusform>
            <numerusform>%n of %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::BadFilesSheet</name>
    <message numerus="yes">
        <source>All %n pictures can be read.</source>
        <translation>
            <numerusform>%n picture, and it can be read.</numerusform>
            <numerusform>All %n pictures can be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files cannot be read.</source>
        <translation>
            <numerusform>%n file cannot be read.</numerusform>
            <numerusform>%n files cannot be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pictures are there twice.</source>
        <translation>
            <numerusform>%n picture is there twice.</numerusform>
            <numerusform>%n pictures are there twice.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them are in training and in validation or test.</source>
        <translation>
            <numerusform>%n of them is in training and in validation or test.</numerusform>
            <numerusform>%n of them are in training and in validation or test.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::BatchCard</name>
    <message numerus="yes">
        <source>%1 per worker × %2 workers</source>
        <translation>
            <numerusform>%1 per worker × %2 worker</numerusform>
            <numerusform>%1 per worker × %2 workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ChangeList</name>
    <message numerus="yes">
        <source>%n fields changed</source>
        <translation>
            <numerusform>%n field changed</numerusform>
            <numerusform>%n fields changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ChartBar</name>
    <message numerus="yes">
        <source>%n columns</source>
        <translation>
            <numerusform>%n column</numerusform>
            <numerusform>%n columns</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CheckCard</name>
    <message numerus="yes">
        <source>Yes, with %n warnings</source>
        <translation>
            <numerusform>Yes, with %n warning</numerusform>
            <numerusform>Yes, with %n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CheckpointsPage</name>
    <message numerus="yes">
        <source>%n checkpoints</source>
        <translation>
            <numerusform>%n checkpoint</numerusform>
            <numerusform>%n checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> of %n runs, %1</source>
        <translation>
            <numerusform> of %n run, %1</numerusform>
            <numerusform> of %n runs, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ColorSheet</name>
    <message numerus="yes">
        <source>The colour of %n runs in all lists and charts</source>
        <translation>
            <numerusform>The colour of %n run in all lists and charts</numerusform>
            <numerusform>The colour of %n runs in all lists and charts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CompareTable</name>
    <message numerus="yes">
        <source>%1, %n runs</source>
        <translation>
            <numerusform>%1, %n run</numerusform>
            <numerusform>%1, %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CompareView</name>
    <message numerus="yes">
        <source>%n values differ</source>
        <translation>
            <numerusform>%n value differs</numerusform>
            <numerusform>%n values differ</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ConfusionChart</name>
    <message numerus="yes">
        <source>%n classes</source>
        <translation>
            <numerusform>%n class</numerusform>
            <numerusform>%n classes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CostCard</name>
    <message numerus="yes">
        <source>%n trials at a time, estimated from the throughput of the newest run with the same model, data and workers, or of an earlier sweep&apos;s trial</source>
        <translation>
            <numerusform>%n trial at a time, estimated from the throughput of the newest run with the same model, data and workers, or of an earlier sweep&apos;s trial</numerusform>
            <numerusform>%n trials at a time, estimated from the throughput of the newest run with the same model, data and workers, or of an earlier sweep&apos;s trial</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::CurvesCard</name>
    <message numerus="yes">
        <source>%n classes</source>
        <translation>
            <numerusform>%n class</numerusform>
            <numerusform>%n classes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DataPage</name>
    <message numerus="yes">
        <source>%n models</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln samples</source>
        <translation>
            <numerusform>%Ln sample</numerusform>
            <numerusform>%Ln samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln classes</source>
        <translation>
            <numerusform>%Ln class</numerusform>
            <numerusform>%Ln classes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln targets</source>
        <translation>
            <numerusform>%Ln target</numerusform>
            <numerusform>%Ln targets</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DiffSheet</name>
    <message numerus="yes">
        <source>The weights are equal: %n tensors</source>
        <translation>
            <numerusform>The weights are equal: %n tensor</numerusform>
            <numerusform>The weights are equal: %n tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::DrawingWatch</name>
    <message numerus="yes">
        <source>Trainyard ended while drawing %Ln selected runs, so it did not select them again</source>
        <translation>
            <numerusform>Trainyard ended while drawing %Ln selected run, so it did not select it again</numerusform>
            <numerusform>Trainyard ended while drawing %Ln selected runs, so it did not select them again</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::FileDrop</name>
    <message numerus="yes">
        <source>Drop to import the runs in %n files and folders</source>
        <translation>
            <numerusform>Drop to import the runs in %n file or folder</numerusform>
            <numerusform>Drop to import the runs in %n files and folders</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::FormStrip</name>
    <message numerus="yes">
        <source>%n workers</source>
        <translation>
            <numerusform>%n worker</numerusform>
            <numerusform>%n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trials over %1</source>
        <translation>
            <numerusform>%n trial over %1</numerusform>
            <numerusform>%n trials over %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::HomePage</name>
    <message numerus="yes">
        <source>Fashion-MNIST is not installed here, so this run uses a generated dataset. %n workers; the first point appears in about 2 seconds.</source>
        <translation>
            <numerusform>Fashion-MNIST is not installed here, so this run uses a generated dataset. %n worker; the first point appears in about 2 seconds.</numerusform>
            <numerusform>Fashion-MNIST is not installed here, so this run uses a generated dataset. %n workers; the first point appears in about 2 seconds.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A small network on %1 images of clothes, %n workers. The first point appears in about 2 seconds.</source>
        <translation>
            <numerusform>A small network on %1 images of clothes, %n worker. The first point appears in about 2 seconds.</numerusform>
            <numerusform>A small network on %1 images of clothes, %n workers. The first point appears in about 2 seconds.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> and %n GPUs</source>
        <translation>
            <numerusform> and %n GPU</numerusform>
            <numerusform> and %n GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ImportSheet</name>
    <message numerus="yes">
        <source>%n runs found</source>
        <translation>
            <numerusform>%n run found</numerusform>
            <numerusform>%n runs found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Import %n runs</source>
        <translation>
            <numerusform>Import %n run</numerusform>
            <numerusform>Import %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ImportanceView</name>
    <message numerus="yes">
        <source>Importance · %n trials</source>
        <translation>
            <numerusform>Importance · %n trial</numerusform>
            <numerusform>Importance · %n trials</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::Inspector</name>
    <message numerus="yes">
        <source>%n more…</source>
        <translation>
            <numerusform>%n more…</numerusform>
            <numerusform>%n more…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LineageSheet</name>
    <message numerus="yes">
        <source>%n more trials of the sweep are not connected to it</source>
        <translation>
            <numerusform>%n more trial of the sweep is not connected to it</numerusform>
            <numerusform>%n more trials of the sweep are not connected to it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LocalHostCard</name>
    <message numerus="yes">
        <source>CPU, %n cores</source>
        <translation>
            <numerusform>CPU, %n core</numerusform>
            <numerusform>CPU, %n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LogsView</name>
    <message numerus="yes">
        <source>%n hits</source>
        <translation>
            <numerusform>%n hit</numerusform>
            <numerusform>%n hits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lines</source>
        <translation>
            <numerusform>%1 line</numerusform>
            <numerusform>%1 lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n errors</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied %n lines</source>
        <translation>
            <numerusform>Copied %n line</numerusform>
            <numerusform>Copied %n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::LrField</name>
    <message numerus="yes">
        <source>%n values, one trial each</source>
        <translation>
            <numerusform>%n value, one trial</numerusform>
            <numerusform>%n values, one trial each</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n values</source>
        <translation>
            <numerusform>%n value</numerusform>
            <numerusform>%n values</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::MainWindow</name>
    <message numerus="yes">
        <source>%n runs</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::MetricCard</name>
    <message numerus="yes">
        <source>%1: %n curves from %2 to %3, values from %4 to %5</source>
        <translation>
            <numerusform>%1: %n curve from %2 to %3, values from %4 to %5</numerusform>
            <numerusform>%1: %n curves from %2 to %3, values from %4 to %5</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::NewRunFooter</name>
    <message numerus="yes">
        <source>Start %n trials</source>
        <translation>
            <numerusform>Start %n trial</numerusform>
            <numerusform>Start %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to fix</source>
        <translation>
            <numerusform>%n to fix</numerusform>
            <numerusform>%n to fix</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ProgramSection</name>
    <message numerus="yes">
        <source>%n packages</source>
        <translation>
            <numerusform>%n package</numerusform>
            <numerusform>%n packages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::PruneSheet</name>
    <message numerus="yes">
        <source>In the %n filtered runs</source>
        <translation>
            <numerusform>In the %n filtered run</numerusform>
            <numerusform>In the %n filtered runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In all %n runs</source>
        <translation>
            <numerusform>In the %n run</numerusform>
            <numerusform>In all %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints, frees %1</source>
        <translation>
            <numerusform>%n checkpoint, frees %1</numerusform>
            <numerusform>%n checkpoints, frees %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n checkpoints</source>
        <translation>
            <numerusform>Delete %n checkpoint</numerusform>
            <numerusform>Delete %n checkpoints</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RatesCard</name>
    <message numerus="yes">
        <source>%n values, by epoch</source>
        <translation>
            <numerusform>%n value, by epoch</numerusform>
            <numerusform>%n values, by epoch</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RecentRunRow</name>
    <message numerus="yes">
        <source>Sweep, %n trials, %1, %2</source>
        <translation>
            <numerusform>Sweep, %n trial, %1, %2</numerusform>
            <numerusform>Sweep, %n trials, %1, %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sweep, %n trials, %1</source>
        <translation>
            <numerusform>Sweep, %n trial, %1</numerusform>
            <numerusform>Sweep, %n trials, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RehearsalSheet</name>
    <message numerus="yes">
        <source>Recovered in %1, %n steps are repeated</source>
        <translation>
            <numerusform>Recovered in %1, %n step is repeated</numerusform>
            <numerusform>Recovered in %1, %n steps are repeated</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RemoteHostCard</name>
    <message numerus="yes">
        <source>%1, %n cores</source>
        <translation>
            <numerusform>%1, %n core</numerusform>
            <numerusform>%1, %n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RemoteHosts</name>
    <message numerus="yes">
        <source>%n hosts</source>
        <translation>
            <numerusform>%n host</numerusform>
            <numerusform>%n hosts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ReplicaChip</name>
    <message numerus="yes">
        <source>%1 answered · %n restarts</source>
        <translation>
            <numerusform>%1 answered · %n restart</numerusform>
            <numerusform>%1 answered · %n restarts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunActions</name>
    <message numerus="yes">
        <source>%n runs archived</source>
        <translation>
            <numerusform>%n run archived</numerusform>
            <numerusform>%n runs archived</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs restored</source>
        <translation>
            <numerusform>%n run restored</numerusform>
            <numerusform>%n runs restored</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs deleted, %1 freed</source>
        <translation>
            <numerusform>%n run deleted, %1 freed</numerusform>
            <numerusform>%n runs deleted, %1 freed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints pinned</source>
        <translation>
            <numerusform>%n checkpoint pinned</numerusform>
            <numerusform>%n checkpoints pinned</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints unpinned</source>
        <translation>
            <numerusform>%n checkpoint unpinned</numerusform>
            <numerusform>%n checkpoints unpinned</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints deleted, %1 freed</source>
        <translation>
            <numerusform>%n checkpoint deleted, %1 freed</numerusform>
            <numerusform>%n checkpoints deleted, %1 freed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Colour of %n runs changed</source>
        <translation>
            <numerusform>Colour of %n run changed</numerusform>
            <numerusform>Colour of %n runs changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunChecks</name>
    <message numerus="yes">
        <source>%n trials, every field valid</source>
        <translation>
            <numerusform>%n trial, every field valid</numerusform>
            <numerusform>%n trials, every field valid</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>asking %n hosts…</source>
        <translation>
            <numerusform>asking %n host…</numerusform>
            <numerusform>asking %n hosts…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hosts</source>
        <translation>
            <numerusform>%n host</numerusform>
            <numerusform>%n hosts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>shared with %n running runs</source>
        <translation>
            <numerusform>shared with %n running run</numerusform>
            <numerusform>shared with %n running runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workers share %1</source>
        <translation>
            <numerusform>%n worker has %1</numerusform>
            <numerusform>%n workers share %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workers on %1</source>
        <translation>
            <numerusform>%n worker on %1</numerusform>
            <numerusform>%n workers on %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to fix, marked in the form</source>
        <translation>
            <numerusform>%n to fix, marked in the form</numerusform>
            <numerusform>%n to fix, marked in the form</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1; the head keeps %n classes</source>
        <translation>
            <numerusform>%1; the head keeps %n class</numerusform>
            <numerusform>%1; the head keeps %n classes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunControls</name>
    <message numerus="yes">
        <source>Continue for %n more epochs</source>
        <translation>
            <numerusform>Continue for %n more epoch</numerusform>
            <numerusform>Continue for %n more epochs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more epochs</source>
        <translation>
            <numerusform>%n more epoch</numerusform>
            <numerusform>%n more epochs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Train for %n more epochs from the last checkpoint</source>
        <translation>
            <numerusform>Train for %n more epoch from the last checkpoint</numerusform>
            <numerusform>Train for %n more epochs from the last checkpoint</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunForm</name>
    <message numerus="yes">
        <source>%n fields cannot be read</source>
        <translation>
            <numerusform>%n field cannot be read</numerusform>
            <numerusform>%n fields cannot be read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunHeader</name>
    <message numerus="yes">
        <source>%n processes left</source>
        <translation>
            <numerusform>%n process left</numerusform>
            <numerusform>%n processes left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunLegend</name>
    <message numerus="yes">
        <source>%n more…</source>
        <translation>
            <numerusform>%n more…</numerusform>
            <numerusform>%n more…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunNotices</name>
    <message numerus="yes">
        <source>%n trials</source>
        <translation>
            <numerusform>%n trial</numerusform>
            <numerusform>%n trials</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunsModel</name>
    <message numerus="yes">
        <source>%1: %2 ± %3 over %n runs</source>
        <translation>
            <numerusform>%1: %2 ± %3 over %n run</numerusform>
            <numerusform>%1: %2 ± %3 over %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n runs</source>
        <translation>
            <numerusform>%1, %n run</numerusform>
            <numerusform>%1, %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::RunsPanel</name>
    <message numerus="yes">
        <source>The database has lost %n runs</source>
        <translation>
            <numerusform>The database has lost %n run</numerusform>
            <numerusform>The database has lost %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Select these %n runs</source>
        <translation>
            <numerusform>Select this %n run</numerusform>
            <numerusform>Select these %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs are still training; stop them before archiving</source>
        <translation>
            <numerusform>%n run is still training; stop it before archiving</numerusform>
            <numerusform>%n runs are still training; stop them before archiving</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ScaleSheet</name>
    <message numerus="yes">
        <source>It takes no new requests from now on. The %n it has accepted are finished within %1 s at most; then its processes end, and are counted. It can be started again at the same address.</source>
        <translation>
            <numerusform>It takes no new requests from now on. The %n it has accepted is finished within %1 s at most; then its processes end, and are counted. It can be started again at the same address.</numerusform>
            <numerusform>It takes no new requests from now on. The %n it has accepted are finished within %1 s at most; then its processes end, and are counted. It can be started again at the same address.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ScalingSheet</name>
    <message numerus="yes">
        <source>%n runs are training and would distort the result: wait for them, or stop them</source>
        <translation>
            <numerusform>%n run is training and would distort the result: wait for it, or stop it</numerusform>
            <numerusform>%n runs are training and would distort the result: wait for them, or stop them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Measuring %n workers…</source>
        <translation>
            <numerusform>Measuring %n worker…</numerusform>
            <numerusform>Measuring %n workers…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>on this computer, %n cores</source>
        <translation>
            <numerusform>on this computer, %n core</numerusform>
            <numerusform>on this computer, %n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workers</source>
        <translation>
            <numerusform>%n worker</numerusform>
            <numerusform>%n workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ServePage</name>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n running</numerusform>
            <numerusform>%n running</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ServiceActions</name>
    <message numerus="yes">
        <source>%1 keeps %n replicas</source>
        <translation>
            <numerusform>%1 keeps %n replica</numerusform>
            <numerusform>%1 keeps %n replicas</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ServiceBoard</name>
    <message numerus="yes">
        <source>It finishes %n requests, then ends</source>
        <translation>
            <numerusform>It finishes %n request, then ends</numerusform>
            <numerusform>It finishes %n requests, then ends</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopped, %n processes left</source>
        <translation>
            <numerusform>Stopped, %n process left</numerusform>
            <numerusform>Stopped, %n processes left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n at all times</source>
        <translation>
            <numerusform>%n at all times</numerusform>
            <numerusform>%n at all times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::ServiceList</name>
    <message numerus="yes">
        <source>%n processes left</source>
        <translation>
            <numerusform>%n process left</numerusform>
            <numerusform>%n processes left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SourcesSection</name>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n point</numerusform>
            <numerusform>%n points</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::StopSheet</name>
    <message numerus="yes">
        <source>Stop %n programs</source>
        <translation>
            <numerusform>Stop %n program</numerusform>
            <numerusform>Stop %n programs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SweepFields</name>
    <message numerus="yes">
        <source>%n options cannot be read</source>
        <translation>
            <numerusform>%n option cannot be read</numerusform>
            <numerusform>%n options cannot be read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::SweepsPage</name>
    <message numerus="yes">
        <source>Last known: %1, %n trials.</source>
        <translation>
            <numerusform>Last known: %1, %n trial.</numerusform>
            <numerusform>Last known: %1, %n trials.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::TopBar</name>
    <message numerus="yes">
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cores</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPUs</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::ui::WeightRows</name>
    <message numerus="yes">
        <source>%n epochs of the last layer alone, in seconds</source>
        <translation>
            <numerusform>%n epoch of the last layer alone, in seconds</numerusform>
            <numerusform>%n epochs of the last layer alone, in seconds</numerusform>
        </translation>
    </message>
</context>
</TS>
