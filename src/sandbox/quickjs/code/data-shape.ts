// Says what the data of a call is, where code has taken it for something else: `text.split` of `{ content: string }`.
//
// The engine does not tell the value that was wrong. The variable at the place of the error is followed to its declaration,
// and if that is the data of a call, the shape that the prelude noted of the call's data is named.
import type { CodeTokens } from "./tokens.ts"
import { isDot, isWord } from "./tokens.ts"

/** What the prelude has noted: by path the outline of the data, and whether the call answers it without an envelope. */
export type DataShapes = ReadonlyMap<string, { readonly outline: string; readonly isBare: boolean }>

const outlineCharsMax = 400

/** Written by the prelude, whose tools may have been patched by the guest. */
export function readShapes(text: string): DataShapes {
  try {
    const fields = Object.entries(JSON.parse(text === "" ? "{}" : text) as Record<string, unknown>) // a wrong shape has no texts
    return new Map(
      fields.flatMap(([path, noted]) =>
        typeof noted === "string" ? [[path, { outline: noted.slice(1, outlineCharsMax), isBare: noted.startsWith("v") }] as const] : [],
      ),
    )
  } catch {
    return new Map()
  }
}

/** For example "`text` is { content: string }, the data of files.read"; empty where it is not the data of a call. */
export function dataText(code: CodeTokens, offset: number, isRaw: boolean, shapes: DataShapes): string {
  const root = rootOf(code, offset)
  const name = code.tokens[root]?.text ?? ""
  const call = isWord(name) ? callOf(code, name) : null
  const shape = call === null ? undefined : shapes.get(call.path)
  if (call === null || shape === undefined) return ""
  if (call.isData || isRaw || shape.isBare) return `\`${name}\` is ${shape.outline}, the data of ${call.path}`
  const isRead = isDot(code.tokens[root + 1]?.text) && code.tokens[root + 2]?.text === "data"
  return isRead ? `\`${name}.data\` is ${shape.outline}, the data of ${call.path}` : ""
}

const loopTokensMax = 8

/** The first word of the expression at this place, or of the list that is gone through there. */
function rootOf({ tokens }: CodeTokens, offset: number): number {
  let at = tokens.findIndex((token) => token.start === offset)
  if (at < 0) return -1
  const loop = tokens.slice(at, at + loopTokensMax).findIndex(({ text }) => text === "of")
  if (/^(?:const|let|var)$/.test(tokens[at]?.text ?? "") && loop > 0) return at + loop + 1
  if (tokens[at]?.text === "...") return at + 1
  while (isDot(tokens[at - 1]?.text) && isWord(tokens[at - 2]?.text)) at -= 2
  return at
}

type DeclaredCall = { readonly path: string; readonly isData: boolean }

/** The call whose result a variable is, if that is its one declaration. */
function callOf({ tokens, partners }: CodeTokens, name: string): DeclaredCall | null {
  const declared = tokens.flatMap(({ text }, index) =>
    text === name && /^(?:const|let|var)$/.test(tokens[index - 1]?.text ?? "") ? [index] : [],
  )
  const [only] = declared
  if (only === undefined || declared.length > 1) return null
  const isAt = (index: number, text: string): boolean => tokens[index]?.text === text
  let at = only + 1
  // What is of a type has no text.
  while (at < tokens.length && (tokens[at]?.text === "" || isAt(at, ":"))) at += 1
  const isGrouped = isAt(at + 1, "(")
  if (isGrouped) at += 1
  if (!isAt(at - (isGrouped ? 1 : 0), "=") || !isAt(at + 1, "await") || !isAt(at + 2, "tools")) return null
  const words: string[] = []
  for (at += 3; isDot(tokens[at]?.text) && isWord(tokens[at + 1]?.text); at += 2) words.push(tokens[at + 1]?.text ?? "")
  const end = isAt(at, "(") ? partners.get(at) : undefined
  if (end === undefined) return null
  const isRead = (index: number, property: string): boolean => isDot(tokens[index]?.text) && isAt(index + 1, property)
  return { path: words.join("."), isData: isRead(end + 1, "unwrap") || (isGrouped && isRead(end + 2, "data")) }
}
