internal import Foundation
package import Testing

/// Tests that take minutes and run only under `scripts/test --all`.
package enum LongTests {
    package static let areEnabled = ProcessInfo.processInfo.environment["SMSENC_ALL"] != nil
}

extension Trait where Self == ConditionTrait {
    package static var longTest: Self {
        .enabled(if: LongTests.areEnabled, "run scripts/test --all")
    }
}
