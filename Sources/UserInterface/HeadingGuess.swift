/// Recognises the heading line of a table of contacts.
package enum HeadingGuess {
    /// Words for "name" or "number" in the languages of the cards.
    private static let words: Set<String> = [
        "name", "names", "contact", "person", "number", "phone", "telephone", "mobile", "cell",
        "tel",
        "nom", "numéro", "téléphone", "nombre", "número", "teléfono", "nome", "telefone", "имя",
        "номер",
        "телефон", "jina", "nambari", "simu", "الاسم", "رقم", "الهاتف",
    ]

    /// Returns true if the second field contains no digits, and one of the first two fields contains a
    /// word for "name" or "number". Also returns true if the first field is `sep=`, which some
    /// spreadsheets write before a table.
    package static func isHeading(_ fields: [String]) -> Bool {
        if fields[0] == "sep=" { return true }
        guard fields.count > 1 else { return false }
        guard !fields[1].utf8.contains(where: { (48...57).contains($0) }) else { return false }
        let isEmpty = ["", "-"].contains(fields[1])
        return (isEmpty ? [] : fields).contains(where: containsWord)
    }

    /// Returns true if the field contains a word for "name" or "number".
    static func containsWord(_ field: String) -> Bool {
        field.lowercased().split { !$0.isLetter }.contains { words.contains(String($0)) }
    }
}
