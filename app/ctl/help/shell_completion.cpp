// SPDX-License-Identifier: GPL-3.0-or-later
// The shells know nothing of the commands: `trainyardctl complete WORD...` answers with a line of flags (":files",
// ":folders", ":open", ":none") and then one candidate a line, with its meaning after a tab.
#include "app/ctl/help/shell_completion.h"

namespace trainyard::ctl {
namespace {

constexpr const char* kBash =
    R"script(# bash completion of trainyardctl; source it, or install it as completions/trainyardctl
_trainyardctl() {
    # bash breaks words at '@', '=' and ':', too; these are the words as trainyardctl gets them.
    local line=${COMP_LINE:0:COMP_POINT} words=() i word gap
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        gap=${line%%[![:space:]]*}
        line=${line#"$gap"}
        [[ $line == "$word"* ]] || word=$line
        if ((i == 0)) || [[ -n $gap ]]; then words+=("$word"); else words[-1]+=$word; fi
        line=${line#"$word"}
    done
    local typed=${words[-1]} breaks='' before='' each answer=()
    for each in = : @; do if [[ $COMP_WORDBREAKS == *"$each"* ]]; then breaks+=$each; fi; done
    if [[ -n $breaks ]]; then before=${typed%"${typed##*[$breaks]}"}; fi
    mapfile -t answer < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
    COMPREPLY=()
    for each in "${answer[@]:1}"; do
        printf -v word %q "${each%%$'\t'*}"
        COMPREPLY+=("${word#"$before"}")
    done
    case ${answer[0]-} in
        *files*)
            compopt -o filenames 2>/dev/null
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${typed#"$before"}")
            ;;
        *folders*)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -d -- "${typed#"$before"}")
            ;;
        *open*) compopt -o nospace 2>/dev/null ;;
    esac
}
complete -F _trainyardctl trainyardctl
)script";

constexpr const char* kZsh = R"script(#compdef trainyardctl
# zsh completion of trainyardctl; put it into a folder of $fpath as _trainyardctl
_trainyardctl() {
    local -a answer entries
    local each flags
    answer=("${(@f)$("${(Q)words[1]}" complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    flags=${answer[1]}
    shift answer
    for each in $answer; do
        entries+=("${${each%%$'\t'*}//:/\\:}:${each#*$'\t'}")
    done
    if [[ $flags == *open* ]]; then
        _describe -t values trainyardctl entries -S ''
    elif (($#entries)); then
        _describe -t values trainyardctl entries
    fi
    case $flags in
        *files*) _files ;;
        *folders*) _files -/ ;;
    esac
}
if [[ $funcstack[1] == _trainyardctl ]]; then _trainyardctl "$@"; else compdef _trainyardctl trainyardctl; fi
)script";

constexpr const char* kFish =
    R"script(# fish completion of trainyardctl; source it, or put it into a folder of $fish_complete_path
function __trainyardctl_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l answer ($program complete $words "$typed" 2>/dev/null)
    set -l flags $answer[1]
    set -e answer[1]
    if test (count $answer) -gt 0
        printf '%s\n' $answer
    end
    if string match -q '*files*' -- "$flags"
        __fish_complete_path "$typed"
    else if string match -q '*folders*' -- "$flags"
        __fish_complete_directories "$typed" ''
    end
end
complete -c trainyardctl -f -a '(__trainyardctl_complete)'
)script";

} // namespace

const std::vector<std::string>& completedShells() {
    static const std::vector<std::string> shells{"bash", "zsh", "fish"};
    return shells;
}

const char* shellCompletion(const std::string& shell) {
    if (shell == "bash") return kBash;
    if (shell == "zsh") return kZsh;
    return shell == "fish" ? kFish : "";
}

} // namespace trainyard::ctl
