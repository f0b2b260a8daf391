// Gives the tools of an integration the names under which clients call them one by one.
import { sha256 } from "../../../io/ids.ts"

const nameBytesMax = 128
const suffixChars = 9

/** Names do not depend on the order: those that would be the same all get a part of the hash of their address. */
export function nameDirectTools<Named extends { readonly name: string; readonly address: string }>(
  tools: readonly Named[],
): Map<string, Named> {
  const plain = tools.map(({ name }) => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_"))
  const counts = new Map<string, number>()
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Map(
    tools.map((tool, index) => {
      const name = plain[index] ?? ""
      const isOwn = counts.get(name) === 1 && name.length <= nameBytesMax
      return [isOwn ? name : `${name.slice(0, nameBytesMax - suffixChars)}_${sha256(tool.address).slice(0, 8)}`, tool]
    }),
  )
}
