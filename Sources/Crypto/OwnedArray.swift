/// An array whose elements have one owner each, so that it can hold keys.
@safe
package struct OwnedArray<Element: ~Copyable>: ~Copyable {
    /// Nothing is allocated for an array that has always been empty.
    private var base: UnsafeMutablePointer<Element>?
    private var capacity = 0
    package private(set) var count = 0

    package init() {
        unsafe base = nil
    }

    deinit {
        unsafe base?.deinitialize(count: count)
        unsafe base?.deallocate()
    }

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ element: consuming Element) {
        let base = unsafe reserve(1)
        unsafe (base + count).initialize(to: element)
        count += 1
    }

    /// Takes the element out and closes the gap.
    package mutating func remove(at index: Int) -> Element {
        let base = unsafe elements(with: index)
        let element = unsafe (base + index).move()
        unsafe (base + index).moveInitialize(from: base + index + 1, count: count - index - 1)
        count -= 1
        return element
    }

    package mutating func removeLast() -> Element { remove(at: count - 1) }

    package mutating func removeAll() {
        unsafe base?.deinitialize(count: count)
        count = 0
    }

    /// Moves all elements of another array to the end of this one.
    package mutating func append(movedFrom other: inout OwnedArray) {
        guard let source = unsafe other.base else { return }
        let base = unsafe reserve(other.count)
        unsafe (base + count).moveInitialize(from: source, count: other.count)
        count += other.count
        other.count = 0
    }

    package subscript(_ index: Int) -> Element {
        _read {
            yield unsafe elements(with: index)[index]
        }
        _modify {
            let base = unsafe elements(with: index)
            yield unsafe &base[index]
        }
    }

    /// The elements, of which there is one with this index.
    private func elements(with index: Int) -> UnsafeMutablePointer<Element> {
        guard (0..<count).contains(index), let base = unsafe base else {
            preconditionFailure("no element \(index) among \(count)")
        }
        return unsafe base
    }

    /// Makes room for more elements; where all of them are.
    private mutating func reserve(_ extra: Int) -> UnsafeMutablePointer<Element> {
        if let base = unsafe base, count + extra <= capacity { return unsafe base }
        capacity = max(8, 2 * capacity, count + extra)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        if let base = unsafe base {
            unsafe larger.moveInitialize(from: base, count: count)
            unsafe base.deallocate()
        }
        unsafe base = larger
        return unsafe larger
    }
}
