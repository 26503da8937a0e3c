/// What the three filters have in common on their command lines.
package struct FilterOptions: Sendable {
    /// LF, or NUL with `-z`.
    package let terminator: UInt8
    /// The field, from 1, that holds the payload; it is the last.
    package let payloadField: Int
    package let rejectsPath: String?
    package let stopsAtFirst: Bool
    package let showsProgress: Bool
    /// False where the fields are fixed, and `-f` does not exist.
    package let hasFieldOption: Bool
    /// Input files, `-` for stdin.
    package let inputs: [String]

    package static let table = [
        Option("null", short: "z"),
        Option("field", short: "f", takesValue: true),
        Option("rejects", takesValue: true),
        Option("fail-fast"),
        Option("progress"),
    ]

    /// Fields that a record may have.
    package static let fieldLimits = 1...1000

    /// - Parameters:
    ///   - payloadField: the payload's field where `-f` does not say.
    ///   - inputs: the input files, where they are not the operands but the tool's own choice, and
    ///     the fields as well.
    package init(
        _ arguments: Arguments, payloadField: Int = 1, inputs: [String]? = nil
    ) throws(Misuse) {
        terminator = arguments.has("null") ? 0 : UInt8(ascii: "\n")
        self.payloadField =
            try arguments.integer("field", in: Self.fieldLimits) ?? payloadField
        rejectsPath = arguments.value("rejects")
        stopsAtFirst = arguments.has("fail-fast")
        showsProgress = arguments.has("progress")
        hasFieldOption = inputs == nil
        self.inputs = inputs ?? (arguments.operands.isEmpty ? ["-"] : arguments.operands)
    }
}
