import Foundation
import Support

/// The changes that tools made to the disk, in the order of their system calls. They are read from a log
/// of strace(1).
///
/// The start and the end of a call are recorded separately, because other calls may occur between them.
/// The shared memory beside a keyring (-shm) is ignored, because SQLite rebuilds it from the log after a
/// power cut.
struct Recording {
    struct Step {
        enum Kind {
            case write(file: Int, offset: Int, bytes: [UInt8])
            /// The file is extended or truncated to this size.
            case resize(file: Int, size: Int)
            /// A name is given to a file, or removed if `file` is nil.
            case name(String, file: Int?)
            /// A file is renamed.
            case rename(String, to: String, file: Int)
            /// A file is synchronised, or the names in a folder are synchronised.
            case synchronise(file: Int)
            case synchroniseFolder(String)
            /// Synchronising a file failed, and the data that was not written is dropped.
            case giveUp(file: Int)
            /// Output was written, and others may have seen it.
            case leave(stream: String, bytes: [UInt8])
            /// The output is complete up to this number of bytes.
            case arrive(stream: String, count: Int)
            /// The last process has ended.
            case end
        }
        let kind: Kind
        /// Lines of the log in which the call begins and returns.
        let begin: Int
        let end: Int
    }

    /// Steps in the order in which they may take effect on the disk.
    private(set) var steps: [Step] = []
    /// Names of the files at the end of the recording.
    private(set) var names: [String: Int]
    /// First name of each file.
    private(set) var firstNames: [Int: String]

    private var sizes: [Int: Int]
    private var positions: [String: Int] = [:]
    private let isWatched: (String) -> Bool

    struct Unknown: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the arguments that run a program under strace.
    ///
    /// - Parameter failing: which calls of fdatasync(2) in each process fail, in the syntax of strace(1).
    static func words(_ program: [String], log: String, failing: String? = nil) -> [String] {
        [
            "/usr/bin/strace", "-f", "-qq", "-y", "-xx", "-s", "16777216", "-o", log, "-e",
            "signal=none", "-e", "trace=" + calls.joined(separator: ","),
        ] + (failing.map { ["-e", "inject=fdatasync:error=EIO:when=" + $0] } ?? []) + program
    }

    private static let calls =
        [
            "openat", "open", "creat", "lseek", "write", "pwrite64", "ftruncate", "fsync",
            "fdatasync", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat",
        ] + unread

    /// System calls that also change files, but are not used by any tool.
    private static let unread = [
        "writev", "pwritev", "pwritev2", "truncate", "fallocate", "sync_file_range", "sync",
        "syncfs", "sendfile", "splice", "copy_file_range", "symlink", "symlinkat", "mknodat",
    ]

    /// Reads a recording.
    ///
    /// - Parameters:
    ///   - log: the output of strace.
    ///   - files: the names and sizes of the existing files.
    ///   - isWatched: returns true if a path is recorded.
    init(
        log: [UInt8], before files: [String: (file: Int, size: Int)],
        isWatched: @escaping (String) -> Bool
    ) throws {
        names = files.mapValues(\.file)
        firstNames = Dictionary(uniqueKeysWithValues: files.map { ($1.file, $0) })
        sizes = Dictionary(uniqueKeysWithValues: files.values.map { ($0.file, $0.size) })
        self.isWatched = { isWatched($0) && !$0.hasSuffix("-shm") }
        // Unfinished calls, by process.
        var open: [String: Call] = [:]
        var (number, place) = (0, 0)
        while let end = log.place(of: 10, in: place..<log.count) {
            defer { (number, place) = (number + 1, end + 1) }
            guard let (process, part) = Call.part(of: log, place..<end, number) else { continue }
            switch part {
            case .whole(var call):
                call.end = number
                try take(call)
            case .begun(let call):
                open[process] = call
                // A write may take effect as soon as it begins. Other calls take effect when they return.
                if Self.shows.contains(call.name) { try take(call) }
            case .ended(let result):
                guard var call = open.removeValue(forKey: process) else { continue }
                call.result = result
                call.end = number
                if Self.shows.contains(call.name) {
                    finish(call)
                } else {
                    try take(call)
                }
            }
        }
        steps.append(Step(kind: .end, begin: .max, end: .max))
    }

    private static let shows: Set<String> = ["write", "pwrite64"]

    /// Handles the end of a write that began on an earlier line.
    private mutating func finish(_ call: Call) {
        for index in steps.indices where steps[index].begin == call.begin {
            steps[index] = Step(kind: steps[index].kind, begin: call.begin, end: call.end)
        }
        arrive(call)
    }

    private mutating func arrive(_ call: Call) {
        if call.name == "write", call.descriptor == 1, let count = Int(call.result) {
            add(.arrive(stream: call.path, count: count), call)
        }
    }

    private mutating func add(_ kind: Step.Kind, _ call: Call) {
        steps.append(Step(kind: kind, begin: call.begin, end: call.end))
    }

    private mutating func take(_ call: Call) throws {
        if call.end < .max, call.result.hasPrefix("-1") {
            if call.name == "fdatasync" || call.name == "fsync", call.result.contains("EIO"),
                let file = names[call.path]
            {
                add(.giveUp(file: file), call)
            }
            return
        }
        if Self.unread.contains(call.name) {
            if isWatched(call.path) { throw Unknown(description: "\(call.name) is not modelled") }
            return
        }
        let path = call.path
        switch call.name {
        case "write":
            if call.descriptor == 1 { add(.leave(stream: path, bytes: call.bytes), call) }
            if isWatched(path) {
                let offset = positions[path, default: 0]
                positions[path] = offset + call.bytes.count
                try write(call, at: offset)
            }
            if call.end < .max { arrive(call) }
        case "pwrite64":
            guard isWatched(path) else { return }
            guard let offset = call.words.last.flatMap({ Int($0) }) else {
                throw Unknown(description: "a pwrite64 without an offset")
            }
            try write(call, at: offset)
        case "ftruncate":
            guard isWatched(path), let size = call.words.last.flatMap({ Int($0) }) else { return }
            let file = try file(path)
            if sizes[file] != size { add(.resize(file: file, size: size), call) }
            sizes[file] = size
        case "lseek":
            positions[path] = Int(call.result)
        case "fsync", "fdatasync":
            if let file = names[path] {
                add(.synchronise(file: file), call)
            } else {
                add(.synchroniseFolder(path), call)
            }
        default: try takeName(call)
        }
    }

    private mutating func takeName(_ call: Call) throws {
        let paths = call.paths
        switch call.name {
        case "open", "openat", "creat":
            let path = call.resultPath
            positions[path] = 0
            guard isWatched(path), call.words.contains(where: { $0.contains("O_CREAT") }) else {
                return
            }
            if let file = names[path] {
                let isEmptied = call.words.contains { $0.contains("O_TRUNC") }
                guard isEmptied, sizes[file] != 0 else { return }
                add(.resize(file: file, size: 0), call)
                sizes[file] = 0
            } else {
                let file = (firstNames.keys.max() ?? 0) + 1
                names[path] = file
                firstNames[file] = path
                sizes[file] = 0
                add(.name(path, file: file), call)
            }
        case "unlink", "unlinkat":
            guard let path = paths.last, names.removeValue(forKey: path) != nil else { return }
            add(.name(path, file: nil), call)
        case "link", "linkat":
            guard paths.count == 2, let file = names[paths[0]] else { return }
            names[paths[1]] = file
            add(.name(paths[1], file: file), call)
        default:
            guard paths.count == 2, let file = names.removeValue(forKey: paths[0]) else { return }
            names[paths[1]] = file
            add(.rename(paths[0], to: paths[1], file: file), call)
        }
    }

    private func file(_ path: String) throws -> Int {
        guard let file = names[path] else { throw Unknown(description: "\(path) was not opened") }
        return file
    }

    private mutating func write(_ call: Call, at offset: Int) throws {
        let file = try file(call.path)
        add(.write(file: file, offset: offset, bytes: call.bytes), call)
        let end = offset + call.bytes.count
        guard end > sizes[file] ?? 0 else { return }
        add(.resize(file: file, size: end), call)
        sizes[file] = end
    }
}

/// One call in a log of `strace -f -y -xx`.
private struct Call {
    let name: String
    let begin: Int
    var end = Int.max
    var result = ""
    /// Number of the descriptor in the first argument.
    var descriptor: Int?
    var path = ""
    /// String arguments, as paths and as bytes.
    var paths: [String] { texts.map { String(decoding: $0, as: UTF8.self) } }
    var bytes: [UInt8] { texts.first ?? [] }
    private var texts: [[UInt8]] = []
    /// The other arguments.
    var words: [Substring] = []

    enum Part {
        case whole(Call)
        case begun(Call)
        case ended(result: String)
    }

    /// Path of the returned descriptor.
    var resultPath: String {
        guard let start = result.firstIndex(of: "<") else { return "" }
        return Call.plain(result[start...])
    }

    static func part(of log: [UInt8], _ line: Range<Int>, _ number: Int) -> (String, Part)? {
        guard let space = log.place(of: 32, in: line) else { return nil }
        let process = String(decoding: log[line.lowerBound..<space], as: UTF8.self)
        var start = space
        while start < line.upperBound, log[start] == 32 { start += 1 }
        let tail = String(
            decoding: log[max(start, line.upperBound - 6000)..<line.upperBound], as: UTF8.self)
        let sign = tail.range(of: "= ", options: .backwards)
        let result = sign.map { String(tail[$0.upperBound...]) } ?? ""
        switch log[start] {
        case UInt8(ascii: "<"): return (process, .ended(result: result))
        case UInt8(ascii: "a")...UInt8(ascii: "z"):
            var call = Call(log, start..<line.upperBound, number)
            if tail.hasSuffix("<unfinished ...>") { return (process, .begun(call)) }
            call.result = result
            return (process, .whole(call))
        default: return nil
        }
    }

    private init(_ log: [UInt8], _ line: Range<Int>, _ number: Int) {
        begin = number
        let open = log.place(of: UInt8(ascii: "("), in: line) ?? line.lowerBound
        name = String(decoding: log[line.lowerBound..<open], as: UTF8.self)
        // Remove the string arguments, which are long.
        var rest: [UInt8] = []
        var place = open + 1
        while let quote = log.place(of: 34, in: place..<line.upperBound),
            let close = log.place(of: 34, in: (quote + 1)..<line.upperBound)
        {
            rest += log[place..<quote]
            texts.append(Call.decoded(log, (quote + 1)..<close))
            place = close + 1
        }
        rest += log[place..<line.upperBound]
        // An interrupted call has no closing bracket yet.
        let text = String(decoding: rest, as: UTF8.self)
            .replacingOccurrences(of: "<unfinished ...>", with: ")")
        words = text.split(separator: ")")[0].split(separator: ",").map {
            Substring($0.trimmingCharacters(in: .whitespaces))
        }
        guard let first = words.first, let mark = first.firstIndex(of: "<") else { return }
        descriptor = Int(first[..<mark])
        path = Call.plain(first[mark...])
    }

    /// Returns the text between < and >.
    private static func plain(_ text: Substring) -> String {
        let inner = text.dropFirst().prefix { $0 != ">" }
        guard inner.hasPrefix("\\x") else { return String(inner) }
        let bytes = Array(inner.utf8)
        return String(decoding: decoded(bytes, 0..<bytes.count), as: UTF8.self)
    }

    /// Decodes the bytes written as \xHH.
    private static func decoded(_ log: [UInt8], _ range: Range<Int>) -> [UInt8] {
        unsafe log.withUnsafeBufferPointer { log in
            unsafe [UInt8](unsafeUninitializedCapacity: range.count / 4) { bytes, count in
                let end = range.count / 4
                while count < end {
                    let place = range.lowerBound &+ 4 &* count
                    let (high, low) = unsafe (log[place &+ 2], log[place &+ 3])
                    unsafe bytes[count] =
                        (high < 97 ? high &- 48 : high &- 87) &<< 4
                        | (low < 97 ? low &- 48 : low &- 87)
                    count &+= 1
                }
            }
        }
    }
}

extension [UInt8] {
    /// Does the same as `firstIndex(of:)`, which is slow without optimisation.
    func place(of byte: UInt8, in range: Range<Int>) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, !range.isEmpty,
                let found = unsafe memchr(start + range.lowerBound, Int32(byte), range.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
    }
}
