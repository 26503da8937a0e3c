internal import Crypto
internal import Protocol
internal import System

/// The keyring's record of time, which decides whether the machine's clock is trusted (smsenc-keyring(5),
/// Time). It is part of the keyring header.
///
/// Skipped keys are erased after 30 days, so a wrong clock could erase keys that are still needed. A clock is
/// not trusted
///
/// - if it is earlier than the release of these tools, as on a board without a battery;
/// - if it is more than 30 days later than at the last commit that trusted its clock. Another commit can
///   confirm such a jump, if it is made after a restart or at least a day later by the time since the machine
///   started.
///
/// While the clock is not trusted, nothing is erased because of its age, and new keys are stored without a
/// time (`SkippedKeys.untimed`). The next commit that trusts its clock sets missing times and times in the
/// future to its own time.
///
///     offset  bytes  what
///     0       8      the last trusted time, in seconds since 1970; 0 if there is none
///     8       32     SHA-256 of the id of the boot in which a jump forward was first seen; zeros for no jump
///     40      8      the time when it was first seen, in seconds since that boot
struct KeyringTime: Equatable {
    static let size = 48
    /// Seconds by which a clock may be ahead of the last trusted time.
    private static let longestStep = SkippedKeys.lifetime
    /// Seconds after which another commit confirms a jump.
    private static let confirmation: Int64 = 86_400
    private static let noJump = [UInt8](repeating: 0, count: Digest.size)

    private(set) var last: Int64 = 0
    private var jumpBoot = noJump
    private var jumpSeconds: Int64 = 0

    init() {}

    init(from record: inout SecretReader) throws(InvalidRecord) {
        last = try record.integer()
        jumpBoot = try record.bytes(Digest.size)
        jumpSeconds = try record.integer()
    }

    func write(to record: inout SecretWriter) {
        record.put(last)
        record.put(jumpBoot.span)
        record.put(jumpSeconds)
    }

    /// Decides whether the clock is trusted, and records its time or its jump.
    ///
    /// - Returns: the time in seconds since 1970, or nil if the clock is not trusted.
    mutating func now(_ clocks: Clocks) -> Int64? {
        guard let time = clocks.plausibleWallTime else { return nil }
        if last > 0, time - last > Self.longestStep, !isConfirmed(clocks) { return nil }
        (last, jumpBoot, jumpSeconds) = (time, Self.noJump, 0)
        return time
    }

    /// Returns true if the jump was recorded before the last reboot, or at least a day ago. Records a new
    /// jump.
    private mutating func isConfirmed(_ clocks: Clocks) -> Bool {
        let (boot, seconds) = (Digest.sha256(Array(clocks.bootID.utf8)), clocks.boot())
        guard jumpBoot != Self.noJump else {
            (jumpBoot, jumpSeconds) = (boot, seconds)
            return false
        }
        // If the system does not identify boots, the time since the boot shows a restart by being lower.
        return boot != jumpBoot || seconds < jumpSeconds
            || seconds - jumpSeconds >= Self.confirmation
    }
}
