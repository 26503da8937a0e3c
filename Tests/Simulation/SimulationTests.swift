import Foundation
import Support
import Testing

@Suite("Simulation", .serialized) struct SimulationTests {
    @Test(arguments: (1...8).map { UInt64($0) })
    func aTeam(seed: UInt64) throws {
        do {
            let start = clock()
            let tally = try Simulation(seed: seed).run(steps: 2000)
            print(seed, Double(clock() - start) / Double(CLOCKS_PER_SEC), tally)
        } catch let failure as Simulation.Failure {
            Issue.record("\(failure)")
        }
    }
}
