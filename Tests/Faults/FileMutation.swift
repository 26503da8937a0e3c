import Support

/// Replaces parts of a keyring's file, or files beside it, in the same way as an attacker who has older
/// copies.
enum FileMutation {
    private static let page = 4096

    /// Applies a random mutation, and returns its description.
    static func apply(to keyring: MutatedKeyring, _ generator: inout Generator) throws -> String {
        var file = keyring.newest.file
        let older = generator.pick(keyring.older)
        let torn = generator.pick(keyring.older.filter { !$0.log.isEmpty })
        switch generator.number(below: 10) {
        case 0, 1:
            let pages = (any(of: file, &generator), any(of: file, &generator))
            let first = Array(file[pages.0])
            file.replaceSubrange(pages.0, with: file[pages.1])
            file.replaceSubrange(pages.1, with: first)
            try keyring.put(file)
            return "pages \(pages) exchanged"
        case 2, 3, 4:
            var taken: [Int] = []
            for _ in 0...generator.number(below: 4) {
                // The pages are copied from the same position in the older file, or from a different
                // position.
                let source = any(of: older.file, &generator)
                let target = generator.once(in: 3) ? any(of: file, &generator) : source
                guard target.upperBound <= file.count else { continue }
                file.replaceSubrange(target, with: older.file[source])
                taken.append(source.lowerBound / page)
            }
            try keyring.put(file)
            return "older pages \(taken)"
        case 5:
            try keyring.put(torn.file, beside: generator.once(in: 2) ? ["-wal": torn.log] : [:])
            return "an older file, with its log or without"
        case 6:
            try keyring.put(file, beside: ["-wal": torn.log])
            return "an older log beside the file"
        case 7:
            let size = 32 + (24 + page) * generator.number(below: torn.log.count / page + 1)
            let cut = Array(torn.log.prefix(size))
            try keyring.put(generator.once(in: 2) ? torn.file : file, beside: ["-wal": cut])
            return "a log cut after \(size)"
        case 8:
            let pages = (0...generator.number(below: 4)).map { _ in
                any(of: older.file, &generator)
            }
            let isWhole = generator.once(in: 2)
            let journal = journal(
                of: pages.map { ($0, older.file) }, size: file.count, above: keyring.note)
            try keyring.put(isWhole ? older.file : file, beside: ["-journal": journal])
            return "a journal of older pages, below the note"
        default:
            for _ in 0...generator.number(below: 3) {
                file[generator.number(below: file.count)] = UInt8(generator.number(below: 256))
            }
            if generator.once(in: 3) { file.removeLast(page) }
            try keyring.put(file)
            return "single bytes, and the end"
        }
    }

    private static func any(of file: [UInt8], _ generator: inout Generator) -> Range<Int> {
        let start = generator.number(below: file.count / page) * page
        return start..<(start + page)
    }

    /// Creates a hot journal that SQLite would roll back (Database File Format, section 3). The name of
    /// its super-journal is `superior`, which is a file that SQLite would delete.
    private static func journal(
        of pages: [(Range<Int>, [UInt8])], size: Int, above superior: String
    ) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        var journal = magic
        for value in [pages.count, 0, size / page, 512, page] { journal += word(value) }
        journal += [UInt8](repeating: 0, count: 512 - journal.count)
        for (place, file) in pages {
            let bytes = file[place]
            let sum = stride(from: page - 200, to: 0, by: -200).reduce(0) {
                $0 + Int(bytes[place.lowerBound + $1])
            }
            journal += word(place.lowerBound / page + 1) + bytes + word(sum)
        }
        let name = Array(superior.utf8)
        journal += word((1 << 18) + 1) + name + word(name.count)
        return journal + word(name.reduce(0) { $0 + Int($1) }) + magic
    }
}
