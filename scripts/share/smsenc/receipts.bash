# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# The record of what was read of contacts who get receipts, `record`. Lines are only ever added; when receipts are made,
# another file takes its place.
#
#     TIME CONTACT SENDER - TAG         an SMS that was read, and is not confirmed
#     TIME CONTACT SENDER late TAG      the same of an SMS that was missed at TIME and came later
#     TIME CONTACT SENDER NUMBER TAGS   a receipt; the last 20 to each contact are kept
#
# TIME is in seconds since 1970, and SENDER the number from which the SMS came.

# What is due: `every` messages, one that is `days` old, or one that was missed before the last receipt; of the contact `only`, if that is set, all. `most` receipts
# to a contact are made. With `number`, that receipt to `only` is made again.
every=30 days=2 only='' most=1000 number=''

# due CONTACTS NEW: prints CONTACT TAB RECEIPT for each receipt that is due, and writes the record as it is then to NEW.
due() {
    local now time
    read_clock
    now=$now every=$every days=$days only=$only most=$most number=$number contacts=$1 new=$2 LC_ALL=C \
        awk -f "$share/receipts.awk" -- "$record"
}

# make_receipts: the receipts that are due, as `made`, which are in the record then, on the disk. What the record has of
# contacts who get no receipts any more is removed.
make_receipts() {
    local contacts holder
    made=''
    [[ -s $record ]] || { [[ -z $number ]]; return; }
    make_own "$record"
    made=$(due '' /dev/null) || return
    [[ -n $made ]] || return 0
    if [[ -z $number ]]; then
        # With a newline, so that it is not empty.
        contacts=$(smsenc-keyring list)$'\n' || return
        folder_of "$record"
        make_own "$record.new" && : >"$record.new" && made=$(due "$contacts" "$record.new") &&
            fsync_paths "$record.new" && mv "$record.new" "$record" && fsync_paths "$holder" ||
            { rm -f "$record.new"; return 74; }
    fi
}
