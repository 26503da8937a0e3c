# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Updates the states of SMS that were handed over.

# update_states: asks the keyring which SMS were read and which are missing, and moves them to read/ or missing/. An SMS counts
# as missing only if it was handed over before the receipt arrived. An SMS that contains only a receipt is never missing. Needs
# read_contacts. Fails if the keyring is locked.
update_states() {
    local state moved
    list_of 'handed/*-*-*-*' 'delivered/*-*-*-*' 'missing/*-*-*-*'
    ask "${files[@]}" || return
    for state in read missing; do
        mapfile -t moved < <(state=$state awk -F '\t' '{ split($1, name, "-"); gsub(/[-:]/, "", $3) }
            $2 == ENVIRON["state"] && ($2 == "read" || $1 !~ /^missing/ && name[7] != "receipt" && name[10] < $3) { print $1 }' "tmp/answers.$$")
        # A hook may have moved some of these files in the meantime.
        ((${#moved[@]} == 0)) || each_part mv -t "$state" -- "${moved[@]}" 2>/dev/null || true
    done
}

# note_report REPORT: records a delivery report, STATUS TAB NAME TAB NUMBER TAB REFERENCE TAB REASON. All fields but the first may
# be empty. The daemon identifies the SMS by the NAME that was passed to route_send, or by its own REFERENCE. If NAME is -, NUMBER
# and the REFERENCE of the network identify the SMS, but the network uses the same REFERENCE again later. While a run is handing
# over the SMS, the report waits in the file `reported` of this run. Fails if there is no such SMS.
note_report() {
    local file='' each now time old status name number reference reason sms shown
    # read(1) would join empty fields that are separated by TABs.
    IFS=$'\37' read -r status name number reference reason _ <<<"${1//$'\t'/$'\37'}"
    name=${name#\*} reference=${reference//[!A-Za-z0-9]/}
    [[ $status =~ ^(accepted|delivered|failed)$ ]] || return
    if [[ $name =~ ^[0-9]{8}x[0-9a-f]{8}-[0-9]{6}-[0-9]+-[0-9]+$ ]]; then
        # A run moves SMS from out/ to handed/, so look there in this order.
        list_of "out/*/${name%-*}-*-${name##*-}"*
        file=${files[0]:-}
        [[ -n $file ]] || find_named "$status"
    else
        # Reports arrive within a week. Compare the last nine digits of the numbers, which contain no prefix.
        read_clock "$((EPOCHSECONDS - 7 * 86400))"
        old=${time//[-:]/}
        [[ -z $name || $name == - ]] || reference=${name//[!A-Za-z0-9]/}
        [[ -n $reference ]] || return
        list_of "out/*/*Z-$reference" "handed/*-$reference" "delivered/*-$reference"
        number=${number//[!0-9]/}
        for each in "${files[@]}"; do
            sms=${each##*/} sms=${sms#*-*-*-*-*-*-*-*-*-}
            [[ ${sms%%-*} > $old ]] || continue
            if [[ -z $name || $name == - ]]; then
                [[ -e $each ]] || each=handed/${each##*/}
                { IFS=$'\t' read -r _ _ _ shown _ <"$each"; } 2>/dev/null || continue
                shown=${shown//[!0-9]/}
                [[ ${shown: -9} == "${number: -9}" ]] || continue
            fi
            [[ -n $file && ${file##*/} > ${each##*/} ]] || file=$each
        done
    fi
    [[ -n $file ]] || return
    sms=${file##*/}
    if [[ $file == out/* ]]; then
        printf '%s\n' "$1" >>"${file%/*}/reported" || return
        # The run may have moved the SMS in the meantime.
        [[ ! -e $file ]] || return 0
        file=handed/$sms
        [[ -e $file ]] || find_named "$status"
        [[ -n $file ]] || return 0
        sms=${file##*/}
    fi
    case $status in
    accepted) [[ -z $reference || -n ${sms##*Z-} ]] || mv -- "$file" "${file%/*}/$sms$reference" 2>/dev/null || true ;;
    delivered)
        case $file in
        # Another report may have moved the SMS in the meantime.
        handed/*) mv -- "$file" "delivered/$sms" 2>/dev/null || [[ ! -e $file ]] || cannot_write ;;
        # The SMS was delivered although it is in failed/, because the answer of the route was lost.
        failed/*)
            IFS= read -r shown <"$file" && printf -- '-\t%s\n' "${shown#*$'\t'}" >"tmp/$sms" && settle "tmp/$sms" && mv -- "tmp/$sms" delivered/ && rm -f -- "$file" ||
                cannot_write
            ;;
        esac
        ;;
    failed)
        [[ $file != failed/* ]] || return 0
        without_controls "${reason:-the network rejected it}" ' '
        { printf '%s' "${shown//$'\t'/ }" && tail -c +2 "$file"; } >"tmp/$sms" && settle "tmp/$sms" || cannot_write
        # Another process may have moved the SMS in the meantime.
        mv -- "$file" "failed/$sms" 2>/dev/null || return
        mv -- "tmp/$sms" failed/ || cannot_write
        ;;
    esac
}

# find_named STATUS: sets `file` to the SMS to which a report with this status and with the NAME in `name` refers. The SMS
# counts as delivered if any attempt to send it was delivered. It counts as failed only if the last attempt failed.
find_named() {
    local attempt=${name##*-} names
    [[ $1 != delivered ]] || attempt='*'
    names="${name%-*}-*-$attempt-*Z-*"
    list_of "handed/$names" "delivered/$names" "missing/$names"
    [[ $1 != delivered || ${#files[@]} != 0 ]] || list_of "failed/$names"
    file=${files[0]:-}
}
