// Names tools for models: every provider takes 1 to 64 letters, digits, '_' and '-', and the name must lead back to one address.
import { createHash } from "node:crypto"
import { withoutRoot } from "../../core/address.ts"

const nameCharsMax = 64
const hashChars = 12

/** By name; two addresses that would have one name both get a part of their hash, whatever order they come in. */
export function modelNames(addresses: readonly string[]): ReadonlyMap<string, string> {
  const plain = new Map(addresses.map((address) => [address, plainName(address)]))
  const counts = Map.groupBy(plain.values(), (name) => name)
  return new Map(
    [...plain].map(([address, name]) => [
      name.length > nameCharsMax || (counts.get(name)?.length ?? 0) > 1 ? hashedName(address, name) : name,
      address,
    ]),
  )
}

/** `tools.github.org.main.issues.create` is `github__issues_create`: connections other than the usual one are named. */
function plainName(address: string): string {
  const segments = withoutRoot(address).split(".")
  const [integration = "", owner, connection, ...tool] = segments
  if ((owner !== "org" && owner !== "user") || tool.length === 0) return clean(segments.join("_"))
  const place = owner === "org" && connection === "main" ? [] : [owner, connection ?? ""]
  return clean([[integration, ...place].join("_"), tool.join("_")].join("__"))
}

const clean = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, "_")

const hashedName = (address: string, name: string): string =>
  `${name.slice(0, nameCharsMax - hashChars - 1)}_${createHash("sha1").update(address).digest("hex").slice(0, hashChars)}`
