// Which vectors belong to the tools of a set that somebody sees; asked once as long as the set and what is known of it stand.
import type { MeaningSet } from "../../catalog/search-meaning/meaning.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import type { KnownSet } from "./known-sets.ts"
import type { VectorSpace } from "./vector-space.ts"

type Visible = { readonly known: KnownSet; readonly left: number; readonly numbers: Uint32Array; readonly places: Map<number, number> }

/** `nameOf`: of the tool with that vector, if it is among them. */
export type VisibleNumbers = { readonly numbers: Uint32Array; nameOf(number: number): string | undefined }

const kept = new WeakMap<MeaningSet["mount"], Visible>()

export async function numbersOf(set: MeaningSet, known: KnownSet | undefined, space: VectorSpace): Promise<VisibleNumbers> {
  if (known === undefined) return { numbers: new Uint32Array(), nameOf: () => undefined }
  const before = kept.get(set.mount)
  const isKept = before !== undefined && before.known === known && before.left === known.left
  const visible = isKept ? before : await look(set, known, space)
  if (!isKept) kept.set(set.mount, visible)
  const nameOf = (number: number): string | undefined => {
    const name = known.names[visible.places.get(number) ?? -1]
    return name === undefined || set.isWithin?.(name) === false ? undefined : name
  }
  const { numbers } = visible
  return { numbers: set.isWithin === null ? numbers : numbers.filter((number) => nameOf(number) !== undefined), nameOf }
}

async function look({ mount }: MeaningSet, known: KnownSet, space: VectorSpace): Promise<Visible> {
  const places = new Map<number, number>()
  const slices = createTimeSlices()
  const { left } = known
  for (const [place, hash] of known.hashes.entries()) {
    const number = space.numberOf(hash)
    if (number !== undefined && (mount.isVisible?.(known.names[place] ?? "") ?? true)) places.set(number, place)
    if (slices.isOver()) await slices.next()
  }
  return { known, left, numbers: Uint32Array.from(places.keys()), places }
}
