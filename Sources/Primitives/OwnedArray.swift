/// An array whose elements have one owner each, so that it can hold keys.
@safe
package struct OwnedArray<Element: ~Copyable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>
    private var capacity: Int
    package private(set) var count = 0

    package init() {
        capacity = 0
        unsafe base = .allocate(capacity: 0)
    }

    deinit {
        unsafe base.deinitialize(count: count)
        unsafe base.deallocate()
    }

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ element: consuming Element) {
        reserve(1)
        unsafe (base + count).initialize(to: element)
        count += 1
    }

    /// Takes the element out and closes the gap.
    package mutating func remove(at index: Int) -> Element {
        precondition((0..<count).contains(index))
        let element = unsafe (base + index).move()
        unsafe (base + index).moveInitialize(from: base + index + 1, count: count - index - 1)
        count -= 1
        return element
    }

    package mutating func removeLast() -> Element { remove(at: count - 1) }

    package mutating func removeAll() {
        unsafe base.deinitialize(count: count)
        count = 0
    }

    /// Moves all elements of another array to the end of this one.
    package mutating func append(movedFrom other: inout OwnedArray) {
        reserve(other.count)
        unsafe (base + count).moveInitialize(from: other.base, count: other.count)
        count += other.count
        other.count = 0
    }

    package subscript(_ index: Int) -> Element {
        _read {
            precondition((0..<count).contains(index))
            yield unsafe base[index]
        }
        _modify {
            precondition((0..<count).contains(index))
            yield unsafe &base[index]
        }
    }

    private mutating func reserve(_ extra: Int) {
        guard count + extra > capacity else { return }
        capacity = max(8, 2 * capacity, count + extra)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        unsafe larger.moveInitialize(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = larger
    }
}
