// Gives every place that schemas refer to the name of a shared definition, the same on every import.
import { sha256 } from "../../../../io/ids.ts"
import { pointerNames } from "../../document/pointer.ts"
import { locationOf } from "../../document/resolve.ts"
import type { DocumentFile, Located } from "../../document/resolve.ts"
import { isObject, own } from "../../../document-value.ts"
import { toolFileName } from "./file.ts"

export type DefinitionNames = {
  nameOf(target: Located): string
  /** The name of the same place without what is `readOnly`. */
  inputNameOf(target: Located): string
  isInput(name: string): boolean
  placeOf(name: string): Located | undefined
  /** A name for a variant of a definition. */
  variantOf(name: string, suffix: string): string
}

/** Plain enough to stand in a JSON pointer as it is. */
const plainName = /^[A-Za-z0-9_.-]{1,100}$/
const reserved: ReadonlySet<string> = new Set([toolFileName, "__proto__"])
const hashLengths = [8, 16, 64]

/** `home` is where the document keeps its schemas: names from there are kept as they are, others get a hash of their place. */
export function nameDefinitions(home: readonly string[], main: DocumentFile): DefinitionNames {
  const names = new Map<string, string>()
  const places = new Map<string, Located>()
  const inputNames = new Set<string>()
  const homeSchemas = home.reduce<unknown>((value, name) => (isObject(value) ? own(value, name) : undefined), main.root)
  const isHomeName = (name: string): boolean => isObject(homeSchemas) && Object.hasOwn(homeSchemas, name)

  function nameOf(target: Located): string {
    const key = locationOf(target)
    const known = names.get(key)
    if (known !== undefined) return known
    const name = chooseName(target, key)
    names.set(key, name)
    places.set(name, target)
    return name
  }

  const variantOf = (name: string, suffix: string): string =>
    isHomeName(`${name}${suffix}`) ? hashed(`${name}${suffix}`, name) : `${name}${suffix}`

  function inputNameOf(target: Located): string {
    const key = `${locationOf(target)} input`
    const known = names.get(key)
    if (known !== undefined) return known
    const name = variantOf(nameOf(target), "_input")
    names.set(key, name)
    places.set(name, target)
    inputNames.add(name)
    return name
  }

  function chooseName(target: Located, key: string): string {
    const path = pointerNames(target.pointer)
    const isHome = target.file.isMain && path.length === home.length + 1 && home.every((name, index) => path[index] === name)
    const last = path.at(-1) ?? ""
    if (isHome && plainName.test(last) && !reserved.has(last)) return last
    return hashed(wordsOf(isHome ? [last] : path, target.file), key)
  }

  function hashed(base: string, key: string): string {
    const digest = sha256(key)
    const candidates = hashLengths.map((length) => `${base}_${digest.slice(0, length)}`)
    return candidates.find((name) => !isHomeName(name) && !places.has(name)) ?? `${base}_${digest}`
  }

  return {
    nameOf,
    inputNameOf,
    isInput: (name) => inputNames.has(name),
    placeOf: (name) => places.get(name),
    variantOf,
  }
}

/** The end of a pointer says most about what is there. */
function wordsOf(path: readonly string[], file: DocumentFile): string {
  const named = path.length > 0 ? path : [file.url?.split("/").at(-1) ?? "document"]
  const text = named
    .join("_")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
  return text.length > 60 ? text.slice(-60).replace(/^[^_]*_/, "") : text || "schema"
}
