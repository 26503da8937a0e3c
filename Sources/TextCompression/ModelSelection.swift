/// Finds the sequence of models with the lowest cost for encoding a text (smsenc-protocol(7), Coding a
/// compressed text).
///
/// The search uses dynamic programming over the tokens. The cost of a token in a model does not depend on
/// the models that encode the earlier tokens. For each model, the search therefore stores only the lowest
/// cost of all sequences of models that end with this model. Before each token, the search compares the
/// cost of continuing with a model to the cost of switching to this model from the cheapest model.
struct ModelSelection {
    /// The languages whose models can be used. An index into this array is called a slot, and identifies a
    /// model in costs and bit masks.
    let languages: [Language]
    /// For each slot, the lowest cost of encoding all evaluated tokens if the model of this slot encodes
    /// the last token.
    private(set) var costs = InlineArray<32, UInt32>(repeating: 0)
    /// Number of tokens in the longest prefix whose cost is at most `fittingCost`.
    private(set) var fittingTokens = 0

    /// If the cost of a text is at most `fittingCost`, the text is expected to fit. If the cost exceeds
    /// `hopelessCost`, the text certainly does not fit, even with favourable rounding errors.
    static let fittingCost = UInt32(Compression.digitCount) * costOfDigit
    static let hopelessCost = 1010 * CodingCost.oneBit
    static let costOfDigit = CodingCost.log2(UInt32(RangeCoder.base))

    init(_ languages: [Language]) {
        self.languages = languages
        for slot in languages.indices {
            costs[slot] = CodingCost.log2(UInt32(LiteralCoding.modelCount))
        }
    }

    /// Lowest cost of encoding all evaluated tokens with any sequence of models.
    var leastCost: UInt32 { languages.indices.reduce(.max) { min($0, costs[$1]) } }

    /// Computes the costs of the first `length` tokens. For each token, stores in the encoder the models
    /// for which a switch before the token reduces the cost. Returns the number of evaluated tokens.
    ///
    /// The evaluation stops early if the lowest cost of encoding the evaluated tokens exceeds `limit`.
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

    /// Adds the cost of one token to the cost of each model.
    ///
    /// - Parameter costRow: offset of the token's row in the encoder's `tokenCosts` and `escapeCosts`.
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
    /// Length of a token's row in `tokenCosts` and `escapeCosts`.
    static let costRowLength = Int(LiteralCoding.modelCount)

    /// Computes the cost of each token in a block for one model.
    ///
    /// - Parameter history: the tokens before the block.
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

    /// Appends a block of the text's tokens to a history.
    func append(_ block: Range<Int>, to history: inout TokenHistory) {
        for index in block { history.append(Token(rawValue: tokens[index])) }
    }

    func isAfterMark(_ index: Int) -> Bool {
        index > 0 && Token(rawValue: tokens[index - 1]).isMark
    }

    /// Sets `path` to the cheapest sequence of models that ends with the model of the given slot.
    mutating func traceBack(_ length: Int, endingIn slot: Int) {
        var slot = UInt32(slot)
        for index in (0..<length).reversed() {
            path[index] = slot
            if switchedSlots[index] >> slot & 1 != 0 { slot = switchSources[index] }
        }
    }

    /// Sets `path` to a sequence that uses one model for the whole text.
    mutating func setPath(_ length: Int, toSlot slot: Int) {
        for index in 0..<length { path[index] = UInt32(slot) }
    }
}
