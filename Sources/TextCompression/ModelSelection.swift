/// The cheapest sequence of models for a text's tokens (smsenc(7), Compressed text).
///
/// What a token costs in a model does not depend on how one came there: one best cost for each model is
/// kept, and at each token compared with the cheapest model's and a change.
struct ModelSelection {
    /// The models to choose from. Costs, and bits of what is noted for each token, are in this order.
    let languages: [Language]
    /// For each model what the tokens so far cost, the last of them in it.
    private(set) var costs = InlineArray<32, UInt32>(repeating: 0)
    /// Tokens up to the last at which the cheapest cost was that of digits that fit.
    private(set) var fittingTokens = 0

    /// What fits surely, and what does not fit even by luck.
    static let fittingCost = UInt32(Compression.digitCount) * costOfDigit
    static let hopelessCost = 1010 * CodingCost.oneBit
    static let costOfDigit = CodingCost.log2(UInt32(RangeCoder.base))

    init(_ languages: [Language]) {
        self.languages = languages
        for slot in languages.indices {
            costs[slot] = CodingCost.log2(UInt32(LiteralCoding.modelCount))
        }
    }

    /// The least that the tokens so far cost.
    var leastCost: UInt32 { languages.indices.reduce(.max) { min($0, costs[$1]) } }

    /// Goes through the first tokens of a encoder, and notes there where which model is come from.
    ///
    /// - Returns: how many it went through before it was given up, the cost being beyond a limit.
    mutating func evaluate(
        _ length: Int, of encoder: inout TextEncoder, limit: UInt32
    ) -> Int {
        var history = TokenHistory()
        var start = 0
        while start < length, leastCost <= limit {
            let block = start..<min(start + TextEncoder.blockLength, length)
            for slot in languages.indices {
                encoder.computeCosts(of: block, slot, languages[slot], history)
            }
            for index in block {
                evaluateToken(index, costRow: (index - start) * TextEncoder.costRowLength, &encoder)
            }
            encoder.append(block, to: &history)
            start = block.upperBound
        }
        return start
    }

    /// Codes a token in each model.
    private mutating func evaluateToken(
        _ index: Int, costRow row: Int, _ encoder: inout TextEncoder
    ) {
        var (switchSource, switchCost) = (0, UInt32.max)
        for slot in languages.indices {
            let cost = costs[slot] + encoder.escapeCosts[row + slot]
            if cost < switchCost { (switchSource, switchCost) = (slot, cost) }
        }
        switchCost += LiteralCoding.costOfModelSwitch
        var switchedSlots: UInt32 = 0
        var least = UInt32.max
        for slot in languages.indices {
            var cost = costs[slot]
            if switchCost < cost {
                cost = switchCost
                switchedSlots |= 1 << UInt32(slot)
            }
            cost += encoder.tokenCosts[row + slot]
            costs[slot] = cost
            least = min(least, cost)
        }
        encoder.switchSources[index] = UInt32(switchSource)
        encoder.switchedSlots[index] = switchedSlots
        if least <= Self.fittingCost { fittingTokens = index + 1 }
    }
}

extension TextEncoder {
    /// Models in a row of prices.
    static let costRowLength = Int(LiteralCoding.modelCount)

    /// Notes what the tokens of a block cost in a model.
    mutating func computeCosts(
        of block: Range<Int>, _ slot: Int, _ language: Language, _ history: TokenHistory
    ) {
        let model = language.model
        var history = history
        var costIndex = slot
        for index in block {
            let token = Token(rawValue: tokens[index])
            let chain = model.chain(after: history, afterMark: isAfterMark(index))
            tokenCosts[costIndex] =
                model.cost(of: token, in: chain)
                ?? chain.escapeCost + LiteralCoding.cost(of: token, home: language.home)
            escapeCosts[costIndex] = chain.escapeCost
            costIndex += Self.costRowLength
            history.append(token)
        }
    }

    /// Moves a history over the tokens of a block.
    func append(_ block: Range<Int>, to history: inout TokenHistory) {
        for index in block { history.append(Token(rawValue: tokens[index])) }
    }

    func isAfterMark(_ index: Int) -> Bool {
        index > 0 && Token(rawValue: tokens[index - 1]).isMark
    }

    /// Goes back along the cheapest sequence that ends in a model.
    mutating func traceBack(_ length: Int, endingIn slot: Int) {
        var slot = UInt32(slot)
        for index in (0..<length).reversed() {
            path[index] = slot
            if switchedSlots[index] >> slot & 1 != 0 { slot = switchSources[index] }
        }
    }

    /// Takes one model from end to end.
    mutating func setPath(_ length: Int, toSlot slot: Int) {
        for index in 0..<length { path[index] = UInt32(slot) }
    }
}
