import Support
import TestPeople

/// A simulated disk on which a recording is played back. It computes what the disk may contain after a
/// power cut.
///
/// Synchronised data is always on the disk. Each later piece of data may be on the disk or missing,
/// independently of the other pieces, and a write may be torn at sectors of 512 bytes. The size of a file
/// is a separate piece from the file's data. Each change of a name is a separate piece until its folder is
/// synchronised. If synchronising some data failed, this data never reaches the disk unless it is written
/// again, although the running system shows it as if it had been written.
struct Disk {
    /// The contents of files by number, and the names of the files.
    struct State {
        var files: [Int: [UInt8]]
        var names: [String: Int]

        func contents(of path: String) -> [UInt8]? {
            names[path].flatMap { files[$0] }
        }

        /// A hash of the state.
        var fingerprint: Int {
            var hasher = Hasher()
            for (path, file) in names.sorted(by: { $0.key < $1.key }) {
                hasher.combine(path)
                hasher.combine(file)
                unsafe files[file]?.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            }
            return hasher.finalize()
        }
    }

    /// A change that may have reached the disk.
    struct Piece {
        let kind: Recording.Step.Kind
        let end: Int
        /// The index of the step.
        let number: Int
    }

    /// What happens to a piece in a power cut.
    enum PieceOutcome: Hashable {
        case missing, whole
        /// Some sectors are written. The bits of the number select the sectors.
        case torn(UInt64)
    }

    private static let sector = 512

    /// The synchronised state.
    private(set) var certain: State
    private(set) var pending: [Piece] = []
    private var count = 0

    init(_ certain: State) { self.certain = certain }

    mutating func play(_ step: Recording.Step) {
        defer { count += 1 }
        switch step.kind {
        case .write, .resize, .name, .rename:
            pending.append(Piece(kind: step.kind, end: step.end, number: count))
        case .synchronise(let file):
            makeDurable { piece in
                switch piece.kind {
                case .write(file, _, _), .resize(file, _): piece.end < step.begin
                default: false
                }
            }
        case .synchroniseFolder(let folder):
            makeDurable { piece in
                switch piece.kind {
                case .name(let path, _), .rename(let path, _, _):
                    piece.end < step.begin && Self.folder(of: path) == folder
                default: false
                }
            }
        case .giveUp(let file):
            pending.removeAll { piece in
                if case .write(file, _, _) = piece.kind { piece.end < step.begin } else { false }
            }
        case .leave, .arrive, .end: break
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    private mutating func makeDurable(where isDurable: (Piece) -> Bool) {
        let pieces = pending
        pending = []
        var ends: [Int: Int] = [:]
        for piece in pieces {
            if isDurable(piece) {
                Self.apply(piece, .whole, to: &certain, &ends)
            } else {
                pending.append(piece)
            }
        }
        Self.cut(&certain, ends)
    }

    /// Returns the state of the disk if the pieces have these outcomes. A piece without an outcome is
    /// missing.
    func state(_ outcomes: [PieceOutcome]) -> State {
        var state = certain
        var ends = state.files.mapValues(\.count)
        for (piece, outcome) in zip(pending, outcomes) where outcome != .missing {
            Self.apply(piece, outcome, to: &state, &ends)
        }
        Self.cut(&state, ends)
        state.files = state.files.filter { file, _ in state.names.values.contains(file) }
        return state
    }

    /// Sets the sizes of files. Data beyond the end of a file is not visible.
    private static func cut(_ state: inout State, _ ends: [Int: Int]) {
        for (file, end) in ends {
            guard let count = state.files[file]?.count, count != end else { continue }
            if count > end {
                state.files[file]?.removeLast(count - end)
            } else {
                state.files[file]? += [UInt8](repeating: 0, count: end - count)
            }
        }
    }

    private static func apply(
        _ piece: Piece, _ outcome: PieceOutcome, to state: inout State, _ ends: inout [Int: Int]
    ) {
        switch piece.kind {
        case .write(let file, let offset, let bytes):
            if ends[file] == nil { ends[file] = state.files[file]?.count ?? 0 }
            write(bytes, at: offset, outcome, into: &state.files[file, default: []])
        case .resize(let file, let size):
            let count = state.files[file]?.count ?? 0
            if size < count { state.files[file]?.removeLast(count - size) }
            ends[file] = size
        case .name(let path, let file):
            state.names[path] = file
            if let file, state.files[file] == nil { state.files[file] = [] }
        case .rename(let path, let new, let file):
            if state.names[path] == file { state.names[path] = nil }
            state.names[new] = file
            if state.files[file] == nil { state.files[file] = [] }
        case .synchronise, .synchroniseFolder, .giveUp, .leave, .arrive, .end: break
        }
    }

    private static func write(
        _ bytes: [UInt8], at offset: Int, _ outcome: PieceOutcome, into contents: inout [UInt8]
    ) {
        let end = offset + bytes.count
        if contents.count < end {
            contents += [UInt8](repeating: 0, count: end - contents.count)
        }
        guard case .torn(let seed) = outcome else {
            contents.overwrite(offset..<end, with: bytes, from: 0)
            return
        }
        var generator = Generator(seed: seed)
        var place = offset
        while place < end {
            let next = min(end, (place / sector + 1) * sector)
            if generator.once(in: 2) {
                contents.overwrite(place..<next, with: bytes, from: place - offset)
            }
            place = next
        }
    }
}

extension [UInt8] {
    /// Does the same as `replaceSubrange`, which is slow without optimisation.
    fileprivate mutating func overwrite(_ range: Range<Int>, with bytes: [UInt8], from: Int) {
        unsafe withUnsafeMutableBytes { room in
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(rebasing: room[range])
                    .copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[from..<(from + range.count)]))
            }
        }
    }
}
