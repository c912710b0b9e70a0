// SPDX-License-Identifier: GPL-3.0-or-later
// The link to a service that lives on a host: a process here that stands for it in its folder of this workspace. It
// holds the folder's lock, answers on its control socket, forwards its port and writes its state, so that whoever asks
// the service asks as if it were here. The service does not end with the link.
#pragma once

#include "app/ctl/home/head_call.h"
#include "engine/base/machine/mutex.h"
#include "engine/serve/control/figure_log.h"
#include "engine/serve/control/service_folder.h"
#include "engine/serve/server/control_desk.h"
#include "remote/ssh/port_forward.h"

#include <atomic>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <optional>

namespace trainyard::ctl {

// Of one thread, but for what it starts itself.
class ServiceLink {
public:
    ServiceLink(serve::ServiceFolder folder, serve::ServiceSpec spec, UniqueFd signals)
        : m_folder(std::move(folder)), m_spec(std::move(spec)), m_signals(std::move(signals)) {}

    // Finds the service on its host, or starts it there, and stands for it until it has ended or SIGTERM comes; a lost
    // link is tried again after 1, 2, 4, … 30 s. An error: it could not be reached or started the first time, or the
    // host refuses; the state says so, too.
    Result<void> run();

private:
    // A connection, with the program there that tells how the service fares.
    struct Line {
        remote::Head head;
        std::unique_ptr<remote::SshChannel> news;
        Mutex staging{}; // of the head
        std::string text{};
    };
    // What was asked of the service and is not answered yet.
    struct Call {
        std::future<Result<Json>> answer;
        serve::ControlDesk::Done done;
    };

    Result<void> listen();
    Result<void> connect(bool first);
    Result<serve::ServiceSpec> specThere(remote::Head& head) const;
    void follow();
    void waitAndRefuse(double seconds);
    void turn(int milliseconds);
    bool takeNews();
    void takeStatus(std::string_view line);
    void keepVersions();
    void act(const Json& question, const serve::ControlDesk::Done& done);
    void takeAnswers();
    void tell(serve::ServiceState state, const std::string& reason);

    const serve::ServiceFolder m_folder;
    serve::ServiceSpec m_spec;
    UniqueFd m_signals;
    std::string m_token;
    std::optional<remote::PortForward> m_forward;
    std::atomic<int> m_portThere = 0; // of the service; 0: not told yet
    std::optional<serve::ControlDesk> m_control;
    std::shared_ptr<Line> m_line; // null: no link now
    std::list<Call> m_calls;
    serve::ServiceStatus m_status;
    std::map<std::string, serve::ServedModel> m_given; // by their version: as they lie here
    serve::FigureLog m_figures{m_folder.figures()};
    bool m_over = false;  // the service has ended
    bool m_asked = false; // SIGTERM: this process is to end
};

} // namespace trainyard::ctl
