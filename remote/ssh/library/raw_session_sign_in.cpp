// SPDX-License-Identifier: GPL-3.0-or-later
// Signing in: the configured key first, from the agent or its file; then the agent's other keys, those of the usual
// files first; then these files.
#include "engine/base/clock.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/text/base64.h"
#include "engine/base/text/printable.h"
#include "remote/book/key_file.h"
#include "remote/book/known_hosts.h"
#include "remote/ssh/library/raw_session.h"

#include <libssh2.h>

#include <pwd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace trainyard::remote {
namespace {

constexpr int kMaxTries = 6;      // servers hang up after MaxAuthTries, 6 by default
constexpr int kMaxAgentTries = 5; // so that one is left for a key file

struct AgentCloser {
    void operator()(LIBSSH2_AGENT* agent) const {
        libssh2_agent_disconnect(agent);
        libssh2_agent_free(agent);
    }
};

class SignIn {
public:
    SignIn(RawSession& raw, const HostEntry& host, const ConnectOptions& options)
        : m_raw(raw), m_host(host), m_options(options), m_user(host.user) {
        if (m_user.empty())
            if (const passwd* entry = ::getpwuid(::getuid()); entry != nullptr) m_user = entry->pw_name;
    }
    Result<std::string> run(); // the method that worked

private:
    Result<bool> askMethods();
    void findKeys();
    Result<bool> tryAgent();
    Result<bool> tryFile(const KeyFile& key);
    Result<bool> judge(int code, const std::string& what);
    Error refused() const;
    double deadline() const { return monotonicSeconds() + m_options.timeoutSeconds; }
    bool tired() const { return m_tries >= kMaxTries; }
    bool isOwn(std::string_view blob) const;
    std::string remedyFor(const std::string& login) const;

    RawSession& m_raw;
    const HostEntry& m_host;
    const ConnectOptions& m_options;
    std::string m_user, m_method;
    std::vector<KeyFile> m_files; // the configured one, or the usual ones
    std::string m_named;          // the public key of the configured one; empty: none, or it is not known
    std::vector<std::string> m_offered, m_notes;
    std::vector<Error> m_unusable; // key files, with the ways to mend them
    bool m_sawRsa = false, m_agentIsSilent = false;
    bool m_needsAgent = false; // a key that is named by its public half
    std::size_t m_leftOut = 0; // keys of the agent
    std::string m_locked;      // the first key whose passphrase nobody could be asked for
    int m_tries = 0;
};

// True when no key is needed at all.
Result<bool> SignIn::askMethods() {
    char* list = nullptr;
    const double end = deadline();
    do list = libssh2_userauth_list(m_raw.session(), m_user.c_str(), static_cast<unsigned>(m_user.size()));
    while (list == nullptr && m_raw.lastErrorCode() == LIBSSH2_ERROR_EAGAIN && m_raw.wait(end));
    if (list == nullptr) {
        if (libssh2_userauth_authenticated(m_raw.session()) != 0) return true;
        return environmentError("the host broke off while signing in (" + m_raw.lastError() + ")", m_host.label(),
                                "look at the SSH server's log on the host")
            .withCode(ErrorCode::ConnectionLost);
    }
    const std::string methods = std::string(",") + list + ",";
    if (methods.find(",publickey,") == std::string::npos)
        return environmentError("the host allows no sign-in by key for " + m_user + ", only: " + printable(list),
                                m_host.label(), "set PubkeyAuthentication yes in the host's sshd_config")
            .withCode(ErrorCode::SignInRefused);
    return false;
}

void SignIn::findKeys() {
    std::vector<std::filesystem::path> paths;
    if (!m_host.identityFile.empty()) paths.emplace_back(m_host.identityFile);
    else
        for (const char* name : {"id_ed25519", "id_ecdsa", "id_rsa"}) paths.push_back(homeFolder() / ".ssh" / name);
    for (const auto& path : paths) {
        std::error_code ignored;
        if (m_host.identityFile.empty() && !std::filesystem::exists(path, ignored)) continue;
        auto key = inspectKeyFile(path);
        if (key.ok()) m_files.push_back(std::move(key).value());
        else if (!publicKeyIn(path).empty()) {
            m_needsAgent = true;
            m_unusable.push_back(inputError("is a public key, whose private one the agent does not have", path.string(),
                                            "give the file without .pub, or add that one with ssh-add"));
        } else m_unusable.push_back(key.error());
    }
    if (m_host.identityFile.empty()) return;
    if (!m_files.empty()) m_named = m_files[0].blob;
    if (m_named.empty()) m_named = publicKeyIn(m_host.identityFile);
    if (m_named.empty()) m_named = publicKeyIn(m_host.identityFile + ".pub");
}

// Whether the key is the configured one or, where none is, one of the usual files: the agent's others are foreign.
bool SignIn::isOwn(std::string_view blob) const {
    if (!m_host.identityFile.empty()) return !m_named.empty() && blob == m_named;
    return std::ranges::any_of(m_files, [&](const KeyFile& key) { return !key.blob.empty() && blob == key.blob; });
}

// True: signed in. False: refused, go on. An error ends it all.
Result<bool> SignIn::judge(int code, const std::string& what) {
    if (code == 0) {
        m_method = what;
        return true;
    }
    m_offered.push_back(what);
    if (code == LIBSSH2_ERROR_AUTHENTICATION_FAILED) return false;
    if (code == LIBSSH2_ERROR_EAGAIN)
        return environmentError("the host did not answer while signing in with " + what, m_host.label())
            .withCode(ErrorCode::ConnectionLost);
    // MaxAuthTries: the server is done with us.
    if (code == LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED || tired()) return refused();
    if (m_raw.lastErrorCode() == LIBSSH2_ERROR_SOCKET_DISCONNECT || code == LIBSSH2_ERROR_SOCKET_SEND ||
        code == LIBSSH2_ERROR_SOCKET_RECV)
        return environmentError("the host hung up while signing in with " + what, m_host.label(),
                                "look at the SSH server's log on the host")
            .withCode(ErrorCode::ConnectionLost);
    m_notes.push_back(what + ": " + m_raw.lastError());
    return false;
}

Result<bool> SignIn::tryAgent() {
    if (!m_options.useAgent || std::getenv("SSH_AUTH_SOCK") == nullptr) return false;
    const std::unique_ptr<LIBSSH2_AGENT, AgentCloser> agent(libssh2_agent_init(m_raw.session()));
    if (!agent || libssh2_agent_connect(agent.get()) != 0 || libssh2_agent_list_identities(agent.get()) != 0) {
        m_notes.emplace_back("the SSH agent at SSH_AUTH_SOCK does not answer");
        m_agentIsSilent = true;
        return false;
    }
    std::vector<libssh2_agent_publickey*> identities;
    for (libssh2_agent_publickey *next = nullptr, *last = nullptr;
         libssh2_agent_get_identity(agent.get(), &next, last) == 0; last = next)
        identities.push_back(next);
    const auto blobOf = [](const libssh2_agent_publickey* identity) {
        return std::string_view(reinterpret_cast<const char*>(identity->blob), identity->blob_len);
    };
    const auto rank = [&](const libssh2_agent_publickey* identity) {
        if (isOwn(blobOf(identity))) return 0;
        return keyType(blobOf(identity)) == "ssh-rsa" ? 2 : 1; // RSA with SHA-1, which few servers still take
    };
    std::ranges::stable_sort(identities, {}, rank);
    for (std::size_t next = 0; next < identities.size(); ++next) {
        auto* identity = identities[next];
        // A configured key is tried from its file before keys that merely happen to be in the agent.
        if (!m_named.empty() && !m_files.empty() && !isOwn(blobOf(identity)) && m_offered.empty()) {
            TY_ASSIGN(const bool done, tryFile(m_files[0]));
            if (done) return true;
        }
        if (m_tries >= kMaxAgentTries) {
            m_leftOut = identities.size() - next;
            break;
        }
        ++m_tries;
        m_sawRsa |= keyType(blobOf(identity)) == "ssh-rsa";
        const int code =
            m_raw.repeat(deadline(), [&] { return libssh2_agent_userauth(agent.get(), m_user.c_str(), identity); });
        const std::string name = identity->comment != nullptr && *identity->comment != '\0'
                                     ? printable(identity->comment)
                                     : keyFingerprint(blobOf(identity));
        TY_ASSIGN(const bool done, judge(code, "agent key " + name));
        if (done) return true;
    }
    return false;
}

Result<bool> SignIn::tryFile(const KeyFile& key) {
    const std::string what = "key file " + key.path;
    if (std::ranges::find(m_offered, what) != m_offered.end()) return false;
    if (key.encrypted && !m_options.askPassphrase) {
        if (m_locked.empty()) m_locked = key.path;
        m_notes.push_back(key.path + " is protected by a passphrase, and there is nobody to ask for it");
        return false;
    }
    m_sawRsa |= key.isRsa();
    for (int attempt = 1; attempt <= 3 && !tired(); ++attempt) {
        std::string passphrase;
        if (key.encrypted) {
            auto answer = m_options.askPassphrase({key.path, attempt});
            if (!answer) {
                if (m_locked.empty()) m_locked = key.path;
                m_notes.push_back("no passphrase was given for " + key.path);
                return false;
            }
            passphrase = std::move(*answer);
        }
        const int code = m_raw.repeat(deadline(), [&] {
            return libssh2_userauth_publickey_fromfile_ex(m_raw.session(), m_user.c_str(),
                                                          static_cast<unsigned>(m_user.size()), nullptr,
                                                          key.path.c_str(), passphrase.c_str());
        });
        explicit_bzero(passphrase.data(), passphrase.size());
        // The key was never offered: the passphrase does not open it.
        const bool unread = code == LIBSSH2_ERROR_FILE || code == LIBSSH2_ERROR_KEYFILE_AUTH_FAILED ||
                            code == LIBSSH2_ERROR_METHOD_NOT_SUPPORTED;
        if (key.encrypted && unread) {
            if (attempt < 3) continue;
            if (m_locked.empty()) m_locked = key.path;
            m_notes.push_back("the passphrase of " + key.path + " is wrong");
            return false;
        }
        ++m_tries;
        return judge(code, what);
    }
    return false;
}

std::string SignIn::remedyFor(const std::string& login) const {
    const auto naming = [this] { return "trainyardctl hosts add " + commandWord(m_host) + " --replace --identity "; };
    if (m_sawRsa)
        return "RSA keys do not work with this program's SSH library (libssh2 before 1.11 signs with SHA-1 only): "
               "make an ed25519 key with ssh-keygen -t ed25519, then ssh-copy-id -i ~/.ssh/id_ed25519 " +
               login + (m_host.identityFile.empty() ? "" : "; then name it: " + naming() + "~/.ssh/id_ed25519");
    const bool agentIsGone = m_needsAgent && m_agentIsSilent;
    if (m_files.empty() && !m_unusable.empty() && !agentIsGone) return m_unusable[0].remedy;
    if (!m_locked.empty()) return "unlock the key with: ssh-add " + m_locked;
    if (m_leftOut > 0)
        return "say which key the host allows: " + naming() +
               "FILE, or IdentityFile in the SSH config; the public key will do for one that the agent has";
    if (m_agentIsSilent && m_offered.empty()) {
        const std::string socket = printable(std::getenv("SSH_AUTH_SOCK"));
        return "start it where it was: rm -f " + socket + "; ssh-agent -a " + socket +
               "; then add the key: SSH_AUTH_SOCK=" + socket + " ssh-add";
    }
    if (m_offered.empty() && m_notes.empty()) return "make one with ssh-keygen -t ed25519, then ssh-copy-id " + login;
    return "allow the key on the host with: ssh-copy-id " + (m_files.empty() ? "" : "-i " + m_files[0].path + " ") +
           login;
}

Error SignIn::refused() const {
    std::string message;
    for (const auto& each : m_offered) message += (message.empty() ? "" : ", ") + each;
    message = m_offered.empty() ? "there is no key to sign in with as " + m_user
                                : "the host refused every key for " + m_user + ": " + message;
    if (m_leftOut > 0)
        message += "; " + std::to_string(m_leftOut) + " more of the agent were not tried, as servers hang up after " +
                   std::to_string(kMaxTries) + " keys";
    for (const auto& key : m_unusable) message += "; " + key.where + ": " + key.message;
    for (const auto& note : m_notes) message += "; " + note;
    const std::string login =
        (m_host.port == 22 ? "" : "-p " + std::to_string(m_host.port) + " ") + m_user + "@" + m_host.target();
    return environmentError(message, m_host.label(), remedyFor(login)).withCode(ErrorCode::SignInRefused);
}

Result<std::string> SignIn::run() {
    TY_ASSIGN(const bool open, askMethods());
    if (open) return std::string("none");
    findKeys();
    TY_ASSIGN(const bool byAgent, tryAgent());
    if (byAgent) return m_method;
    for (const auto& key : m_files) {
        TY_ASSIGN(const bool done, tryFile(key));
        if (done) return m_method;
    }
    return refused();
}

} // namespace

Result<void> signIn(RawSession& raw, const HostEntry& host, const ConnectOptions& options, SshFacts& facts) {
    const double start = monotonicSeconds();
    TY_ASSIGN(facts.authMethod, SignIn(raw, host, options).run());
    facts.signInSeconds = monotonicSeconds() - start;
    return {};
}

} // namespace trainyard::remote
