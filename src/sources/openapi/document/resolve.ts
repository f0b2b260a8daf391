// Finds what a `$ref` points at, in the document itself or in the files that were fetched with it.
import { anchorIndex } from "./anchors.ts"
import type { AnchorIndex } from "./anchors.ts"
import { fragmentDecode, pointerJoin, pointerNames } from "./pointer.ts"
import { isObject, own } from "../../document-value.ts"

/** One text that is part of the document: the document itself (whose url may be unknown) or a file it refers to. */
export type DocumentFile = { readonly url: string | null; readonly isMain: boolean; readonly root: unknown }

export type Located = { readonly value: unknown; readonly file: DocumentFile; readonly pointer: string }
export type Missing = { readonly missing: string }

/** A chain of references is followed this far; a longer one is a loop or a joke. */
const refHopsMax = 32
const refCharsMax = 8_192

export type DocumentFiles = {
  readonly main: DocumentFile
  /** Where a reference leads, one step only. */
  resolve(ref: string, from: DocumentFile): Located | Missing
  /** The value itself, or what its chain of references ends in. */
  follow(at: Located): Located | Missing
}

export const isMissing = (found: Located | Missing): found is Missing => "missing" in found

/** A place as warnings name it. */
export const locationOf = (at: { readonly file: DocumentFile; readonly pointer: string }): string =>
  `${at.file.isMain ? "" : (at.file.url ?? "")}#${at.pointer}`

export const childOf = (at: Located, ...names: readonly string[]): Located => ({
  value: names.reduce<unknown>(memberOf, at.value),
  file: at.file,
  pointer: pointerJoin(at.pointer, ...names),
})

export function openFiles(main: DocumentFile, others: ReadonlyMap<string, DocumentFile>): DocumentFiles {
  const cache = new Map<DocumentFile, Map<string, Located | Missing>>()
  const anchors = new Map<DocumentFile, AnchorIndex>()

  function anchorsOf(file: DocumentFile): AnchorIndex {
    const known = anchors.get(file)
    if (known) return known
    const index = anchorIndex(file.root)
    anchors.set(file, index)
    return index
  }

  function fileAt(address: string, from: DocumentFile): DocumentFile | Missing {
    if (address === "") return from
    const url = URL.parse(address, from.url ?? undefined)
    if (!url) return { missing: `'${address}' is another file, and the document has no URL to find it by` }
    if (url.href === main.url) return main
    return others.get(url.href) ?? { missing: `'${url.href}' was not read` }
  }

  function find(ref: string, from: DocumentFile, hops: number): Located | Missing {
    const hash = ref.indexOf("#")
    const address = hash === -1 ? ref : ref.slice(0, hash)
    const fragment = hash === -1 ? "" : ref.slice(hash + 1)
    const named = address === "" ? undefined : anchorsOf(from).ids.get(address)
    if (named !== undefined) return walk(from, [...pointerNames(named), ...pointerNames(fragmentDecode(fragment))], hops)
    const file = fileAt(address, from)
    if ("missing" in file) return file
    if (fragment === "" || fragment.startsWith("/")) {
      const found = walk(file, pointerNames(fragmentDecode(fragment)), hops)
      // A name may hold a literal `%`, which decoding would have changed.
      return isMissing(found) && fragment.includes("%") ? walk(file, pointerNames(fragment), hops) : found
    }
    const pointer = anchorsOf(file).anchors.get(fragment)
    if (pointer === undefined) return { missing: `'${ref}' names an anchor that does not exist` }
    return walk(file, pointerNames(pointer), hops)
  }

  function walk(file: DocumentFile, names: readonly string[], hops: number): Located | Missing {
    let at: Located = { value: file.root, file, pointer: "" }
    for (const name of names) {
      let next = childOf(at, name)
      if (next.value === undefined && isReference(at.value)) {
        const target = hops < refHopsMax ? find(at.value.$ref, at.file, hops + 1) : { missing: "its references run in a circle" }
        if (isMissing(target)) return target
        next = childOf(target, name)
      }
      if (next.value === undefined) return { missing: `${locationOf(next)} does not exist` }
      at = next
    }
    return at
  }

  function resolve(ref: string, from: DocumentFile): Located | Missing {
    if (ref.length > refCharsMax) return { missing: "it is too long" }
    const known = cache.get(from) ?? new Map<string, Located | Missing>()
    if (known.size === 0) cache.set(from, known)
    const found = known.get(ref) ?? find(ref, from, 0)
    known.set(ref, found)
    return found
  }

  function follow(at: Located): Located | Missing {
    let current = at
    for (let hops = 0; hops < refHopsMax; hops += 1) {
      if (!isReference(current.value)) return current
      const next = resolve(current.value.$ref, current.file)
      if (isMissing(next)) return next
      current = next
    }
    return { missing: "its references run in a circle" }
  }

  return { main, resolve, follow }
}

const isReference = (value: unknown): value is { readonly $ref: string } => isObject(value) && typeof own(value, "$ref") === "string"

function memberOf(value: unknown, name: string): unknown {
  if (isObject(value)) return own(value, name)
  if (Array.isArray(value) && /^(0|[1-9]\d*)$/.test(name)) return value[Number(name)] as unknown
  return undefined
}
