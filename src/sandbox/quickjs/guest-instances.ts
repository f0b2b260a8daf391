// The fixed set of instances of a worker, and who sits in them.
//
// A new instance costs milliseconds and gets dearer with every live one; parking costs a tenth of that. So there are
// few, and when all are taken the execution that began to wait last is parked: its answer is likely the last to come.
import type { GuestRun } from "./guest-run.ts"
import type { VmHooks, VmInstance } from "./vm-instance.ts"
import { createPageStore, pageBytes } from "./page-store.ts"
import { dropParked, parkMemory, unparkMemory } from "./vm-parking.ts"
import type { Template } from "./vm-template.ts"
import { instantiateFrom, resetInstance } from "./vm-template.ts"
import type { MemoryRelief } from "./memory-relief.ts"
import { growthBytesMax } from "./worker-options.ts"
import type { WasmModule } from "./wasm-module.ts"

export type GuestInstances = {
  /** An instance in the state of the template. */
  takeFresh(): VmInstance
  seat(run: GuestRun, instance: VmInstance): void
  /** The instance in which the run is, after unparking it if need be. */
  instanceOf(run: GuestRun): VmInstance
  /** Takes the run's instance or parked memory away. */
  release(run: GuestRun, state: "sound" | "broken"): void
  /** The largest parked run, when all of them together are over the bound. */
  overflowing(): GuestRun | null
}

export function createGuestInstances(
  module: WasmModule,
  template: Template,
  hooks: VmHooks,
  instancesMax: number,
  parkedBytesMax: number,
  relief: MemoryRelief,
): GuestInstances {
  const free: VmInstance[] = []
  const seated = new Set<GuestRun>()
  const parked = new Set<GuestRun>()
  const store = createPageStore()

  function take(): VmInstance {
    const idle = free.pop()
    if (idle) return idle
    if (seated.size < instancesMax) return instantiateFrom(template, module, hooks)
    return parkNewest()
  }

  function parkNewest(): VmInstance {
    let newest: GuestRun | null = null
    for (const run of seated) if (newest === null || run.usedAt > newest.usedAt) newest = run
    if (newest === null || newest.place.at !== "instance") throw new Error("A worker without instances cannot run code.")
    const { instance } = newest.place
    newest.place = { at: "parked", memory: parkMemory(instance, template, store) }
    seated.delete(newest)
    parked.add(newest)
    return instance
  }

  return {
    takeFresh() {
      const instance = take()
      resetInstance(instance, template)
      return instance
    },
    seat(run, instance) {
      run.place = { at: "instance", instance }
      seated.add(run)
    },
    instanceOf(run) {
      if (run.place.at === "instance") return run.place.instance
      const { memory } = run.place
      const instance = take()
      parked.delete(run)
      unparkMemory(memory, instance, template, store)
      run.place = { at: "instance", instance }
      seated.add(run)
      return instance
    },
    release(run, state) {
      const { place } = run
      seated.delete(run)
      if (place.at === "parked") {
        if (parked.delete(run)) dropParked(place.memory, store)
      } else if (state === "sound" && place.instance.vm.bytes.length - template.memoryBytes <= growthBytesMax) {
        free.push(place.instance)
      } else {
        relief.left(place.instance.vm.bytes.length)
      }
    },
    overflowing() {
      if (store.pagesHeld * pageBytes <= parkedBytesMax) return null
      let largest: GuestRun | null = null
      let size = 0
      for (const run of parked) {
        if (run.place.at !== "parked" || run.place.memory.pages.length <= size) continue
        size = run.place.memory.pages.length
        largest = run
      }
      return largest
    },
  }
}
