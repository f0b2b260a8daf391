// The fixed set of instances of a worker, who sits in them, and where the memory of all others is.
//
// A new instance costs milliseconds and gets dearer with every live one; parking costs a tenth of that. So there are
// few, and when all are taken the execution that began to wait last is parked: its answer is likely the last to come.
// An instance that grew much is given up with its execution: it cannot shrink, and what it grew by would be missing to
// the next one, whose memory ends where its instance's does.
import type { GuestMemory } from "./memory.ts"
import type { GuestRun } from "./run.ts"
import type { VmHooks, VmInstance } from "../vm/instance.ts"
import type { PageStore } from "../vm/page-store.ts"
import { createPageStore, pageBytes } from "../vm/page-store.ts"
import { dropParked, moveParked, parkMemory, unparkMemory } from "../vm/parking.ts"
import type { Template } from "../vm/template.ts"
import { instantiateFrom, resetInstance } from "../vm/template.ts"
import type { MemoryRelease } from "./memory-release.ts"
import { growthBytesMax, growthKeptBytesMax } from "../worker-options.ts"
import type { WasmModule } from "../vm/wasm-module.ts"

export type GuestInstances = {
  /** An instance in the state of the template. */
  takeFresh(): VmInstance
  seat(run: GuestRun, instance: VmInstance): void
  /** The instance in which the run is, after bringing its memory back if need be. */
  instanceOf(run: GuestRun): VmInstance
  /** Takes the run's instance or memory away. */
  release(run: GuestRun, state: "sound" | "broken"): void
  /** Counts what the run holds after it was inside the guest. */
  count(run: GuestRun): void
  /** Writes the memory of a waiting run to disk; throws where that is not possible, and then nothing has changed. */
  spill(run: GuestRun): void
}

export type GuestInstancesParts = {
  readonly module: WasmModule
  readonly template: Template
  readonly hooks: VmHooks
  readonly instancesMax: number
  readonly memoryRelease: MemoryRelease
  readonly memory: GuestMemory
  readonly file: PageStore
}

export function createGuestInstances(parts: GuestInstancesParts): GuestInstances {
  const { module, template, hooks, instancesMax, memoryRelease, memory, file } = parts
  const free: VmInstance[] = []
  let freeGrowthBytes = 0
  const seated = new Set<GuestRun>()
  const store = createPageStore()

  const growthOf = (instance: VmInstance): number => instance.vm.bytes.length - template.memoryBytes

  function take(): VmInstance {
    const idle = free.pop()
    if (idle) {
      freeGrowthBytes -= growthOf(idle)
      return idle
    }
    if (seated.size < instancesMax) return instantiateFrom(template, module, hooks)
    const instance = parkNewest()
    if (growthOf(instance) <= growthBytesMax) return instance
    memoryRelease.left(instance.vm.bytes.length)
    return instantiateFrom(template, module, hooks)
  }

  /** Keeps an instance for the next run, or leaves it to the collector. */
  function give(instance: VmInstance): void {
    const growthBytes = growthOf(instance)
    if (growthBytes > growthBytesMax || freeGrowthBytes + growthBytes > growthKeptBytesMax)
      return memoryRelease.left(instance.vm.bytes.length)
    freeGrowthBytes += growthBytes
    return void free.push(instance)
  }

  function parkNewest(): VmInstance {
    let newest: GuestRun | null = null
    for (const run of seated) if (newest === null || run.usedAt > newest.usedAt) newest = run
    if (newest === null || newest.place.at !== "instance") throw new Error("A worker without instances cannot run code.")
    const { instance } = newest.place
    newest.place = { at: "parked", memory: parkMemory(instance, template, store) }
    seated.delete(newest)
    count(newest)
    return instance
  }

  function count(run: GuestRun): void {
    switch (run.place.at) {
      case "instance":
        return memory.count(run, growthOf(run.place.instance) / pageBytes, 0)
      case "parked":
        return memory.count(run, run.place.memory.pages.length / 2, 0)
      case "spilled":
        return memory.count(run, 0, run.place.memory.pages.length / 2)
    }
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
      const { place } = run
      if (place.at === "instance") return place.instance
      const instance = take()
      unparkMemory(place.memory, instance, template, place.at === "parked" ? store : file)
      run.place = { at: "instance", instance }
      seated.add(run)
      return instance
    },
    release(run, state) {
      const { place } = run
      memory.count(run, 0, 0)
      if (place.at !== "instance") return dropParked(place.memory, place.at === "parked" ? store : file)
      seated.delete(run)
      return state === "sound" ? give(place.instance) : memoryRelease.left(place.instance.vm.bytes.length)
    },
    count,
    spill(run) {
      const { place } = run
      if (place.at === "instance") {
        run.place = { at: "spilled", memory: parkMemory(place.instance, template, file) }
        seated.delete(run)
        give(place.instance)
      } else if (place.at === "parked") {
        run.place = { at: "spilled", memory: moveParked(place.memory, store, file) }
      }
      count(run)
    },
  }
}
