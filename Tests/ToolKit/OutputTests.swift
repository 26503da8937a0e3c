import Foundation
import ToolKit
import System
import Support
import Testing

@Suite(.measured) struct OutputTests {
    /// The reader of a FIFO exits, and another reader comes after the first flush has failed.
    @Test func nothingIsWrittenAfterAFailedFlush() throws {
        let path = NSTemporaryDirectory() + "output-" + UUID().uuidString
        #expect(unsafe mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        signal(SIGPIPE, SIG_IGN)
        let first = unsafe open(path, O_RDONLY | O_NONBLOCK)
        var output = Output(to: try File(rejects: path))
        close(first)
        output.append("one")
        #expect(throws: IOError.readerLeft) { try output.flush() }
        let second = unsafe open(path, O_RDONLY | O_NONBLOCK)
        defer { close(second) }
        output.append("two")
        #expect(throws: IOError.readerLeft) { try output.flush() }
        var byte: UInt8 = 0
        #expect(unsafe read(second, &byte, 1) == -1)
        #expect(output.certainlyWritten == 0 && output.possiblyWritten == 0)
    }
}
