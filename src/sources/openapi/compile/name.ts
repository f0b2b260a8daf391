// Gives every operation of a document its tool name, the same whatever the order of the document.
import { ToolName } from "../../../core/address.ts"
import { sha256 } from "../../../io/ids.ts"
import { safeSegment, toolNameBytesMax } from "../../tool-name.ts"
import { capitalisedWords, hasSeparator, segmentsOf } from "./name-words.ts"

/** What a name is made of. */
export type NamedOperation = {
  readonly method: string
  readonly path: string
  readonly operationId: string | null
  readonly firstTag: string | null
}

const verbs: ReadonlyMap<string, string> = new Map([
  ["POST", "create"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
])
const hashLengths = [8, 16, 64]

/** In the order of the operations given. Method and path together must be unique among them. */
export function nameOperations(operations: readonly NamedOperation[]): ToolName[] {
  const plain = operations.map(plainName)
  const byParameters = renameRepeated(plain, (name, index) => `${name}${parameterSuffix(operations[index]?.path ?? "")}`)
  const identities = operations.map((operation) => sha256(`${operation.method} ${operation.path}`))
  const isRepeated = repeatedIn(byParameters)
  for (const length of hashLengths) {
    const names = byParameters.map((name, index) => fit(name, isRepeated(name), identities[index]?.slice(0, length) ?? ""))
    if (new Set(names).size === names.length) return names.map((name) => ToolName.make(name))
  }
  throw new Error("Two operations have the same method and path")
}

function plainName(operation: NamedOperation): string {
  const fromId = operation.operationId === null ? [] : segmentsOf(operation.operationId)
  const isGrouped = hasSeparator(operation.operationId ?? "")
  const fromTag = isGrouped || operation.firstTag === null ? [] : segmentsOf(operation.firstTag)
  const segments = fromId.length > 0 ? [...fromTag, ...fromId] : pathSegments(operation)
  return segments.map(safeSegment).join(".")
}

/** `GET /users/{id}/posts` → `users.posts.list`. */
export function pathSegments({ method, path }: Pick<NamedOperation, "method" | "path">): string[] {
  const parts = path.split("/").filter((part) => part !== "")
  const words = parts.flatMap((part) => segmentsOf(part.replaceAll(/\{[^{}]*\}/g, " ")))
  const endsInParameter = /\{[^{}]*\}/.test(parts.at(-1) ?? "")
  const verb =
    method === "GET" ? (endsInParameter ? "get" : "list") : (verbs.get(method) ?? (segmentsOf(method.toLowerCase()).join("") || "call"))
  return [...words, verb]
}

/** `/repos/{owner}/{repo}` → `ByOwnerAndRepo`. */
function parameterSuffix(path: string): string {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => capitalisedWords(match[1] ?? "")).filter((name) => name !== "")
  return names.length === 0 ? "" : `By${names.join("And")}`
}

function fit(name: string, isRepeated: boolean, hash: string): string {
  const suffix = `_${hash}`
  if (name.length > toolNameBytesMax) return `${name.slice(0, toolNameBytesMax - suffix.length)}${suffix}`
  if (!isRepeated) return name
  return `${name.slice(0, toolNameBytesMax - suffix.length)}${suffix}`
}

function renameRepeated(names: readonly string[], rename: (name: string, index: number) => string): string[] {
  const isRepeated = repeatedIn(names)
  return names.map((name, index) => (isRepeated(name) ? rename(name, index) : name))
}

function repeatedIn(names: readonly string[]): (name: string) => boolean {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return (name) => (counts.get(name) ?? 0) > 1
}
