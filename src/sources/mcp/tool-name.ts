// Gives every tool of a server its name here, the same whatever the order in which the server lists them.
import { ToolName } from "../../core/address.ts"
import { sha256 } from "../../io/ids.ts"
import { safeSegment, toolNameBytesMax } from "../tool-name.ts"

/** In the order of the names given, which must differ. Names in `taken` are ours. */
export function nameTools(names: readonly string[], taken: ReadonlySet<string>): ToolName[] {
  const plain = names.map(plainName)
  const counts = new Map<string, number>()
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1)
  return plain.map((name, index) => {
    const isAmbiguous = (counts.get(name) ?? 0) > 1 || taken.has(name)
    const suffix = `_${sha256(names[index] ?? "").slice(0, 8)}`
    const isPlain = !isAmbiguous && name.length <= toolNameBytesMax
    return ToolName.make(isPlain ? name : `${cutName(name, toolNameBytesMax - suffix.length)}${suffix}`)
  })
}

/** `files/read-all.v2` → `files.read_all.v2` */
function plainName(name: string): string {
  const segments = name
    .split(/[./]/)
    .filter((segment) => segment !== "")
    .map((segment) => safeSegment(segment.replaceAll(/[^A-Za-z0-9_$]/g, "_")))
  return segments.length === 0 ? "_" : segments.join(".")
}

/** A name that ends with a dot would have an empty segment before the suffix. */
const cutName = (name: string, length: number): string => name.slice(0, length).replace(/\.+$/, "")
