// Finds the operations of a document, in whichever of its versions.
import { isMissing, childOf, locationOf } from "../document/resolve.ts"
import type { DocumentFiles, Located } from "../document/resolve.ts"
import { isObject, listAt, own, textAt } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import type { Warnings } from "../../document-warnings.ts"

export type Operation = {
  /** In capitals; as written for methods of the author's own. */
  readonly method: string
  readonly path: string
  readonly at: Located
  readonly value: JsonObject
  /** What the path says for all its operations; the nearest first. */
  readonly pathItems: readonly Located[]
  readonly operationId: string | null
  readonly tags: readonly string[]
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const
const methodToken = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,40}$/
/** Names are taken apart; nobody writes longer ones. */
const pathCharsMax = 4_096
const nameCharsMax = 1_000
const tagsMax = 50
/** A tunnel is no call. */
const refusedMethods: ReadonlySet<string> = new Set(["CONNECT"])

/** At most `countMax` of them: names are compared over all. */
export function findOperations(files: DocumentFiles, countMax: number, warnings: Warnings): Operation[] {
  const paths = childOf({ value: files.main.root, file: files.main, pointer: "" }, "paths")
  if (!isObject(paths.value)) {
    warnings.add("#/paths", paths.value === undefined ? "The document has no paths" : "'paths' is not a map")
    return []
  }
  const found = new Map<string, Operation>()
  for (const path of Object.keys(paths.value)) {
    if (path.startsWith("x-")) continue
    if (found.size >= countMax) {
      warnings.add("#/paths", `The document has more than ${countMax} operations; the rest were left out`)
      break
    }
    if (path.length > pathCharsMax) {
      warnings.add("#/paths", `A path is longer than ${pathCharsMax} characters; it was left out`)
      continue
    }
    const item = childOf(paths, path)
    const pathItems = pathItemsOf(item, files, warnings)
    for (const { method, at } of operationsOf(pathItems, warnings)) {
      const operation = toOperation(path.startsWith("/") ? path : `/${path}`, method, at, pathItems, warnings)
      if (!operation) continue
      const identity = `${operation.method} ${operation.path}`
      if (found.has(identity)) warnings.add(locationOf(at), `${identity} is described twice; this one was left out`)
      else found.set(identity, operation)
    }
  }
  return [...found.values()]
}

/** A path item may refer to another one and still say something itself. */
function pathItemsOf(item: Located, files: DocumentFiles, warnings: Warnings): Located[] {
  const target = files.follow(item)
  if (isMissing(target)) warnings.add(locationOf(item), `The path's reference cannot be resolved: ${target.missing}`)
  const places = isMissing(target) || target === item ? [item] : [item, target]
  const usable = places.filter((place) => isObject(place.value))
  if (usable.length === 0) warnings.add(locationOf(item), "The path is not an object; it was left out")
  return usable
}

function operationsOf(pathItems: readonly Located[], warnings: Warnings): { method: string; at: Located }[] {
  const found = new Map<string, Located>()
  for (const item of pathItems) {
    for (const method of methods) {
      const at = childOf(item, method)
      if (at.value !== undefined && !found.has(method)) found.set(method, at)
    }
    const additional = childOf(item, "additionalOperations")
    if (additional.value === undefined) continue
    if (!isObject(additional.value)) warnings.add(locationOf(additional), "'additionalOperations' is not a map")
    else for (const method of Object.keys(additional.value)) if (!found.has(method)) found.set(method, childOf(additional, method))
  }
  return [...found].map(([method, at]) => ({ method: methods.some((known) => known === method) ? method.toUpperCase() : method, at }))
}

function toOperation(path: string, method: string, at: Located, pathItems: readonly Located[], warnings: Warnings): Operation | null {
  const refuse = (message: string): null => {
    warnings.add(locationOf(at), message)
    return null
  }
  if (!isObject(at.value)) return refuse("The operation is not an object; it was left out")
  if (!methodToken.test(method) || refusedMethods.has(method.toUpperCase())) return refuse(`'${method}' is not a method that can be called`)
  const operationId = textAt(at.value, "operationId")
  if (operationId === null && own(at.value, "operationId") !== undefined) warnings.add(locationOf(at), "'operationId' is not a string")
  const shortId = operationId?.slice(0, nameCharsMax).trim() || null
  return { method, path, at, value: at.value, pathItems, operationId: shortId, tags: tagsOf(at.value) }
}

function tagsOf(operation: JsonObject): string[] {
  const tags = listAt(operation, "tags").slice(0, tagsMax)
  const texts = tags.filter((tag) => typeof tag === "string").map((tag) => tag.slice(0, nameCharsMax).trim())
  return [...new Set(texts)].filter((tag) => tag !== "")
}
