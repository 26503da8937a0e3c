# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Keeps `record`, the record of the SMS that were read from contacts who get receipts, and creates receipts. Lines are only
# appended to the record. When receipts are created, the file is replaced.
#
#     TIME CONTACT SENDER - TAG         an SMS that was read and is not confirmed yet
#     TIME CONTACT SENDER late TAG      an SMS that was missing at TIME, arrived later, and is not confirmed yet
#     TIME CONTACT SENDER NUMBER TAGS   a receipt; the last 20 for each contact are kept
#
# TIME is in seconds since 1970, and SENDER is the number from which the SMS was sent.

# A receipt is due for `every` SMS, for an SMS that was read `days` days ago, or for an SMS that was missing when the last
# receipt was created. If `only` is set, all SMS of that contact and no other SMS are due. At most `most` receipts are
# created for a contact. If `number` is set, the receipt with that number is created again.
every=30 days=2 only='' most=1000 number=''

# due CONTACTS NEW: prints CONTACT TAB RECEIPT for each receipt that is due, and writes the new record to NEW.
due() {
    local now time
    read_clock
    now=$now every=$every days=$days only=$only most=$most number=$number contacts=$1 new=$2 LC_ALL=C \
        awk -f "$share/receipts.awk" -- "$record"
}

# make_receipts: sets `made` to the receipts that are due, after writing them to the record and syncing it. Removes the
# lines of contacts who no longer get receipts.
make_receipts() {
    local contacts holder
    made=''
    [[ -s $record ]] || { [[ -z $number ]]; return; }
    make_own "$record"
    made=$(due '' /dev/null) || return
    [[ -n $made ]] || return 0
    if [[ -z $number ]]; then
        # Add a newline, because an empty text would mean all contacts.
        contacts=$(smsenc-keyring list)$'\n' || return
        folder_of "$record"
        make_own "$record.new" && : >"$record.new" && made=$(due "$contacts" "$record.new") &&
            fsync_paths "$record.new" && mv "$record.new" "$record" && fsync_paths "$holder" ||
            { rm -f "$record.new"; return 74; }
    fi
}
