import LineIO

/// What smsenc-pad was asked to do.
struct PadOptions {
    /// What the contact field is on output.
    enum ContactField {
        case asItCame
        case number
        case name
    }

    let filter: FilterOptions
    let deciphers: Bool
    let contact: String?
    let contactField: ContactField
    let searchesFar: Bool
    /// True to say what would go through, and let nothing through.
    let checks: Bool

    init(_ arguments: Arguments) throws(Stop) {
        deciphers = arguments.has("decipher")
        contact = arguments.value("contact")
        searchesFar = arguments.has("far")
        checks = arguments.has("check")
        try arguments.refuse(
            "check", with: "decipher",
            because: "only its key tells whether a ciphertext can be read")
        try arguments.refuse("number", with: "name", because: "the contact field is one of them")
        contactField =
            arguments.has("number") ? .number : arguments.has("name") ? .name : .asItCame
        var filter = try FilterOptions(arguments, payloadField: contact == nil ? 2 : 1)
        if contact == nil { filter.missing = "-c CONTACT, or a TAB," }
        self.filter = filter
        if searchesFar, !deciphers { throw .misuse("--far goes with -d") }
        if contact == nil, filter.payloadField == 1 {
            throw .misuse("-f 1 leaves no field for the contact; name one with -c")
        }
    }
}
