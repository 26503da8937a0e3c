import Foundation
import Support
import TestPeople
import Testing

/// A command of smsenc-keyring that is interrupted by a power cut.
struct KeyringWork: Sendable, CustomTestStringConvertible {
    let name: String
    /// Prepares the keyring, and returns the script to record.
    let prepare: @Sendable (PowerCut) throws -> String
    /// Commands that print the keyring's state and do not change it.
    var views = [["list"]]
    /// Commands that print the output of the recorded command again. They may change the keyring.
    var shows: [[String]] = []
    /// True if the rows of a table are committed one by one.
    var isTable = false
    /// True if the command creates the keyring.
    var appears = false
    var needsPassword = false
    /// Command that makes the keyring usable again if it refuses to work until its owner states what
    /// happened.
    var again: [String]?
    /// File with the new password, if the command changes the password.
    var newPassword: String?
    /// True if the command destroys the keyring.
    var destroys = false
    /// True if the command replaces the empty file `out`, and records this in the keyring.
    var replacesOutput = false
    /// True if no messages can be encrypted for any contact afterwards.
    var isSilent = false

    var testDescription: String { name }

    /// Creates a command that needs no preparation.
    private static func plain(
        _ command: String, views: [[String]] = [["list"]], shows: [[String]] = [],
        isSilent: Bool = false
    ) -> Self {
        Self(
            name: command, prepare: { _ in "smsenc-keyring \(command)" }, views: views,
            shows: shows, isSilent: isSilent)
    }

    private static let identities = [["list"], ["identity", "list"]]

    /// Commands that do not change the keyring.
    static let changingNothing = ["status", "show", "check", "hash", "sent"]

    static let all = [
        plain("add Zed --number +27821234567", shows: [["resync", "Zed"]]),
        plain("edit b1 --name Zed --number +27821234567"),
        plain("remove b1 --yes"),
        plain("resync b1", shows: [["resync", "b1"]]),
        plain("resync --lost b1 --yes", shows: [["resync", "b1"]]),
        plain("resync --lost --all --yes", shows: [["resync", "b1"]], isSilent: true),
        plain("offer b1", shows: [["offer", "b1"]]),
        plain("identity add Mask --kind fictitious", views: identities),
        plain("identity add Haze --kind transient"),
        plain("file-key --public", shows: [["file-key", "--public"]]),
        plain("identity rename real Me", views: identities),
        plain("set receipts b1 on"),
        plain("list"), plain("export"), plain("lock --all"),
        Self(
            name: "export FILE",
            prepare: { power in "smsenc-keyring export \(power.sandbox.path("desk/out"))" },
            views: [["status"]], replacesOutput: true),
        Self(
            name: "identity remove",
            prepare: { power in
                try power.keep(["identity", "add", "Mask", "--kind", "partial"])
                try power.keep(["-i", "Mask", "add", "Zed"])
                return "smsenc-keyring identity remove Mask --yes"
            }, views: identities),
        Self(
            name: "add -",
            prepare: { power in
                try power.write((0..<40).map { "z\($0)\t" }, to: "in")
                return "smsenc-keyring add - <in"
            }, isTable: true),
        Self(
            name: "offer -",
            prepare: { power in
                try power.write(["b1", "b2"], to: "in")
                return "smsenc-keyring offer - <in"
            }, shows: [["offer", "b1"], ["offer", "b2"]], isTable: true),
        Self(
            name: "verify",
            prepare: { power in
                let codes = try power.keep(["verify", "b1"])
                let code = codes.last?.split(separator: "\t").last ?? ""
                return "smsenc-keyring verify b1 \(code) --both"
            }),
        Self(
            name: "accept",
            prepare: { power in
                try power.write(power.keep(["offer", "a1"], as: "bela"), to: "in")
                return "smsenc-keyring accept b1 --yes <in"
            }, shows: [["verify", "b1"]]),
        Self(
            name: "sync",
            prepare: { power in
                try power.keep(["resync", "b1"])
                try power.write(power.keep(["resync", "a1"], as: "bela"), to: "in")
                return "smsenc-keyring sync b1 <in"
            }, shows: [["verify", "b1"]]),
        Self(
            name: "adopt --moved --complete",
            prepare: { power in
                try power.copy()
                return "smsenc-keyring adopt --moved --complete"
            }, again: ["adopt", "--moved", "--complete"]),
        Self(
            name: "adopt --moved",
            prepare: { power in
                try power.move()
                return "smsenc-keyring adopt --moved"
            }, again: ["adopt", "--moved"]),
        Self(
            name: "adopt --restored",
            prepare: { power in
                try power.raiseNote()
                return "smsenc-keyring adopt --restored"
            }, views: [["status"]], again: ["adopt", "--restored"], isSilent: true),
        Self(
            name: "adopt --moved, no note",
            prepare: { power in
                power.removeNote()
                return "smsenc-keyring adopt --moved"
            }, again: ["adopt", "--moved"]),
        Self(
            name: "adopt --restored, no note",
            prepare: { power in
                power.removeNote()
                return "smsenc-keyring adopt --restored"
            }, views: [["status"]], again: ["adopt", "--restored"], isSilent: true),
        Self(
            name: "init",
            prepare: { power in
                power.takeAway()
                return "smsenc-keyring init --user Amina --password-file ../password"
            }, appears: true, needsPassword: true, isSilent: true),
        Self(
            name: "import",
            prepare: { power in
                try power.write(power.keep(["export"]), to: "in")
                power.takeAway()
                return "smsenc-keyring import --password-file ../password <in"
            }, appears: true, needsPassword: true, isSilent: true),
        Self(
            name: "passwd",
            prepare: { power in
                try power.sandbox.write(Array("Another-Secret=1147\n".utf8), to: "password2")
                return "smsenc-keyring passwd --password-file ../password"
                    + " --new-password-file ../password2"
            }, needsPassword: true, newPassword: "password2"),
        Self(
            name: "unlock",
            prepare: { _ in
                "smsenc-keyring unlock --password-file ../password"
            }, needsPassword: true),
        Self(
            name: "unlock, wrong password",
            prepare: { power in
                try power.sandbox.write(Array("Quite-a-Mistake=4711\n".utf8), to: "password3")
                return "smsenc-keyring unlock --password-file ../password3 || :"
            }, views: [["list"], ["status"]], needsPassword: true),
        Self(name: "destroy", prepare: { _ in "smsenc-keyring destroy --yes" }, destroys: true),
    ]
}

extension PowerCut {
    /// Runs smsenc-keyring without interruption.
    @discardableResult
    func keep(_ arguments: [String], as person: String = "amina") throws -> [String] {
        let result = try run("smsenc-keyring", arguments, as: person)
        try #require(result.status == 0, "\(result.errors)")
        return result.lines
    }

    func write(_ lines: [String], to name: String) throws {
        try sandbox.write(text(lines), to: "desk/" + name)
    }

    /// Opens a session of the keyring that the command created.
    func openNewSession() throws {
        let opened = try keep(["unlock", "--password-file", sandbox.path("password")])
        newSession = String((opened.first ?? "").dropFirst("SMSENC_SESSION=".count).prefix(32))
    }
}

/// Checks the effects of a command. If the command printed something or ended before the power cut, its
/// effects must be complete. Otherwise, they must be complete or absent.
struct KeyringStateCheck: PowerCheck {
    private let power: PowerCut
    private let work: KeyringWork
    private let before: [[String]]
    private let after: [[String]]
    private let shown: [[String]]
    private let output: [UInt8]
    private var printed = 0
    private var hasEnded = false
    private var turn = 0

    static func views(_ work: KeyringWork, on power: PowerCut) throws -> [[String]] {
        try work.views.map { try power.keep($0) }
    }

    init(
        _ power: PowerCut, _ recorded: PowerCut.Recorded, _ work: KeyringWork, before: [[String]]
    ) throws {
        try #require(recorded.result.status == 0, "\(recorded.result.errorText)")
        self.power = power
        self.work = work
        self.before = before
        after = work.destroys ? [] : try Self.views(work, on: power)
        shown = try work.shows.map { try power.keep($0) }
        output = work.replacesOutput ? try power.sandbox.contents(Self.outputPath(power)) : []
        try #require(output.isEmpty != work.replacesOutput)
    }

    private static func outputPath(_ power: PowerCut) -> String { power.sandbox.path("desk/out") }

    mutating func pass(_ step: Recording.Step) {
        switch step.kind {
        case .leave(_, let bytes): printed += lines(of: bytes).count
        case .end: hasEnded = true
        default: break
        }
    }

    mutating func fault(in state: Disk.State) throws -> String? {
        turn += 1
        let path = power.sandbox.keyring(of: "amina")
        if work.destroys { return try faultOfDestroying(state.names[path] != nil) }
        guard state.names[path] != nil else {
            return work.appears && !hasEnded ? nil : "there is no keyring"
        }
        if let fault = try faultInViews() ?? faultInOutput(state) { return fault }
        if hasEnded || printed > 0 && !work.isTable {
            for (arguments, lines) in zip(work.shows, shown) {
                let shown = try power.run("smsenc-keyring", arguments)
                if shown.lines != lines { return "what was printed is lost: \(shown)" }
            }
        }
        return try faultInUse() ?? faultInPassword()
    }

    /// Checks that the password is the old or the new password. This is done rarely, because scrypt is
    /// expensive.
    private func faultInPassword() throws -> String? {
        guard work.needsPassword, hasEnded || turn % 8 == 0 else { return nil }
        let new = work.newPassword ?? "password"
        for name in hasEnded ? [new] : [new, "password"] {
            let file = power.sandbox.path(name)
            let unlocked = try power.run("smsenc-keyring", ["unlock", "--password-file", file])
            if unlocked.status == 0 { return nil }
        }
        return "no password is right"
    }

    /// Checks that each view shows the state before the command, after it, or between two rows.
    private func faultInViews() throws -> String? {
        for (index, arguments) in work.views.enumerated() {
            let view = try power.run("smsenc-keyring", arguments)
            guard view.status == 0 else { return "status \(view.status): \(view.errors)" }
            let old = work.appears ? after[index] : before[index]
            if hasEnded || printed > 0 && !work.isTable, view.lines != after[index] {
                return "what was done is undone: \(view.lines)"
            }
            let isWhole = view.lines == old || view.lines == after[index]
            guard isWhole || work.isTable else { return "half is done: \(view.lines)" }
            let strange = Set(view.lines).subtracting(old).subtracting(after[index])
            if !strange.isEmpty { return "never seen before: \(strange)" }
            let new = Set(after[index]).subtracting(old)
            let done = new.intersection(view.lines).count
            if done < min(printed, new.count) { return "\(printed) printed, \(done) done" }
        }
        return nil
    }

    /// Checks that the file is the old or the new one, and that only a file that exists is recorded.
    private func faultInOutput(_ state: Disk.State) throws -> String? {
        guard work.replacesOutput else { return nil }
        let found = state.contents(of: Self.outputPath(power))
        if found == output { return nil }
        guard found == [], !hasEnded else { return "the file is not replaced: \(found ?? [])" }
        return try Self.views(work, on: power) == after ? "a lost file is recorded" : nil
    }

    private func faultInUse() throws -> String? {
        let record = "b2\t" + power.frames[turn]
        var sent = try power.run("smsenc-pad", ["next"], [record])
        if sent.status == 77, let again = work.again, !hasEnded {
            let told = try power.run("smsenc-keyring", again)
            guard told.status == 0 else { return "status \(told.status): \(told.errors)" }
            sent = try power.run("smsenc-pad", ["next"], [record])
        }
        // The contact does not exist or must synchronise again. Before the only commit, the keyring may
        // still be in the old state.
        let mayBeUndone = work.again == nil && !work.appears && !hasEnded
        let isRight =
            sent.status == (work.isSilent ? 1 : 0) || sent.status == 0 && mayBeUndone
        return isRight ? nil : "status \(sent.status): \(sent.errors)"
    }

    /// Checks that the keyring no longer exists, or that destroy can be completed.
    private func faultOfDestroying(_ isThere: Bool) throws -> String? {
        if hasEnded { return isThere ? "it is there again" : nil }
        let path = power.sandbox.keyring(of: "amina")
        let gone = try power.run("smsenc-keyring", ["destroy", "--yes"])
        guard gone.status == 0 || gone.status == 66 && !isThere else {
            return "status \(gone.status): \(gone.errors)"
        }
        let left = ["", "-wal"].filter { FileManager.default.fileExists(atPath: path + $0) }
        return left.isEmpty ? nil : "there is still \(left)"
    }
}
