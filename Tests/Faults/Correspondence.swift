import Foundation
import Support
import TestPeople
import Testing

/// Suites whose tests take turns with one pair of keyrings: whatever one does to them, the next goes on.
@Suite("Faults", .measured) enum Faults {}

/// Two people whose keyrings all runs of a suite share, and what is under way between them.
///
/// One test at a time uses it.
final class Correspondence: @unchecked Sendable {
    /// One direction.
    struct Way {
        let sender: String
        let reader: String
        let trace: Trace
        /// Written, and not yet printed on the other side.
        var inbox: [(ciphertext: String, frame: String)] = []
    }

    let bench: Bench
    private(set) var ways: [Way]
    /// Frames of a thousand messages, sent over and over.
    private let frames: [String]
    private var count = 0

    init() throws {
        bench = try Bench(people: ["amina", "bela"])
        bench.removeAtExit()
        let traces = try Trace.pair(of: "amina", with: "bela", in: bench)
        ways = [
            Way(sender: "amina", reader: "bela", trace: traces.sending),
            Way(sender: "bela", reader: "amina", trace: traces.receiving),
        ]
        frames = lines(of: try bench.frames((0..<1000).map { "Message \($0)" }))
    }

    /// The frames of the messages that are sent next.
    func nextFrames(_ number: Int) -> [String] {
        defer { count += number }
        return (count..<(count + number)).map { frames[$0 % frames.count] }
    }

    /// Starts to encipher a file of frames; stdout is gathered or goes to a file.
    func startEnciphering(_ way: Int, _ frames: [String], into file: String?) throws -> ToolRun {
        try start(["-c", ways[way].reader], as: ways[way].sender, frames, into: file)
    }

    func startDeciphering(
        _ way: Int, _ ciphertexts: [String], into file: String?
    ) throws -> ToolRun {
        try start(["-d", "-c", ways[way].sender], as: ways[way].reader, ciphertexts, into: file)
    }

    private func start(
        _ arguments: [String], as person: String, _ input: [String], into file: String?
    ) throws -> ToolRun {
        try bench.write(text(input), to: "desk/in")
        let run = try bench.start("smsenc-pad", arguments + ["in"], as: person, into: file)
        run.closeInput()
        return run
    }

    /// How a run is disturbed.
    enum Disturbance {
        case none
        /// It is killed after so many seconds.
        case kill(after: Double)
        /// Likewise; its output goes into a pipe that holds a page and is read when it is dead.
        case killUnread(after: Double)

        var moment: Double? {
            switch self {
            case .none: nil
            case .kill(let seconds), .killUnread(let seconds): seconds
            }
        }
    }

    /// Enciphers messages; a run that is killed writes some of them. True when it was killed in time.
    @discardableResult
    func encipher(_ way: Int, _ number: Int, _ disturbance: Disturbance = .none) throws -> Bool {
        let frames = nextFrames(number)
        let (written, isKilled) = try end(disturbance) { file in
            try startEnciphering(way, frames, into: file)
        }
        #expect(isKilled || written.count == number)
        try post(way, written, frames)
        return isKilled
    }

    /// Deciphers what is under way, or the first of it alone; what a run prints that is killed is
    /// done with, and the rest is tried again. True when it was killed in time.
    @discardableResult
    func decipher(
        _ way: Int, _ number: Int = .max, _ disturbance: Disturbance = .none
    ) throws -> Bool {
        let due = ways[way].inbox.prefix(number)
        let (printed, isKilled) = try end(disturbance) { file in
            try startDeciphering(way, due.map(\.ciphertext), into: file)
        }
        #expect(printed == due.prefix(printed.count).map(\.frame))
        #expect(isKilled || printed.count == due.count, "a message that was received is lost")
        ways[way].inbox.removeFirst(min(printed.count, due.count))
        return isKilled
    }

    /// Follows ciphertexts by the chain of keys, and sends them on their way.
    func post(_ way: Int, _ written: [String], _ frames: [String]) throws {
        for (ciphertext, frame) in zip(written, frames) {
            guard let found = try ways[way].trace.place(ciphertext) else { continue }
            #expect(found.frame == frame)
            ways[1 - way].trace.offer(found.nextKey)
            ways[way].inbox.append((ciphertext, frame))
        }
    }

    /// Loses what is under way, but for the first so many.
    func lose(_ way: Int, keeping number: Int) {
        ways[way].inbox.removeSubrange(min(number, ways[way].inbox.count)...)
    }

    /// Messages both ways, undisturbed: everything that was written is read.
    func goOn() throws {
        for way in [0, 1, 0, 1] {
            try encipher(way, 2)
            try decipher(way)
        }
    }

    /// Runs a tool to its end: the lines that it wrote to theirs, and whether it was killed.
    private func end(
        _ disturbance: Disturbance, _ start: (String?) throws -> ToolRun
    ) throws -> (lines: [String], isKilled: Bool) {
        let file = bench.path("desk/out")
        let run: ToolRun
        if case .killUnread = disturbance {
            run = try start(nil)
            run.narrowOutput()
        } else {
            run = try start(file)
        }
        if let seconds = disturbance.moment {
            usleep(UInt32(seconds * 1_000_000))
            run.kill()
        }
        let result = run.finish()
        let isKilled = disturbance.moment != nil && result.status == 128 + SIGKILL
        #expect(result.status == 0 || isKilled, "\(result.errorText)")
        if case .killUnread = disturbance { return (lines(of: result.output), isKilled) }
        return (lines(of: try bench.contents(file)), isKilled)
    }
}

/// Lines, each with its end.
func text(_ lines: some Sequence<String>) -> [UInt8] {
    Array(lines.map { $0 + "\n" }.joined().utf8)
}

/// The lines that have an end.
func lines(of bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    var place = 0
    while let end = bytes.place(of: 10, in: place..<bytes.count) {
        lines.append(String(decoding: bytes[place..<end], as: UTF8.self))
        place = end + 1
    }
    return lines
}
