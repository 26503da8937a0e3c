internal import CProcess
package import Foundation

extension Data {
    /// Returns the offsets of all occurrences of `bytes`. Uses memmem(3), because `range(of:)` takes seconds
    /// for the memory of a process.
    package func offsets(of bytes: [UInt8]) -> [Int] {
        unsafe withUnsafeBytes { whole in
            var offsets: [Int] = []
            var start = 0
            while let base = whole.baseAddress, start < whole.count,
                let found = unsafe memmem(base + start, whole.count - start, bytes, bytes.count)
            {
                offsets.append(unsafe UnsafeRawPointer(found) - base)
                start = offsets[offsets.count - 1] + bytes.count
            }
            return offsets
        }
    }
}
