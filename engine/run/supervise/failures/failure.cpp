// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/failures/failure.h"

#include "engine/base/text/printable.h"
#include "engine/run/launch/launcher.h"

#include <algorithm>

namespace trainyard::run {

const char* const kWaysOut = "train elsewhere: trainyardctl resume RUN --set 'hosts=[\"HOST\"]'; with spareHosts or "
                             "scaling.elastic in its run file, a run goes on by itself";

std::string rankName(int rank, const HostName& host) {
    return "rank " + std::to_string(rank) + " on " + (host.empty() ? "this computer" : host.text());
}

bool endsProcess(FailureCode code) {
    switch (code) {
    case FailureCode::Exited:
    case FailureCode::OutOfMemory:
    case FailureCode::Silent:
    case FailureCode::Absent:
    case FailureCode::Stuck:
    case FailureCode::BadFrames:
    case FailureCode::OtherProtocol: return true;
    case FailureCode::NotBegun:
    case FailureCode::NotLaunched:
    case FailureCode::NoWay:
    case FailureCode::LinkBroken:
    case FailureCode::Reported:
    case FailureCode::NotSaved:
    case FailureCode::ResultsDiffer: return false;
    }
    return false;
}

bool blamesRank(FailureCode code) { return endsProcess(code) || code == FailureCode::Reported; }

bool Cause::canRetry() const {
    switch (code) {
    case FailureCode::NotBegun:
    case FailureCode::NoWay:
    case FailureCode::OtherProtocol:
    case FailureCode::NotSaved:
    case FailureCode::ResultsDiffer: return false;
    // From the same checkpoint the same steps come to the same loss.
    case FailureCode::Reported: return error.kind != ErrorKind::Input && error.code != ErrorCode::LossNotFinite;
    default: return true;
    }
}

bool Cause::endedItself() const {
    if (code == FailureCode::Exited) return error.code == ErrorCode::WorkerExited;
    return code == FailureCode::Reported && error.kind == ErrorKind::Run &&
           (error.code == ErrorCode::General || error.code == ErrorCode::WorkerExited);
}

bool Cause::isSameAs(const Cause& before) const {
    if (code != before.code || step != before.step || error.code != before.error.code) return false;
    if (code == FailureCode::Stuck) return true;
    if (code != FailureCode::Reported) return false;
    if (error.code == ErrorCode::OutOfMemory) return true;
    // An exception of its own, and no loss of another rank or of a device.
    return error.kind == ErrorKind::Run && error.code == ErrorCode::General && what == before.what;
}

Cause exitCause(const RankRecord& rank, std::int64_t newestStep, const std::string& lastLine, bool byKernel) {
    const bool toldOfMemory = rank.exit && !rank.exit->signalled && rank.exit->code == kOutOfMemoryExit;
    const bool forMemory = byKernel || toldOfMemory;
    std::string what = rank.exit ? rank.exit->text() : "closed its channel", remedy;
    ErrorCode code = rank.exit && rank.exit->hostLost    ? ErrorCode::ConnectionLost
                     : rank.exit && rank.exit->signalled ? ErrorCode::WorkerKilled
                                                         : ErrorCode::WorkerExited;
    if (rank.exit && !rank.exit->signalled && rank.exit->code == 0) what += " before it had finished";
    if (forMemory) {
        what = byKernel ? what + " when the kernel ended a process for lack of memory" : "ran out of memory";
        remedy = "use a smaller batch, model or dataset, fewer ranks, or a higher limit of memory";
        code = ErrorCode::OutOfMemory;
    }
    if (rank.exit && rank.exit->hostLost) remedy = kWaysOut;
    std::string message = "the worker process " + what;
    if (!lastLine.empty()) message += "; the last line it printed: " + lastLine;
    return {forMemory ? FailureCode::OutOfMemory : FailureCode::Exited,
            rank.rank(),
            rank.placement.host,
            std::max(rank.state.beat.step, newestStep),
            std::move(what),
            runError(std::move(message), {}, std::move(remedy)).withCode(code)};
}

Cause frameCause(const RankRecord& rank, const std::string& what, Error error) {
    return {FailureCode::BadFrames, rank.rank(), rank.placement.host, rank.state.beat.step, what, std::move(error)};
}

Cause protocolCause(const RankRecord& rank, int protocol) {
    return {FailureCode::OtherProtocol,
            rank.rank(),
            rank.placement.host,
            0,
            "speaks another protocol",
            environmentError("the worker speaks protocol " + std::to_string(protocol) + ", this program " +
                                 std::to_string(wire::kProtocolVersion),
                             {}, "install the same version of Trainyard on all hosts")};
}

Cause versionCause(const RankRecord& rank, const std::string& version, const std::string& others) {
    return {FailureCode::OtherProtocol,
            rank.rank(),
            rank.placement.host,
            0,
            "has another version",
            environmentError("the worker has version " + printable(version) + ", the others of this run have version " +
                                 printable(others),
                             {}, "resume the run: all its workers are of one version then")};
}

Cause reportedCause(const RankRecord& rank, const wire::Failed& failed) {
    return {FailureCode::Reported, rank.rank(), rank.placement.host, failed.step, "failed: " + failed.error.message,
            failed.error};
}

Cause located(Cause cause) {
    // Every rank tells it, of the rank and step where it happened first: who told it first says nothing.
    if (cause.error.code == ErrorCode::LossNotFinite && !cause.error.where.empty()) return cause;
    std::string where = cause.name() + ", step " + std::to_string(cause.step);
    const bool saidAlready = cause.error.where == "rank " + std::to_string(cause.rank) ||
                             cause.error.where == "step " + std::to_string(cause.step);
    if (!cause.error.where.empty() && !saidAlready) where += ", " + cause.error.where;
    cause.error.where = std::move(where);
    return cause;
}

} // namespace trainyard::run
