internal import Foundation
package import Testing

/// The setting for tests that take minutes, which run only with `scripts/test --all`.
package enum LongTests {
    package static let areEnabled = ProcessInfo.processInfo.environment["SMSENC_ALL"] != nil
}

extension Trait where Self == ConditionTrait {
    package static var longTest: Self {
        .enabled(if: LongTests.areEnabled, "run scripts/test --all")
    }
}
