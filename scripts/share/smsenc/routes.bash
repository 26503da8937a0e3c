# Finds routes and calls their functions. A route is a file that defines these functions, specified in smsenc-gateways(7):
#
#     route_needs WHERE send|receive          prints the programs that the route needs, PROGRAM [PACKAGE]
#     route_send NUMBER TEXT WHERE NAME       sends an SMS; prints its reference, or the reason why it failed
#     route_send_many WHERE NAME-TAB-NUMBER-TAB-TEXT ...  sends SMS; prints NAME TAB accepted|failed [TAB REFERENCE|REASON]
#     route_receive WHERE SOURCE [ARGUMENT ...]  prints TIME TAB NUMBER TAB TEXT [TAB ID]
#     route_delete WHERE ID                   deletes an SMS that is stored
#     route_reports WHERE SOURCE [ARGUMENT ...]  prints STATUS TAB NAME TAB NUMBER TAB REFERENCE TAB REASON [TAB ID]
#     route_setup WHERE HOOK REPORT USER      prints how to configure the daemon
#     route_check WHERE                       prints PROBLEM TAB COMMAND
#
# The file also sets route_receives to event, input, list or pages.

routes=("${XDG_CONFIG_HOME:-}" /etc "$share")
[[ ${routes[0]} == /* ]] || routes[0]=${HOME:-/nonexistent}/.config
routes=("${routes[0]}/smsenc/routes" /etc/smsenc/routes "$share/routes")

# The time limit in seconds and the maximum number of lines of a function of a route. If a route listed more SMS than `seen` can
# contain, the other SMS would be stored again each time. The lines of routes with route_receives=input are not limited.
route_limit=120 route_lines=10000

# route_names: prints the names of all routes, each once.
route_names() {
    local folder file names=' '
    for folder in "${routes[@]}"; do
        for file in "$folder"/*; do
            file=${file##*/}
            [[ $file == *[!abcdefghijklmnopqrstuvwxyz0123456789-]* || $names == *" $file "* ]] || names+="$file "
        done
    done
    names=${names# }
    echo "${names% }"
}

# no_route WORD: says that there is no such route, and exits.
no_route() {
    local names
    read -r -a names < <(route_names)
    similar "$1" "${names[@]}"
    case ${1,,} in
    modem | usb | sim | mmcli) advice='did you mean modemmanager?' ;;
    phone | android) advice='did you mean termux, kdeconnect or http?' ;;
    esac
    # The word may be the name of a contact.
    [[ $1 == *[!abcdefghijklmnopqrstuvwxyz0123456789-]* ]] || hint=''
    misuse "there is no route $1" "${advice:-choose one of: ${names[*]}${hint:+; $hint}}"
}

# load_route NAME WHERE send|receive: finds the file of a route in the first of the three folders that contains it, and
# checks that its programs are installed. Sets `route_file`, `route_has` (the names of the route's functions, with a space
# before and after each) and `receives` (the value of route_receives). Exits if the route cannot be used.
load_route() {
    local folder line result=0
    [[ -n $1 && $1 != *[!abcdefghijklmnopqrstuvwxyz0123456789-]* ]] || no_route "$1"
    route=$1 at=$2 route_file='' route_has=' ' receives=''
    for folder in "${routes[@]}"; do
        [[ -e $folder/$route || -L $folder/$route ]] || continue
        route_file=$folder/$route
        [[ $folder == "$share/routes" ]] || { trusted "$folder/."; trusted "$route_file"; }
        break
    done
    [[ -n $route_file ]] || no_route "$route"
    [[ -f $route_file && -r $route_file ]] || die 66 "cannot read $route_file; check its permissions"
    call_route describe_route "$at" "$3" || result=$?
    if ((result > 0)); then
        last_answer
        ((result != 64)) || misuse "$said"
        [[ -n $said && $result != 124 ]] || die 69 "the route $route_file does not work: it failed with status $result"
        die "$result" "$said"
    fi
    for line in "${answer[@]}"; do
        case $line in
        'has '*) route_has+="${line#has } " ;;
        'receives '*) receives=${line#receives } ;;
        'needs '*)
            line=${line#needs }
            command -v "${line%% *}" >/dev/null || die 69 "${line%% *} is not installed; install ${line#* }"
            ;;
        esac
    done
}
# describe_route WHERE send|receive: prints the information that load_route needs. Runs after the route was sourced.
describe_route() {
    local function line needed=''
    if declare -F route_needs >/dev/null; then
        needed=$(route_needs "$@") || { line=$?; printf '%s\n' "$needed"; return "$line"; }
    fi
    while IFS= read -r line; do [[ -z $line ]] || printf 'needs %s\n' "$line"; done <<<"$needed"
    ! declare -F route_send_many >/dev/null || echo "has send"
    for function in send send_many receive delete reports setup check shows unnumbered; do
        ! declare -F "route_$function" >/dev/null || echo "has $function"
    done
    echo "receives ${route_receives:-event}"
}
route_can() { [[ $route_has == *" $1 "* ]]; }
is_list() { [[ $receives == list || $receives == pages ]]; }

# trusted PATH: exits if another user can change a file or folder, because routes are executed. A group whose only member
# is this user may have write permission.
trusted() {
    local mode links owner group size path=${1%/.}
    facts_of "$1"
    [[ $mode != l* ]] || die 77 "$path is a symbolic link; replace it with the file itself"
    [[ $owner == "$EUID" || $owner == 0 ]] ||
        die 77 "$path belongs to another user; run: chown \"\$USER\" $(printf %q "$path")"
    [[ ${mode:8:1} == - ]] && { [[ ${mode:5:1} == - ]] || is_private_group "$group"; } ||
        die 77 "other users can write to $path; run: chmod go-w $(printf %q "$path")"
}
is_private_group() {
    local user entry
    user=$(id -un) && [[ $1 == "$(id -g)" && $user == "$(id -gn)" ]] || return
    entry=$( (getent group "$user" || grep "^$user:" /etc/group) 2>/dev/null) || return
    entry=${entry##*:}
    [[ -z $entry || $entry == "$user" ]]
}

# The function to call with each line that a function of a route prints, or empty.
on_answer=''

# call_route FUNCTION ARGUMENT ...: runs a function in a subshell that has sourced the route's file, with stdin from
# /dev/null, in the folder `where`. Sets `answer` to the lines of stdout, and for route_send also those of stderr. Returns
# the status of the function, 124 if it was killed after route_limit seconds, or 69 if it printed more than route_lines
# lines.
call_pid='' where=$PWD
call_route() {
    local line both='' started=$SECONDS result=124 ended=$RANDOM$RANDOM$RANDOM: most=$route_lines
    answer=()
    [[ $1 != route_send ]] || both=true
    [[ $1:$receives != route_receive:input ]] || most=''
    # The pipe has no end of file, because it is open for writing here too, and because processes that the route has
    # started may keep it open. Therefore a random line marks the end of the output.
    exec 5<> <(:)
    # With set -m, the subshell is a process group, so that all its processes can be killed together.
    set -m
    (
        set +meu -o pipefail
        {
            (
                [[ -z $both ]] || exec 2>&1
                exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
                trap - EXIT INT
                cd -- "$where" || exit 73
                as_user
                # shellcheck disable=SC1090
                . "$route_file" && "$@"
            )
            printf '\n%s%s\n' "$ended" "$?"
        } | {
            while LC_ALL=C IFS= read -r line; do
                case $line in
                "$ended"*) echo "${line#"$ended"}"; exit ;;
                ?*) printf '.%s\n' "$line" ;;
                esac
            done
            echo 137 # it was killed
        }
    ) </dev/null >&5 &
    both=''
    call_pid=$!
    set +m
    while true; do
        if ! IFS= read -r -t 1 line <&5; then
            both+=$line
            # If the subshell was killed, it cannot print the line that marks the end.
            if [[ $'\n'$(jobs -pr)$'\n' != *$'\n'"$call_pid"$'\n'* ]] && ! IFS= read -r -t 0 <&5; then result=137; break; fi
            ((SECONDS - started < route_limit)) && continue || break
        fi
        line=$both$line both=''
        case $line in
        .*)
            answer+=("${line#.}")
            [[ -z $on_answer ]] || "$on_answer" "${line#.}"
            ;;
        *) result=$line call_pid=''; break ;;
        esac
        if [[ -n $most ]] && ((${#answer[@]} > most)); then
            say "the route $route was terminated because it printed more than $most lines"
            result=69
            break
        fi
        ((SECONDS - started < route_limit)) || break
    done
    exec 5<&-
    end_call
    return "$result"
}
end_call() {
    [[ -z $call_pid ]] || { kill -KILL -- "-$call_pid"; wait "$call_pid"; } 2>/dev/null || true
    call_pid=''
}

# last_answer: sets `said` to the last line of `answer` that is not in the format of the system log, such as
# `gammu-smsd-inject[71]: ...`.
last_answer() {
    local line
    said=''
    for line in "${answer[@]}"; do [[ -z $line || $line =~ ^[a-z-]*\[[0-9]*\] ]] || said=$line; done
}
