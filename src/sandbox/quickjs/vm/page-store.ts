// Holds the pages of parked executions outside of every heap, and gives their memory back to the system when they go.
//
// Buffers of their own would be freed by some later collection and kept by the allocator for ever; after a burst of
// waiting executions the process would stay as large as it was. A slab is a resizable buffer: an empty one shrinks to nothing.

export const pageBytes = 4096
const pagesPerSlab = 1024
const slabBytes = pageBytes * pagesPerSlab

type Slab = { readonly buffer: ArrayBuffer; readonly bytes: Buffer; readonly free: number[]; used: number }

export type PageStore = {
  readonly pagesHeld: number
  /** Copies the page that begins there; the number finds it again. */
  put(source: Buffer, start: number): number
  /** What was put is safe afterwards; fails where it cannot be kept. */
  flush(): void
  copyTo(page: number, target: Buffer, start: number): void
  drop(page: number): void
}

function createSlab(): Slab {
  const buffer = new ArrayBuffer(0, { maxByteLength: slabBytes })
  return { buffer, bytes: Buffer.from(buffer), free: [], used: 0 }
}

export function createPageStore(): PageStore {
  const slabs: Slab[] = []
  /** No slab before this one has room: the first ones stay full, so that the last ones become empty. */
  let firstWithRoom = 0
  let pagesHeld = 0

  function slabWithRoom(): Slab {
    while (slabs[firstWithRoom]?.used === pagesPerSlab) firstWithRoom += 1
    const slab = (slabs[firstWithRoom] ??= createSlab())
    if (slab.used === 0) {
      slab.buffer.resize(slabBytes)
      slab.free.length = 0
      for (let index = pagesPerSlab - 1; index >= 0; index--) slab.free.push(index)
    }
    return slab
  }

  function locate(page: number): { readonly slab: Slab; readonly offset: number } {
    const slab = slabs[Math.floor(page / pagesPerSlab)]
    if (!slab) throw new Error("A page that was never put.")
    return { slab, offset: (page % pagesPerSlab) * pageBytes }
  }

  return {
    get pagesHeld() {
      return pagesHeld
    },
    put(source, start) {
      const slab = slabWithRoom()
      const index = slab.free.pop() ?? 0
      slab.used += 1
      pagesHeld += 1
      source.copy(slab.bytes, index * pageBytes, start, start + pageBytes)
      return firstWithRoom * pagesPerSlab + index
    },
    flush() {},
    copyTo(page, target, start) {
      const { slab, offset } = locate(page)
      slab.bytes.copy(target, start, offset, offset + pageBytes)
    },
    drop(page) {
      const { slab } = locate(page)
      slab.free.push(page % pagesPerSlab)
      slab.used -= 1
      pagesHeld -= 1
      firstWithRoom = Math.min(firstWithRoom, Math.floor(page / pagesPerSlab))
      if (slab.used === 0) slab.buffer.resize(0)
    },
  }
}
