// The styles of OpenAPI: how a value is written into a path, a query, a header, a cookie or a form.
//
// As in RFC 6570, members that are null do not exist, and neither do lists and objects without members. What the
// styles have no form for, a list inside a list for example, is written as JSON.
import type { ParameterStyle } from "../binding.ts"

export type Encode = (text: string) => string

/** How a named value is to be written. */
export type Spelling = { readonly name: string; readonly style: ParameterStyle; readonly explode: boolean }

/** One `name=value` of a query, form or cookie; the name is kept to find it again, the text is ready to be sent. */
export type Pair = { readonly name: string; readonly text: string }

export type Members =
  | { readonly kind: "none" }
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [string, string])[] }

export function membersOf(value: unknown): Members {
  if (value === null || value === undefined) return { kind: "none" }
  if (Array.isArray(value)) {
    const items = value.filter(isPresent).map(textOf)
    return items.length === 0 ? { kind: "none" } : { kind: "list", items }
  }
  if (typeof value !== "object") return { kind: "scalar", text: textOf(value) }
  const entries = Object.entries(value)
    .filter(([, member]) => isPresent(member))
    .map(([key, member]) => [key, textOf(member)] as const)
  return entries.length === 0 ? { kind: "none" } : { kind: "object", entries }
}

/** The text of one member; of numbers and booleans it is the same as their JSON. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

export const isPresent = (value: unknown): boolean => value !== null && value !== undefined

const delimiters: Readonly<Partial<Record<ParameterStyle, string>>> = { spaceDelimited: "%20", pipeDelimited: "%7C" }

/** `form`, `spaceDelimited`, `pipeDelimited` and `deepObject`, for queries, forms and cookies. */
export function pairsOf(spelling: Spelling, value: unknown, encode: Encode, encodeName: Encode): readonly Pair[] {
  const { name, style, explode } = spelling
  const pair = (key: string, text: string): Pair => ({ name: key, text: `${encodeName(key)}=${text}` })
  if (style === "deepObject" && typeof value === "object") return deepPairs(name, value, (key, text) => pair(key, encode(text)))
  const members = membersOf(value)
  if (members.kind === "none") return []
  if (members.kind === "scalar") return [pair(name, encode(members.text))]
  if (explode && members.kind === "list") return members.items.map((item) => pair(name, encode(item)))
  if (explode && members.kind === "object") return members.entries.map(([key, text]) => pair(key, encode(text)))
  return [pair(name, joinMembers(members, encode, "flat", delimiters[style] ?? ","))]
}

/** `a[b][c]=1`; list members get their index, which keeps lists of objects apart. Arguments are JSON of limited depth. */
function deepPairs(name: string, value: unknown, pair: (name: string, text: string) => Pair): readonly Pair[] {
  if (!isPresent(value)) return []
  if (typeof value !== "object" || value === null) return [pair(name, textOf(value))]
  return Object.entries(value).flatMap(([key, member]) => deepPairs(`${name}[${key}]`, member, pair))
}

/** `simple`, `label` and `matrix`, for paths and headers; null when there is nothing to write. */
export function expand(spelling: Spelling, value: unknown, encode: Encode): string | null {
  const members = membersOf(value)
  if (members.kind === "none") return null
  const form = spelling.explode ? "assigned" : "flat"
  if (spelling.style === "matrix") return expandMatrix(spelling, members, encode)
  if (spelling.style === "label") return `.${joinMembers(members, encode, form, spelling.explode ? "." : ",")}`
  return joinMembers(members, encode, form, ",")
}

type SomeMembers = Exclude<Members, { kind: "none" }>

/** `flat`: an object is `R,100,G,200`; `assigned`: it is `R=100,G=200`. */
function joinMembers(members: SomeMembers, encode: Encode, form: "flat" | "assigned", delimiter: string): string {
  if (members.kind === "scalar") return encode(members.text)
  if (members.kind === "list") return members.items.map(encode).join(delimiter)
  if (form === "flat") return members.entries.flat().map(encode).join(delimiter)
  return members.entries.map(([key, text]) => `${encode(key)}=${encode(text)}`).join(delimiter)
}

function expandMatrix({ name, explode }: Spelling, members: SomeMembers, encode: Encode): string {
  const assign = (key: string, text: string): string => (text === "" ? `;${encode(key)}` : `;${encode(key)}=${text}`)
  if (explode && members.kind === "list") return members.items.map((item) => assign(name, encode(item))).join("")
  if (explode && members.kind === "object") return members.entries.map(([key, text]) => assign(key, encode(text))).join("")
  return assign(name, joinMembers(members, encode, "flat", ","))
}
