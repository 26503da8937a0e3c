# shellcheck shell=bash disable=SC2015,SC2034,SC2088,SC2119,SC2154
# Implements smsenc doctor, which looks for common problems. Prints a line for each problem, with the command that fixes it. The
# output contains no name, number, secret or path of the user, so the user can show it to others.

# problem TEXT COMMAND: prints a problem and the command that fixes it.
problem() {
    local shown
    without_controls "$1; run: $2" '?'
    printf '%s\n' "$shown"
    note_status 1
}

# installing PROGRAM [PACKAGE]: prints the command that installs a package.
installing() {
    if [[ -n ${TERMUX_VERSION:-} ]]; then echo "pkg install ${2:-$1}"
    elif command -v apk >/dev/null; then as_root "apk add ${2:-$1}"
    elif command -v dnf >/dev/null; then as_root "dnf install ${2:-$1}"
    else as_root "apt-get install ${2:-$1}"; fi
}
# as_root COMMAND [FILE]: prints a command that runs COMMAND FILE as root. The shell of the user expands FILE, because ~ is
# another folder for root.
as_root() {
    if command -v sudo >/dev/null; then echo "sudo $1${2:+ $2}"
    elif [[ -n ${2:-} ]]; then echo "su root -c '$1 \"\$0\"' $2"
    else echo "su -c '$1'"; fi
}

check_programs() {
    local program version versions='' folder=$here
    for program in smsenc-frame smsenc-pad smsenc-keyring gsm7-check; do
        if ! version=$("$program" --version 2>/dev/null); then
            problem "the program $program is missing, or was built for another machine; install the package for this machine" "uname -m"
        elif [[ -n $versions && ${version##* } != "$versions" ]]; then
            problem 'the programs of smsenc have different versions; remove the old ones' "type -a $program"
        else
            versions=${version##* }
        fi
    done
    [[ -z ${HOME:-} || $folder != "$HOME"/* ]] || folder="~${folder#"$HOME"}"
    command -v smsenc >/dev/null || problem 'the folder of the programs is not in PATH' "export PATH=\$PATH:$folder"
    command -v flock >/dev/null || problem 'flock is not installed, which sending and receiving need' "$(installing flock util-linux)"
    command -v age >/dev/null || problem 'age is not installed, which smsenc-file needs' "$(installing age)"
    command -v man >/dev/null || problem 'man is not installed, which shows the guide' "$(installing man man-db)"
    command -v qrencode >/dev/null || problem 'qrencode is not installed, which QR codes need' "$(installing qrencode "$([[ -n ${TERMUX_VERSION:-} ]] && echo libqrencode || echo qrencode)")"
    # shellcheck source=scripts/share/smsenc/clipboard.bash
    . "$share/clipboard.bash"
    if ! clipboard tool >/dev/null; then
        if [[ -n ${WAYLAND_DISPLAY:-} ]]; then problem 'there is no program for the clipboard' "$(installing wl-clipboard)"
        elif [[ -n ${DISPLAY:-} ]]; then problem 'there is no program for the clipboard' "$(installing xclip)"
        elif [[ -n ${TERMUX_VERSION:-} ]]; then problem 'there is no program for the clipboard' 'pkg install termux-api'; fi
    fi
}

# check_settings: checks the editor and the permissions of the home folder.
check_settings() {
    local mode links owner group size name
    for name in VISUAL EDITOR; do
        [[ -z ${!name:-} ]] || command -v "${!name%% *}" >/dev/null || problem "the editor in $name is not installed" "unset $name"
    done
    [[ -z ${HOME:-} ]] || {
        facts_of "$HOME/."
        [[ ${mode:8:1} == - ]] && { [[ ${mode:5:1} == - ]] || is_private_group "$group"; } ||
            problem 'other users can write to the home folder' 'chmod go-w ~'
    }
}

check_machine() {
    local rows='' columns='' free line variable folder locale
    if ! (LC_ALL=C.UTF-8 accent=$'\303\251' && ((${#accent} == 1))) 2>/dev/null; then
        problem 'the locale C.UTF-8 is not installed' "$(installing locales)"
    # Bash warns if a locale does not exist.
    elif locale=${missing_locale:-${user_locale:-${LC_CTYPE:-${LANG:-C}}}} && [[ -n $( (LC_ALL=$locale) 2>&1) ]]; then
        problem "the locale $locale is not installed" 'export LC_ALL=C.UTF-8'
    else
        (restore_locale && accent=$'\303\251' && ((${#accent} == 1))) 2>/dev/null ||
            problem 'this terminal does not use UTF-8, so only English letters are shown correctly' 'export LC_ALL=C.UTF-8'
    fi
    ((EPOCHSECONDS > 1767225600)) || problem 'the clock is wrong' "$(setting_clock)"
    read -r rows columns < <({ stty size </dev/tty; } 2>/dev/null) || true
    ((${columns:-0} == 0 || columns >= 61)) ||
        problem "this window has only $columns columns, but QR codes need 61; enlarge the window or choose a smaller font" 'stty size'
    free=$(awk '/^(MemAvailable|SwapFree):/ { free += $2 } END { print int(free / 1024) }' /proc/meminfo 2>/dev/null) || free=''
    ((${free:-0} == 0 || free >= 160)) || problem "only $free MiB of memory is free, but a password needs 128 MiB; close other programs" 'free -m'
    for variable in XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR XDG_CONFIG_HOME; do
        [[ -z ${!variable:-} || ${!variable} == /* ]] || problem "$variable is not an absolute path, so it is ignored" "unset $variable"
    done
    folder=${XDG_RUNTIME_DIR:-}
    [[ $folder != /* || -d $folder && -w $folder ]] || problem 'the folder XDG_RUNTIME_DIR does not exist or cannot be written, so no session can be opened' 'unset XDG_RUNTIME_DIR'
}
setting_clock() {
    if command -v timedatectl >/dev/null; then as_root 'timedatectl set-ntp true'; else as_root 'date -s "YYYY-MM-DD hh:mm"'; fi
}

# find_keyring: sets `keyring` to the path of the keyring, and `shown_keyring` to a shell word that stands for this path without
# revealing it.
find_keyring() {
    keyring=${SMSENC_KEYRING:-} shown_keyring='"$SMSENC_KEYRING"'
    [[ -z $keyring ]] || return 0
    keyring=${XDG_DATA_HOME:-} shown_keyring='"$XDG_DATA_HOME"/smsenc/keyring'
    [[ $keyring == /* ]] || keyring=${HOME:-}/.local/share shown_keyring='~/.local/share/smsenc/keyring'
    keyring+=/smsenc/keyring
}

# check_file: checks the file of the keyring without opening it. Fails if the tools would refuse it.
check_file() {
    local mode links owner group size holder before=$status kibibytes
    status=0
    facts_of "$keyring"
    if [[ -z $mode ]]; then
        if [[ -n ${SMSENC_KEYRING:-} ]]; then
            problem 'SMSENC_KEYRING names a keyring that does not exist' 'unset SMSENC_KEYRING'
        else
            problem 'there is no keyring in the usual place; set SMSENC_KEYRING to the path of your keyring, import a backup, or create your first keyring' 'smsenc-keyring init --user NAME'
        fi
        return 1
    fi
    case $mode in
    l*) problem 'the keyring is a symbolic link' "export SMSENC_KEYRING=\"\$(readlink -f $shown_keyring)\"" ;;
    -*)
        [[ $owner == "$EUID" ]] || problem 'the keyring belongs to another user' "$(as_root "chown $UID" "$shown_keyring")"
        [[ ${mode:4:6} == ------ ]] || problem 'other users can access the keyring' "chmod 600 $shown_keyring"
        [[ $links == 1 ]] || problem 'the keyring has two names (hard links); delete one of them' "find ~ -xdev -samefile $shown_keyring"
        ;;
    *) problem 'the keyring is not a file' "ls -ld $shown_keyring" ;;
    esac
    folder_of "$keyring"
    facts_of "$holder/."
    [[ $owner == "$EUID" || $owner == 0 ]] || problem 'the folder of the keyring belongs to another user' "$(as_root "chown $UID" "\"\$(dirname $shown_keyring)\"")"
    [[ ${mode:5:1}${mode:8:1} == -- || ${mode:9:1} == [tT] ]] ||
        problem 'other users can write to the folder of the keyring' "chmod go-w \"\$(dirname $shown_keyring)\""
    { read -r _ && read -r _ _ _ kibibytes _; } < <(df -Pk -- "$holder" 2>/dev/null) || kibibytes=''
    [[ ! ${kibibytes:-x} =~ ^[0-9]+$ ]] || ((kibibytes >= 10240)) ||
        problem "the disk of the keyring has only $kibibytes KiB of free space; delete files" 'df -h'
    (($(stat -c %Y -- "$keyring" 2>/dev/null || echo 0) <= EPOCHSECONDS + 86400)) ||
        problem 'the clock is wrong: the keyring was changed at a later time' "$(setting_clock)"
    if ((status > 0)); then return 1; fi
    status=$before
    [[ -w $keyring && -w $holder ]] ||
        problem 'the keyring cannot be written, because its disk or its folder is read-only' "chmod u+w $shown_keyring \"\$(dirname $shown_keyring)\""
}

# check_password_file: checks the file in SMSENC_PASSWORD_FILE.
check_password_file() {
    local mode links owner group size
    [[ -n ${SMSENC_PASSWORD_FILE:-} && $SMSENC_PASSWORD_FILE != /dev/* ]] || return 0
    facts_of "$SMSENC_PASSWORD_FILE"
    if [[ -z $mode ]]; then problem 'SMSENC_PASSWORD_FILE names a file that does not exist' 'unset SMSENC_PASSWORD_FILE'; return 1; fi
    [[ ${mode:4:6} == ------ ]] || problem 'other users can access the password file' 'chmod 600 "$SMSENC_PASSWORD_FILE"'
}

# check_account: checks the account, which does not require a password. Opens a session if possible, and sets `is_open`.
is_open=false
check_account() {
    local result=0
    read_status || result=$?
    case $result in
    0) ;;
    65) problem 'the keyring is damaged, or was made by a newer version of smsenc; restore a backup, or update smsenc' 'smsenc-keyring check'; return ;;
    74) problem 'the keyring cannot be read, because the disk reports errors' 'smsenc-keyring status'; return ;;
    *) problem "the keyring cannot be used (status $result)" 'smsenc-keyring status'; return ;;
    esac
    if [[ ${fact[lockout]} != none ]]; then
        problem "no password is accepted for ${fact[lockout]%% *} seconds, because wrong passwords were entered; wait" smsenc-open
    fi
    case ${fact[session]} in
    open) is_open=true ;;
    none) ;;
    *)
        if [[ -n ${SMSENC_OPEN:-} ]]; then
            problem 'the session of this shell has ended; end the shell, and run smsenc-open again' exit
        else
            problem 'the session in SMSENC_SESSION has ended, or belongs to another keyring, or XDG_RUNTIME_DIR has changed' 'unset SMSENC_SESSION'
        fi
        unset SMSENC_SESSION
        ;;
    esac
    if ! $is_open && [[ ${fact[lockout]} == none ]]; then
        if [[ -n ${SMSENC_PASSWORD_FILE:-} ]]; then
            if open_session 2>/dev/null; then is_open=true; else problem 'the password file does not open the keyring' 'smsenc-keyring list'; fi
        fi
        ! $is_open || read_status || true
    fi
    if $is_open; then check_content; else say "the content of the keyring and the routes were not checked, because the keyring is locked; run smsenc-open first to check them"; fi
}

# check_content: checks the data that can only be read if the keyring is open.
check_content() {
    local result=0 days line name names last count=0
    case ${fact[keyring]} in
    original) ;;
    'machine changed') problem 'the name or id of this machine has changed' 'smsenc-keyring adopt --moved' ;;
    'moved here') problem 'the keyring was moved to this place' 'smsenc-keyring adopt --moved' ;;
    'no rollback note')
        problem 'the rollback note of the keyring is missing, perhaps because XDG_STATE_HOME or HOME has changed' 'smsenc-keyring adopt --moved'
        ;;
    'rollback note unreadable') problem 'the rollback note of the keyring cannot be read' 'chmod -R go=,u=rwX ~/.local/state/smsenc' ;;
    damaged) ;;
    *) problem "the keyring is ${fact[keyring]}, so message keys could be used twice" 'smsenc-keyring adopt --restored' ;;
    esac
    if [[ ${SMSENC_IDENTITY:-real} != real ]] && names=$(smsenc-keyring identity list 2>/dev/null </dev/null) &&
        ! cut -f 1 <<<"$names" | grep -qxF -e "$SMSENC_IDENTITY"; then
        problem 'SMSENC_IDENTITY names an identity that does not exist' 'unset SMSENC_IDENTITY'
        unset SMSENC_IDENTITY
    fi
    smsenc-keyring check >/dev/null 2>&1 </dev/null || result=$?
    ((result == 0 || result == 77)) || problem 'the keyring is damaged; restore a backup' 'smsenc-keyring check'
    ((fact[contacts] > 0)) || return 0
    case ${fact['last backup']} in
    unknown) ;;
    -) problem 'there is no backup of the contacts' 'smsenc-keyring export backup' ;;
    *)
        days_since "${fact['last backup']}" || days=0
        names=$(smsenc-keyring list --names 2>/dev/null </dev/null | head -n 200) || names=''
        while IFS= read -r name; do
            line=$(smsenc-keyring show -- "$name" 2>/dev/null </dev/null) || continue
            IFS=$'\t' read -r _ _ _ _ _ _ _ _ _ _ _ last _ <<<"$line"
            [[ $last != 20* || ! $last > ${fact['last backup']} ]] || count=$((count + 1))
        done <<<"$names"
        if ((count > 0)); then problem "the backup is older than the last exchange of keys with $(counted "$count" contact)" 'smsenc-keyring export backup'
        elif ((days >= 30)); then problem "the backup is $days days old, if the clock is right" 'smsenc-keyring export backup'; fi
        ;;
    esac
}

# check_box: checks the box, and SMS that have waited for more than an hour.
check_box() {
    local count folder shown_box
    [[ ${SMSENC_IDENTITY:-real} == real ]] || $is_open || return 0
    find_box
    [[ -e $box ]] || return 0
    # The box of another identity has a longer name.
    shown_box=${box##*/} shown_box=$shown_keyring${shown_box#"${keyring##*/}"}
    [[ -z ${SMSENC_BOX:-} ]] || shown_box='"$SMSENC_BOX"'
    if ! (open_box) 2>/dev/null; then problem 'the box with the SMS cannot be used' smsenc-inbox; return; fi
    for folder in "$box" "$box"/*/; do
        [[ -w $folder ]] || { problem 'the box with the SMS cannot be written' "chmod -R u+rwX $shown_box"; break; }
    done
    count=$(cd -- "$box" && find new -type f -size +0 -mmin +60 2>/dev/null | wc -l) || count=0
    ((count == 0)) || problem 'SMS that arrived more than an hour ago are not decrypted' smsenc-receive
    count=$(cd -- "$box" && find out -type f -name '*-*-*-*' -mmin +60 2>/dev/null | wc -l) || count=0
    ((count == 0)) || problem 'SMS have waited to be sent for more than an hour; run smsenc-send again' smsenc-report
}

# check_routes: checks the routes that the user has written, and all other routes for which there are units or SMS.
check_routes() {
    local name at file result checked=' ' list=() units number said
    for file in "${routes[0]}"/* /etc/smsenc/routes/*; do [[ ! -e $file && ! -L $file ]] || list+=("${file##*/}"$'\t'); done
    if [[ -n ${box:-} ]]; then
        for file in "$box"/out/*/settings; do
            { IFS= read -r -d '' _ && IFS= read -r -d '' _ && IFS= read -r -d '' name && IFS= read -r -d '' at; } 2>/dev/null <"$file" && list+=("$name"$'\t'"$at") || true
        done
    fi
    units=$(systemctl list-unit-files --no-legend 'smsenc-*@*' 2>/dev/null </dev/null) || units=''
    while read -r name _; do
        [[ $name =~ ^smsenc-[a-z]+@([a-z0-9-]+)\.timer$ ]] && list+=("${BASH_REMATCH[1]}"$'\t') || true
    done <<<"$units"
    for name in "${list[@]}"; do
        at=${name#*$'\t'} name=${name%%$'\t'*}
        # The programs for the clipboard and for QR codes were already checked above.
        [[ $checked != *" $name "* && $name != clipboard && $name != qr ]] || continue
        checked+="$name "
        result=0
        said=$("$here/smsenc-route" check "$name" ${at:+--at "$at"} --limit 30s 2>&1 </dev/null) || result=$?
        number=$(grep -c '^    ' <<<"$said") || true
        if [[ $said =~ smsenc-route:\ ([a-zA-Z0-9_-]+)\ is\ not\ installed\;\ install\ ([a-z0-9-]+) ]]; then
            problem "the route $name needs ${BASH_REMATCH[1]}, which is not installed" "$(installing "${BASH_REMATCH[2]}")"
        elif ((result == 1)); then
            problem "the route $name has $(counted "$number" problem)" "smsenc-route check $name${at:+ --at WHERE}"
        elif ((result > 0)); then
            problem "the route $name cannot be used" "smsenc-route check $name${at:+ --at WHERE}"
        fi
    done
}

# check_units: checks the services and timers of systemd.
check_units() {
    local unit state
    command -v systemctl >/dev/null || return 0
    while read -r unit _ state _; do
        [[ $state != failed ]] || problem "the last run of the unit $unit has failed" "$(as_root "journalctl -n 20 -u $unit")"
    done < <(systemctl list-units --all --plain --no-legend 'smsenc-*' 2>/dev/null </dev/null)
    while read -r unit state _; do
        [[ $unit == *@?*.timer && $state == enabled ]] || continue
        systemctl is-active --quiet "$unit" 2>/dev/null || problem "the timer $unit does not run" "$(as_root "systemctl start $unit")"
    done < <(systemctl list-unit-files --no-legend 'smsenc-*@*.timer' 2>/dev/null </dev/null)
}

doctor() {
    local box='' keyring shown_keyring
    # shellcheck source=scripts/share/smsenc/overview.bash
    . "$share/overview.bash"
    trap leave EXIT
    find_keyring
    check_programs
    check_machine
    check_settings
    check_password_file || unset SMSENC_PASSWORD_FILE
    if check_file; then
        check_account
        check_box
        ! $is_open || check_routes
    fi
    check_units
    ((status > 0)) || echo 'no problem was found'
    exit "$status"
}
