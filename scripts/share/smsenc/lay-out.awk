# Lays out what goes into the inbox, what into the unread file, and what waits for other parts, as
# BATCH/for-*, of BATCH/in, whose lines, SMS as they came, are what it reads; of these BATCH/read could be
# deciphered, and JOINED has their messages.
# Text without control characters, overrides of its direction and what is no UTF-8, for each
# of which U+FFFD stands then; and without TABs, but for the first two.
function clean(line, result, n, tab) {
    for (n = 0; n < 2 && (tab = index(line, "\t")); n++) {
        result = result printable(substr(line, 1, tab - 1)) "\t"
        line = substr(line, tab + 1)
    }
    gsub(/\t/, " ", line)
    return result printable(line)
}
function printable(text, result, n) {
    # Of pieces, since each step copies what is left.
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
    gsub(/\302[\200-\237]|\342\200[\250-\256]|\342\201[\246-\251]/, bad, result)
    return result
}
function without_name(line) { sub(/\t[^\t]*/, "", line); return line }
# k/n, if text is a part, which begins with k/n:, four digits and a space; else nothing.
function numbers(text, n) {
    if (!match(text, /^[1-9][0-9]?\/[1-9][0-9]?:[0-9][0-9][0-9][0-9] /)) return ""
    text = substr(text, 1, RLENGTH - 6)
    split(text, n, "/")
    return n[1] + 0 <= n[2] + 0 && n[2] > 1 ? text : ""
}
BEGIN {
    bad = "\357\277\275"; next_byte = "[\200-\277]"
    good = "^([ -~]|[\302-\337]" next_byte "|\340[\240-\277]" next_byte \
        "|[\341-\354\356\357]" next_byte next_byte "|\355[\200-\237]" next_byte \
        "|\360[\220-\277]" next_byte next_byte "|[\361-\363]" next_byte next_byte next_byte \
        "|\364[\200-\217]" next_byte next_byte ")+"
    batch = ENVIRON["batch"]; inbox = batch "/for-inbox"; unread = batch "/for-unread"
    while ((getline <(batch "/read")) > 0) new[$2] = 1
    while ((getline <(batch "/in")) > 0) number[$2] = $3
    close(batch "/in")
    while ((getline <(batch "/frames")) > 0) { frame[$2] = $0; order[++count] = $2 }
    while ((getline <(batch "/plain")) > 0) plain[$2] = $4
    close(batch "/plain")
    while ((getline <(ENVIRON["joined"])) > 0) {
        part = $4 == plain[$2] ? numbers($4) : ""
        # One of the far future came while the clock was wrong.
        split($2, since, ".")
        age = ENVIRON["now"] - since[1]
        if (part != "" && age < ENVIRON["wait"] && -age < ENVIRON["wait"]) {
            print frame[$2] >(batch "/for-waiting")
            if ($2 in new)
                print ENVIRON["name"] ": part " part " from " $3 " waits for the others" >"/dev/stderr"
        } else {
            $1 = printable($1)
            print $1 "\t" $3 "\t" $4 >inbox
            if (ENVIRON["run"] != "")
                print $2 "\t" $1 "\t" $3 "\t" ($2 in number ? number[$2] : "-") "\t" $4 >(batch "/for-run")
        }
    }
    # What is genuine and no message all the same; then what could not be deciphered.
    for (i = 1; i <= count; i++)
        if (!(order[i] in plain)) print clean(without_name(frame[order[i]])) >unread
}
!($2 in new) { print clean(without_name($0)) >unread }
