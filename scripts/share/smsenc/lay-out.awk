# Lays out what goes into the inbox, what into the unread file, and what waits for other parts, as
# BATCH/for-*, of BATCH/in, whose lines, SMS as they came, are what it reads; of these BATCH/read could be
# deciphered, and BATCH/messages has what smsenc-frame made of their frames.
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
BEGIN {
    bad = "\357\277\275"; next_byte = "[\200-\277]"
    good = "^([ -~]|[\302-\337]" next_byte "|\340[\240-\277]" next_byte \
        "|[\341-\354\356\357]" next_byte next_byte "|\355[\200-\237]" next_byte \
        "|\360[\220-\277]" next_byte next_byte "|[\361-\363]" next_byte next_byte next_byte \
        "|\364[\200-\217]" next_byte next_byte ")+"
    batch = ENVIRON["batch"]; inbox = batch "/for-inbox"; unread = batch "/for-unread"
    while ((getline <(batch "/fates")) > 0) fate[$1] = $2
    while ((getline <(batch "/read")) > 0) new[$2] = 1
    while ((getline <(batch "/in")) > 0) number[$2] = $3
    close(batch "/in")
    while ((getline <(batch "/frames")) > 0) { frame[++count] = $0; place[$2] = count }
    while ((getline <(batch "/unpacked")) > 0) {
        became[$1] = $3
        if ($3 == "ok" || $3 == "part") continue
        # Genuine, and no message all the same.
        split(frame[$1], field)
        print clean(field[1] "\t" field[4] "\t" field[5]) >unread
        print ENVIRON["name"] ": " printable(field[1]) ": " $5 >"/dev/stderr"
    }
    # What was missing before parts that are in a message now is missing before that, whose last part was
    # late, as a rule.
    while ((getline <(batch "/messages")) > 0) {
        stands[$2] = 1
        if (became[place[$2]] == "ok" && (!($4 in taker) || $3 < least[$4])) { taker[$4] = $2; least[$4] = $3 }
    }
    close(batch "/messages")
    for (i = 1; i <= count; i++) {
        split(frame[i], field)
        if (became[i] == "part" && !(field[2] in stands)) owed[taker[field[4]]] += field[3]
    }
    while ((getline <(batch "/messages")) > 0) {
        split($2, since, ".")
        age = ENVIRON["now"] - since[1]
        # One of the far future came while the clock was wrong.
        if (became[place[$2]] == "part" && age < ENVIRON["wait"] && -age < ENVIRON["wait"]) {
            print frame[place[$2]] >(batch "/for-waiting")
            if ($2 in new)
                print ENVIRON["name"] ": part " substr($5, 1, index($5, ":") - 1) " from " $4 \
                    " waits for the others" >"/dev/stderr"
            continue
        }
        $1 = printable($1)
        missing = $3 + (owed[$2] > 0 ? owed[$2] : 0)
        if (missing < 0) missing = 0
        if (missing && ENVIRON["gaps"] != "")
            print $1 "\t-\t" (missing == 1 ? "1 message" : missing " messages") " of " $4 " before this one " \
                (missing == 1 ? "has" : "have") " not come" >inbox
        print $1 "\t" $4 "\t" $5 >inbox
        if (ENVIRON["run"] != "")
            print $2 "\t" $1 "\t" $4 "\t" ($2 in number ? number[$2] : "-") "\t" missing "\t" $5 >(batch "/for-run")
    }
}
!($2 in new) && fate[$2] != "read" { print clean(without_name($0)) >unread }
