// Parks a waiting execution: the pages in which its memory differs from the template, and nothing else.
import type { PageStore } from "./page-store.ts"
import { pageBytes } from "./page-store.ts"
import type { VmInstance } from "./vm-instance.ts"
import type { Template } from "./vm-template.ts"
import { emptyPage, growTo, resetInstance } from "./vm-template.ts"

export type ParkedMemory = {
  readonly memoryBytes: number
  /** Where each page belongs, and its number in the store, in turn. */
  readonly pages: Uint32Array
}

export function parkMemory(instance: VmInstance, template: Template, store: PageStore): ParkedMemory {
  const { bytes } = instance.vm
  const pages: number[] = []
  for (let start = template.heapStart; start < template.memoryBytes; start += pageBytes) {
    const from = start - template.heapStart
    if (bytes.compare(template.image, from, from + pageBytes, start, start + pageBytes) !== 0) pages.push(start, store.put(bytes, start))
  }
  for (let start = template.memoryBytes; start < bytes.length; start += pageBytes) {
    if (bytes.compare(emptyPage, 0, pageBytes, start, start + pageBytes) !== 0) pages.push(start, store.put(bytes, start))
  }
  return { memoryBytes: bytes.length, pages: Uint32Array.from(pages) }
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

export function dropParked(parked: ParkedMemory, store: PageStore): void {
  for (let index = 1; index < parked.pages.length; index += 2) store.drop(parked.pages[index] ?? 0)
}
