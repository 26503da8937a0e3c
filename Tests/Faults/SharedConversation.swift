import Foundation
import Support
import TestPeople
import Testing

/// Suites whose tests use the same pair of keyrings in turn. Each test begins with the keyrings as the
/// previous test left them.
@Suite("Faults", .measured) enum Faults {}

/// Two people whose keyrings are shared by all tests of a suite, and the messages in transit between them.
///
/// Only one test may use this object at a time.
final class SharedConversation: @unchecked Sendable {
    /// One direction of the conversation.
    struct Direction {
        let sender: String
        let reader: String
        let trace: KeyTrace
        /// Messages that were encrypted, but not yet printed by the recipient.
        var inbox: [(ciphertext: String, frame: String)] = []
    }

    let sandbox: Sandbox
    private(set) var directions: [Direction]
    /// A thousand frames, which are sent repeatedly.
    private let frames: [String]
    private var count = 0

    init() throws {
        sandbox = try Sandbox(people: ["amina", "bela"])
        sandbox.removeAtExit()
        let traces = try KeyTrace.pair(of: "amina", with: "bela", in: sandbox)
        directions = [
            Direction(sender: "amina", reader: "bela", trace: traces.sending),
            Direction(sender: "bela", reader: "amina", trace: traces.receiving),
        ]
        frames = lines(of: try sandbox.frames((0..<1000).map { "Message \($0)" }))
    }

    /// Returns the frames of the next messages.
    func nextFrames(_ number: Int) -> [String] {
        defer { count += number }
        return (count..<(count + number)).map { frames[$0 % frames.count] }
    }

    /// Starts encrypting a file of frames. The output is written to `file`, or collected if `file` is nil.
    func startEncrypting(_ direction: Int, _ frames: [String], into file: String?) throws -> ToolRun
    {
        try start(
            ["-c", directions[direction].reader], as: directions[direction].sender, frames,
            into: file)
    }

    func startDecrypting(
        _ direction: Int, _ ciphertexts: [String], options: [String] = [], into file: String?
    ) throws -> ToolRun {
        try start(
            options + ["-d", "-c", directions[direction].sender], as: directions[direction].reader,
            ciphertexts, into: file)
    }

    private func start(
        _ arguments: [String], as person: String, _ input: [String], into file: String?
    ) throws -> ToolRun {
        try sandbox.write(text(input), to: "desk/in")
        let run = try sandbox.start("smsenc-pad", arguments + ["in"], as: person, into: file)
        run.closeInput()
        return run
    }

    /// How a run is interrupted.
    enum Disturbance {
        case none
        /// The process is killed after this number of seconds.
        case kill(after: Double)
        /// The process writes to a pipe of one page, which is read only after the process was killed.
        case killUnread(after: Double)

        var moment: Double? {
            switch self {
            case .none: nil
            case .kill(let seconds), .killUnread(let seconds): seconds
            }
        }
    }

    /// Encrypts messages. A run that is killed writes only some of them.
    ///
    /// - Returns: true if the run was killed before it ended.
    @discardableResult
    func encrypt(_ direction: Int, _ number: Int, _ disturbance: Disturbance = .none) throws -> Bool
    {
        let frames = nextFrames(number)
        let (written, isKilled) = try end(disturbance) { file in
            try startEncrypting(direction, frames, into: file)
        }
        #expect(isKilled || written.count == number)
        try post(direction, written, frames)
        return isKilled
    }

    /// Decrypts the messages in transit, or the first `number` of them. Messages that a killed run did not
    /// print remain in transit.
    ///
    /// - Returns: true if the run was killed before it ended.
    @discardableResult
    func decrypt(
        _ direction: Int, _ number: Int = .max, _ disturbance: Disturbance = .none,
        options: [String] = []
    ) throws -> Bool {
        let due = directions[direction].inbox.prefix(number)
        let (printed, isKilled) = try end(disturbance) { file in
            try startDecrypting(direction, due.map(\.ciphertext), options: options, into: file)
        }
        #expect(printed == due.prefix(printed.count).map(\.frame))
        #expect(isKilled || printed.count == due.count, "a message that was received is lost")
        directions[direction].inbox.removeFirst(min(printed.count, due.count))
        return isKilled
    }

    /// Checks ciphertexts against the chain of keys, and adds them to the messages in transit.
    func post(_ direction: Int, _ written: [String], _ frames: [String]) throws {
        for (ciphertext, frame) in zip(written, frames) {
            guard let found = try directions[direction].trace.place(ciphertext) else { continue }
            #expect(found.frame == frame)
            directions[1 - direction].trace.offer(found.nextKey)
            directions[direction].inbox.append((ciphertext, frame))
        }
    }

    /// Delivers messages that were lost before.
    func receiveAgain(_ direction: Int, _ messages: [(ciphertext: String, frame: String)]) {
        directions[direction].inbox += messages
    }

    /// Runs smsenc-pad, which is killed when it begins to write its output.
    func killAtFirstOutput(_ arguments: [String], as person: String, _ input: [String]) throws {
        try sandbox.write(text(input), to: "desk/in")
        let file = sandbox.path("desk/out")
        let run = try ToolRun(
            [
                "/usr/bin/strace", "-qq", "-o", "/dev/null", "-P", file, "-e",
                "inject=write,writev,pwrite64:signal=KILL", Tools.path("smsenc-pad"),
            ] + arguments + ["in"], in: sandbox.path("desk"),
            environment: sandbox.environment(of: person), into: file)
        run.closeInput()
        let result = run.finish()
        #expect(result.status == 128 + SIGKILL, "\(result.errorText)")
        #expect(try sandbox.contents(file).isEmpty)
    }

    /// Loses all messages in transit except the first `number`.
    func lose(_ direction: Int, keeping number: Int) {
        directions[direction].inbox.removeSubrange(
            min(number, directions[direction].inbox.count)...)
    }

    /// Sends messages in both directions and checks that all are read.
    func exchangeMessages() throws {
        for direction in [0, 1, 0, 1] {
            try encrypt(direction, 2)
            try decrypt(direction)
        }
    }

    /// Runs a tool until it ends.
    ///
    /// - Returns: the complete lines that it wrote, and whether it was killed.
    private func end(
        _ disturbance: Disturbance, _ start: (String?) throws -> ToolRun
    ) throws -> (lines: [String], isKilled: Bool) {
        let file = sandbox.path("desk/out")
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
        return (lines(of: try sandbox.contents(file)), isKilled)
    }
}

/// Joins lines, and appends a line feed to each line.
func text(_ lines: some Sequence<String>) -> [UInt8] {
    Array(lines.map { $0 + "\n" }.joined().utf8)
}

/// Splits text into its complete lines.
func lines(of bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    var place = 0
    while let end = bytes.place(of: 10, in: place..<bytes.count) {
        lines.append(String(decoding: bytes[place..<end], as: UTF8.self))
        place = end + 1
    }
    return lines
}
