internal import Crypto
internal import Protocol
internal import System

/// What a keyring knows of time, and which clock it believes (smsenc-keyring(5), Time). The ledger holds it.
///
/// Kept keys are erased after 30 days, so a clock that is wrong could erase keys that are still needed. A clock is
/// not believed
///
/// - if it is earlier than the release of these tools, as on a board without a battery;
/// - if it is more than 30 days later than at the last commit that believed its clock, until a commit that is at
///   least a day later by the time since the start of the machine, or is made after another start, says the same.
///
/// While a clock is not believed, nothing is erased for its age, and what is kept gets no time
/// (`SkippedKeys.untimed`). The next commit that believes its clock gives its time to what has none, and to what has
/// a later time.
///
///     offset  bytes  what
///     0       8      the last time that was believed, in seconds since 1970; 0 before the first
///     8       32     SHA-256 of the boot in which a jump forward was first seen; zeros for no jump
///     40      8      when that was, in seconds since that boot
struct KeyringTime: Equatable {
    static let size = 48
    /// Seconds that a clock may be ahead of the last time that was believed.
    private static let longestStep = SkippedKeys.lifetime
    /// Seconds after which another commit confirms a jump.
    private static let confirmation: Int64 = 86_400
    private static let noJump = [UInt8](repeating: 0, count: Digest.size)

    private(set) var last: Int64 = 0
    private var jumpBoot = noJump
    private var jumpSeconds: Int64 = 0

    init() {}

    init(from record: inout SecretReader) throws(Broken) {
        last = try record.integer()
        jumpBoot = try record.bytes(Digest.size)
        jumpSeconds = try record.integer()
    }

    func write(to record: inout SecretWriter) {
        record.put(last)
        record.put(jumpBoot.span)
        record.put(jumpSeconds)
    }

    /// Looks at the clocks, and takes note of what they say.
    ///
    /// - Returns: the time, in seconds since 1970; nil if the clock is not believed.
    mutating func now(_ clocks: Clocks) -> Int64? {
        guard let time = clocks.wallSinceRelease else { return nil }
        if last > 0, time - last > Self.longestStep, !isConfirmed(clocks) { return nil }
        (last, jumpBoot, jumpSeconds) = (time, Self.noJump, 0)
        return time
    }

    /// Whether a jump forward was seen before, long enough ago. It is noted if it was not.
    private mutating func isConfirmed(_ clocks: Clocks) -> Bool {
        let (boot, seconds) = (Digest.sha256(Array(clocks.bootID.utf8)), clocks.boot())
        guard jumpBoot != Self.noJump else {
            (jumpBoot, jumpSeconds) = (boot, seconds)
            return false
        }
        // Where a boot has no name, its clock begins again.
        return boot != jumpBoot || seconds < jumpSeconds
            || seconds - jumpSeconds >= Self.confirmation
    }
}
