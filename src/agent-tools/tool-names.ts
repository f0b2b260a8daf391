// The names under which models know tools that come from elsewhere: what every model API takes, and never one for two tools.
import { createHash } from "node:crypto"
import { withoutRoot } from "../core/address.ts"

/** The shortest limit among the APIs of models. */
const nameCharsMax = 64
const hashChars = 40

/** A name that is too long keeps its beginning, followed by a hash of the whole. */
export function toModelName(raw: string): string {
  const name = sanitise(raw)
  return name.length <= nameCharsMax ? name : withHash(name, raw)
}

export type RawName = {
  readonly raw: string
  /** Tells apart what has the same raw name. */
  readonly identity: string
}

/**
 * The names of tools that are offered together, in their order. Where several would have the same name, all of them get a hash of
 * their identity, so that no name depends on the order, and no tool can take the name of another.
 */
export function toModelNames(tools: readonly RawName[]): string[] {
  const plain = tools.map(({ raw }) => toModelName(raw))
  const hashed = new Set<number>()
  for (;;) {
    const names = tools.map(({ raw, identity }, index) => (hashed.has(index) ? withHash(sanitise(raw), identity) : (plain[index] ?? "")))
    const counts = Map.groupBy(names, (name) => name)
    const ambiguous = names.flatMap((name, index) => ((counts.get(name)?.length ?? 0) > 1 && !hashed.has(index) ? [index] : []))
    if (ambiguous.length === 0) return names
    for (const index of ambiguous) hashed.add(index)
  }
}

/** The name of a tool of the catalog, if no other tool that is offered beside it would have the same. */
export const modelName = (address: string): string => toModelName(withoutRoot(address))

export const modelNames = (addresses: readonly string[]): string[] =>
  toModelNames(addresses.map(withoutRoot).map((raw) => ({ raw, identity: raw })))

const sanitise = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/gu, "_")

const withHash = (name: string, hashedText: string): string =>
  `${name.slice(0, nameCharsMax - hashChars)}${createHash("sha1").update(hashedText).digest("hex")}`
