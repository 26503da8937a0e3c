# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Implements smsenc-route setup and smsenc-route check.

receive=$(cd "$here" && pwd)/smsenc-receive

setup() {
    local user path reader hook
    user=$(id -un)
    route_can receive || die 69 "the route $route cannot receive SMS, so there is nothing to set up"
    find_box
    path=${SMSENC_PASSWORD_FILE:-$HOME/password}
    hook="$receive $route --store --box $(quoted "$box")"
    reader="$receive --box $(quoted "$box") --password-file $(quoted "$path")"
    [[ -z ${SMSENC_KEYRING:-} ]] || reader+=" --keyring $(quoted "$SMSENC_KEYRING")"
    ! is_list || reader="$receive $route${at:+ --at $(quoted "$at")}${reader#"$receive"}"
    echo "# Sets up the route $route for the user $user. Read this script, and then run it as root:"
    echo "#     smsenc-route setup $route | sudo sh"
    echo "set -e"
    if route_can setup; then
        call_route route_setup "$at" "$hook" "$hook" "$user" || die 69 "the route $route cannot be set up"
        printf '%s\n' "${answer[@]}"
    elif ! is_list; then
        echo "# The hook stores incoming SMS. Let the daemon or the web server run this command for each SMS:"
        echo "#     $hook"
    fi
    if command -v systemctl >/dev/null; then
        print_unit "$user" "$reader"
    else
        echo "# There is no systemd. Let cron run this command each minute as $user to decrypt the stored SMS:"
        echo "#     $reader"
    fi
}

# print_unit USER COMMAND: prints commands that install the unit smsenc-receive@, unless a package has installed it, and
# a drop-in with the settings of this user.
print_unit() {
    local file folder=$share/units system=/etc/systemd/system unit=smsenc-receive@
    echo "# Decrypts the stored SMS each minute:"
    [[ -d $folder ]] || folder=${share%/share/smsenc}/lib/systemd/system
    if [[ $folder != /usr/lib/* && $folder != /usr/local/lib/* ]]; then
        for file in "$folder/$unit".{service,timer}; do
            echo "cat >$system/${file##*/} <<'LINES'"
            sed "s|@prefix@/bin/smsenc-receive|$receive|" "$file"
            echo LINES
        done
    fi
    cat <<END
mkdir -p $system/$unit$route.service.d
cat >$system/$unit$route.service.d/user.conf <<'LINES'
[Service]
User=$1
Environment=HOME=$HOME${XDG_STATE_HOME:+ XDG_STATE_HOME=$XDG_STATE_HOME}
ExecStart=
ExecStart=$2
# The password is in a file that belongs to this user, and all files are below the home folder.
LoadCredentialEncrypted=
StateDirectory=
ProtectHome=no
ProtectSystem=full
PrivateDevices=no
LINES
systemctl daemon-reload
systemctl enable --now $unit$route.timer
END
}

# problem TEXT COMMAND: prints a problem and the command that fixes it.
problem() {
    local shown
    without_controls "$1" '?'
    printf '%s\n' "$shown"
    without_controls "$2" '?'
    printf '    %s\n' "$shown"
    note_status 1
}

check() {
    local said line free
    echo "route: $route_file"
    find_box
    echo "box: $box"
    (LC_ALL=C.UTF-8 accent=$'\303\251' && ((${#accent} == 1))) 2>/dev/null ||
        problem "the locale C.UTF-8 is not installed" "sudo apt-get install locales"
    # A timer cannot type a password, so it is a problem if the keyring asks for the password.
    if ! said=$(SMSENC_PASSWORD_FILE=${SMSENC_PASSWORD_FILE:-/dev/null} smsenc-pad 2>&1 >/dev/null </dev/null); then
        said=${said##*$'\n'}
        problem "the keyring cannot be opened: ${said#smsenc-pad: }" "smsenc-keyring status; see --password-file, and XDG_STATE_HOME"
    else
        (open_box) 2>/dev/null || problem "the box $box cannot be used" "smsenc-inbox"
    fi
    if [[ -d $box && ! -w $box ]]; then
        problem "you cannot write to $box" "sudo chown -R $(id -un) $(printf %q "$box")"
    elif { read -r _ && read -r _ _ _ free _; } < <(df -Pk "$box" 2>/dev/null) && ((free < 10240)); then
        problem "the disk of $box has only $free KiB of free space" "df -h $(printf %q "$box")"
    fi
    if route_can check; then
        call_route route_check "$at" || ((${#answer[@]})) || problem "the check of the route failed" "smsenc-route check $route --limit 10m"
        for line in "${answer[@]}"; do problem "${line%%$'\t'*}" "${line#*$'\t'}"; done
    fi
    [[ -z $probe ]] || ((status > 0)) || check_probe
    ((status > 0)) || echo "no problem was found"
}

# check_probe: sends a probe to the number in `probe`, and waits up to five minutes until it arrives.
check_probe() {
    local text number=$probe seen line turn contact=-
    route_can receive || { problem "the route $route cannot receive SMS" "gsm7-check --probe; see smsenc-gateways(7)"; return; }
    text=$(gsm7-check --probe)
    seen=$(probe_lines | wc -l)
    if ! send_one ''; then
        problem "the probe was not sent: $said" "smsenc-route send $route $probe"
        return
    fi
    echo "probe: sent to $probe; waiting for it to arrive"
    for ((turn = 0; turn < 60; turn++)); do
        sleep 5
        while IFS= read -r line; do
            if line=$(gsm7-check --probe-check <<<"${line#*$'\t'*$'\t'}" 2>&1); then
                echo "probe: it arrived unchanged"
            else
                problem "the probe was changed in transit: $line" "man smsenc-gateways"
            fi
            return
        done < <(probe_lines | tail -n "+$((seen + 1))")
    done
    problem "the probe did not arrive within five minutes" "smsenc-route show $route; smsenc-inbox --unread"
}

# probe_lines: prints the SMS from the number in `probe`, both those in the box and those that the route lists. Searches both
# places, because a timer may move an SMS from the route to the box at any time.
probe_lines() {
    {
        cat "$box"/new/* 2>/dev/null || true
        cut -f 2- "$box"/unread/* 2>/dev/null || true
        if is_list; then
            call_route route_receive "$at" '' || true
            printf '%s\n' "${answer[@]}"
        fi
    } | probe=$probe awk -F '\t' '
        function end(number) { gsub(/[^0-9]/, "", number); return substr(number, length(number) > 9 ? length(number) - 8 : 1) }
        end($2) == end(ENVIRON["probe"]) && !had[$1, $3]++ { print $1 FS $2 FS $3 }'
}
