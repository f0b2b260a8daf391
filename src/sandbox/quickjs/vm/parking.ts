// Parks a waiting execution: the pages in which its memory differs from the template, and nothing else.
import type { PageStore } from "./page-store.ts"
import { pageBytes } from "./page-store.ts"
import type { VmInstance } from "./instance.ts"
import type { Template } from "./template.ts"
import { emptyPage, growTo, resetInstance } from "./template.ts"

export type ParkedMemory = {
  readonly memoryBytes: number
  /** Where each page belongs, and its number in the store, in turn. */
  readonly pages: Uint32Array
}

/** Where the store fails nothing is left in it, and the instance is as it was. */
export function parkMemory(instance: VmInstance, template: Template, store: PageStore): ParkedMemory {
  const { bytes } = instance.vm
  const pages: number[] = []
  try {
    for (let start = template.heapStart; start < template.memoryBytes; start += pageBytes) {
      const from = start - template.heapStart
      if (bytes.compare(template.image, from, from + pageBytes, start, start + pageBytes) !== 0) pages.push(start, store.put(bytes, start))
    }
    for (let start = template.memoryBytes; start < bytes.length; start += pageBytes) {
      if (bytes.compare(emptyPage, 0, pageBytes, start, start + pageBytes) !== 0) pages.push(start, store.put(bytes, start))
    }
    store.flush()
  } catch (error) {
    dropPages(pages, store)
    throw error
  }
  return { memoryBytes: bytes.length, pages: Uint32Array.from(pages) }
}

/** From one store to another, under the same conditions. */
export function moveParked(parked: ParkedMemory, from: PageStore, to: PageStore): ParkedMemory {
  const page = Buffer.allocUnsafe(pageBytes)
  const pages: number[] = []
  try {
    for (let index = 0; index < parked.pages.length; index += 2) {
      from.copyTo(parked.pages[index + 1] ?? 0, page, 0)
      pages.push(parked.pages[index] ?? 0, to.put(page, 0))
    }
    to.flush()
  } catch (error) {
    dropPages(pages, to)
    throw error
  }
  dropParked(parked, from)
  return { memoryBytes: parked.memoryBytes, pages: Uint32Array.from(pages) }
}

/** The parked pages are gone from the store afterwards. */
export function unparkMemory(parked: ParkedMemory, instance: VmInstance, template: Template, store: PageStore): void {
  growTo(instance, parked.memoryBytes)
  resetInstance(instance, template)
  if (parked.memoryBytes > template.memoryBytes) instance.cleanBytes = 0
  const { bytes } = instance.vm
  for (let index = 0; index < parked.pages.length; index += 2) {
    const page = parked.pages[index + 1] ?? 0
    store.copyTo(page, bytes, parked.pages[index] ?? 0)
    store.drop(page)
  }
}

export const dropParked = (parked: ParkedMemory, store: PageStore): void => dropPages(parked.pages, store)

function dropPages(pages: ArrayLike<number>, store: PageStore): void {
  for (let index = 1; index < pages.length; index += 2) store.drop(pages[index] ?? 0)
}
