// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run or sweep lives, with the actions on it: the engine carries them out on this computer, `trainyardctl` on
// a host or in a job of Slurm, which finds the way there.
#pragma once

#include "engine/run/actions/edit_runs.h"
#include "engine/run/slurm/slurm_job.h"
#include "engine/run/start/rehearse_loss.h"
#include "engine/run/start/run_start.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/sweep/values/steering.h"
#include "engine/wire/messages.h"

#include <functional>
#include <memory>

class QObject;

namespace trainyard::ui {

// Signs in to hosts, on a background thread, before a process that cannot ask for passwords works there.
using SignIn = std::function<Result<void>(const std::vector<std::string>& hosts)>;

// Every verb returns at once and later calls `then` on the GUI thread, unless `owner` is gone. GUI thread.
class Home : public std::enable_shared_from_this<Home> {
public:
    template <class T>
    using Then = std::function<void(const Result<T>&)>;
    struct Means {
        QObject* owner;
        store::Workspace workspace;
        SignIn signIn;
    };

    explicit Home(Means means) : m_means(std::move(means)) {}
    virtual ~Home() = default;

    // Passes the id to `then`.
    virtual void start(const spec::RunSpec& spec, const run::StartOptions& options, Then<std::string> then) const = 0;
    virtual void startSweep(const spec::SweepSpec& spec, Then<std::string> then) const = 0;
    virtual void stop(const std::string& run, wire::StopMode mode, Then<void> then) const = 0;
    virtual void stopSweep(const std::string& sweep, wire::StopMode mode, Then<void> then) const = 0;
    virtual void steer(const std::string& sweep, const sweep::Steering& asked, Then<void> then) const = 0;
    virtual void command(const std::string& run, wire::CommandKind kind, double value,
                         Then<wire::CommandDone> then) const = 0;
    // Kills a rank, and passes on how the run recovered.
    virtual void rehearse(const std::string& run, int rank, Then<run::Rehearsal> then) const = 0;
    virtual void resume(const std::string& run, const run::ResumeChanges& changes, Then<void> then) const = 0;
    // Passes the edits that undo these to `then`; elsewhere each run is edited on its own.
    virtual void edit(const std::vector<run::RunEdit>& edits, Then<std::vector<run::RunEdit>> then) const = 0;
    // Before files are fetched from there.
    virtual void signIn(Then<void> then) const = 0;
    // The workspace with its points; for a run that lives elsewhere, the mirror.
    virtual store::Workspace record() const = 0;

protected:
    const Means m_means;
};
using HomePtr = std::shared_ptr<const Home>;

// By the host's name in the notes of runs (run::HomeNote::host); empty: this computer.
HomePtr homeNamed(Home::Means means, const std::string& host);
// A Slurm job to submit.
HomePtr homeInJob(Home::Means means, const run::SlurmRequest& request);
// By the id of a run or sweep.
HomePtr homeOf(Home::Means means, const std::string& id);

} // namespace trainyard::ui
