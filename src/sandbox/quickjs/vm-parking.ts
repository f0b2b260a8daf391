// Parks a waiting execution: the pages in which its memory differs from the template, and nothing else.
import type { Template } from "./vm-template.ts"
import { emptyPage, growTo, pageBytes, resetInstance } from "./vm-template.ts"
import type { VmInstance } from "./vm-instance.ts"

export type ParkedMemory = {
  readonly memoryBytes: number
  readonly pages: Uint32Array
  readonly content: Buffer
}

export function parkMemory(instance: VmInstance, template: Template): ParkedMemory {
  const { bytes } = instance.vm
  const changed: number[] = []
  for (let start = template.heapStart; start < template.memoryBytes; start += pageBytes) {
    const from = start - template.heapStart
    if (bytes.compare(template.image, from, from + pageBytes, start, start + pageBytes) !== 0) changed.push(start)
  }
  for (let start = template.memoryBytes; start < bytes.length; start += pageBytes) {
    if (bytes.compare(emptyPage, 0, pageBytes, start, start + pageBytes) !== 0) changed.push(start)
  }
  const content = Buffer.allocUnsafeSlow(changed.length * pageBytes)
  changed.forEach((start, index) => bytes.copy(content, index * pageBytes, start, start + pageBytes))
  return { memoryBytes: bytes.length, pages: Uint32Array.from(changed), content }
}

export function unparkMemory(parked: ParkedMemory, instance: VmInstance, template: Template): void {
  growTo(instance, parked.memoryBytes)
  resetInstance(instance, template)
  const { bytes } = instance.vm
  if (parked.memoryBytes > template.memoryBytes) instance.cleanBytes = 0
  parked.pages.forEach((start, index) => parked.content.copy(bytes, start, index * pageBytes, (index + 1) * pageBytes))
}

export const parkedBytes = (parked: ParkedMemory): number => parked.content.length
