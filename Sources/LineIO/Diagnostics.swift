#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// One line each on stderr, beginning with the tool's name, written at once so that the lines of
/// several tools in a pipeline do not mix.
package struct Diagnostics: Sendable {
    package let tool: String

    package init(tool: String) { self.tool = tool }

    package func say(_ text: String) {
        Self.write("\(tool): \(text)\n")
    }

    /// Says something of one record of an input.
    package func say(_ text: String, of number: Int, in file: String) {
        say("\(quoted(file)):\(number): \(text)")
    }

    /// Writes to stderr. What cannot be written there cannot be reported anywhere.
    static func write(_ line: String) {
        var line = line
        line.withUTF8 { utf8 in
            var rest = UnsafeRawBufferPointer(utf8)
            while unsafe !rest.isEmpty {
                let count = unsafe systemWrite(2, rest)
                if count > 0 {
                    unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if count < 0, errno == EAGAIN {
                    var question = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&question, 1, -1)
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
    }
}
