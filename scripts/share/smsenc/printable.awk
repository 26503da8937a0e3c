# Makes text from strangers safe to print on a terminal. U+FFFD replaces control characters, formatting characters that
# are invisible or change the reading direction, and invalid UTF-8. A ciphertext contains none of these. The first two
# TABs of a line are kept, and all other TABs become spaces. Needs entities.awk.
BEGIN {
    bad = "\357\277\275"; next_byte = "[\200-\277]"
    good = "^([ -~]|[\302-\337]" next_byte "|\340[\240-\277]" next_byte \
        "|[\341-\354\356\357]" next_byte next_byte "|\355[\200-\237]" next_byte \
        "|\360[\220-\277]" next_byte next_byte "|[\361-\363]" next_byte next_byte next_byte \
        "|\364[\200-\217]" next_byte next_byte ")+"
}
is_filter { print clean(ciphertext($0)) }
# Removes formatting characters, which phones may add, from the text of a line, and decodes HTML entities. Does this only if the
# result has 160 characters, because it is then probably a ciphertext.
function ciphertext(line, start, text) {
    if (!match(line, /^[^\t]*\t[^\t]*\t/)) return line
    start = substr(line, 1, RLENGTH)
    text = substr(line, RLENGTH + 1)
    gsub(/\302\255|\330\234|\342\200[\213-\217\250-\256]|\342\201[\240-\257]|\357\273\277/, "", text)
    if (characters(text) > 160 && text ~ /&[#A-Za-z0-9]+;/) text = without_entities(text)
    if (characters(text) != 160) {
        # Remove spaces at the beginning and end, because a ciphertext has none there.
        sub(/^([ \t]|\302\240|\342\200\257)+/, "", text); sub(/([ \t]|\302\240|\342\200\257)+$/, "", text)
    }
    return characters(text) == 160 ? start text : line
}
function clean(line, result, n, tab) {
    for (n = 0; n < 2 && (tab = index(line, "\t")); n++) {
        result = result printable(substr(line, 1, tab - 1)) "\t"
        line = substr(line, tab + 1)
    }
    gsub(/\t/, " ", line)
    return result printable(line)
}
function printable(text, result, n) {
    # Process long text in pieces, because each step copies the rest.
    while (length(text) > 4096) {
        n = 4096
        while (n > 4093 && substr(text, n + 1, 1) ~ next_byte) n--
        result = result printable(substr(text, 1, n))
        text = substr(text, n + 1)
    }
    while (text != "") {
        if (match(text, good)) {
            result = result substr(text, 1, RLENGTH)
            text = substr(text, RLENGTH + 1)
        } else {
            result = result bad
            text = substr(text, 2)
        }
    }
    gsub(/\302[\200-\237\255]|\330\234|\342\200[\213\216\217\250-\256]|\342\201[\240-\257]|\357\273\277|\363\240[\200-\201]./, bad, result)
    return result
}
