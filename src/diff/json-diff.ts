// Lists where two JSON values differ, by JSON Pointer, without showing a secret.
import { isRecord } from "../core/json/record.ts"
import type { JsonChange } from "../core/registry/diff.ts"
import { isSameJson } from "./json-equal.ts"

const depthMax = 50
const shownCharsMax = 500
export const mask = "***"

/** Which values are not shown; asked with their name inside of the object that has them, and the name of that object. */
export type IsSecret = (name: string, value: unknown, parent: string) => boolean

export const nothingSecret: IsSecret = () => false

/** At most `most` changes, in the order of the value before. */
export function diffJson(before: unknown, after: unknown, root: string, most: number, isSecret: IsSecret = nothingSecret): JsonChange[] {
  const changes: JsonChange[] = []
  const compare = (one: unknown, other: unknown, path: readonly string[]): void => {
    if (changes.length >= most) return
    if (isRecord(one) && isRecord(other) && path.length < depthMax && !isHidden(one, path) && !isHidden(other, path)) {
      for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) compare(own(one, name), own(other, name), [...path, name])
      return
    }
    if (Array.isArray(one) && Array.isArray(other) && path.length < depthMax) {
      for (let at = 0; at < Math.max(one.length, other.length) && changes.length < most; at += 1)
        compare(one[at], other[at], [...path, `${at}`])
      return
    }
    if (isSameJson(one, other)) return
    const op = one === undefined ? "add" : other === undefined ? "remove" : "replace"
    changes.push({ op, path: cutText(`${root}${path.map(pointerStep).join("")}`), ...valuesOf(shown(one, path), shown(other, path)) })
  }
  const isHidden = (value: unknown, path: readonly string[]): boolean => isSecret(path.at(-1) ?? "", value, path.at(-2) ?? "")
  const shown = (value: unknown, path: readonly string[]): unknown =>
    value === undefined ? undefined : isHidden(value, path) ? mask : cut(maskInside(value, path, isSecret))
  compare(before, after, [])
  return changes
}

function maskInside(value: unknown, path: readonly string[], isSecret: IsSecret): unknown {
  if (isSecret === nothingSecret || typeof value !== "object" || value === null) return value
  if (path.length > depthMax) return mask
  if (Array.isArray(value)) return value.map((item) => maskInside(item, [...path, ""], isSecret))
  const parent = path.at(-1) ?? ""
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name, item, parent) ? mask : maskInside(item, [...path, name], isSecret)]),
  )
}

export const valuesOf = (before: unknown, after: unknown): { before?: unknown; after?: unknown } => ({
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
})

/** Long values are shown as the beginning of their text. */
export function cut(value: unknown): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return text === undefined || text.length <= shownCharsMax ? value : cutText(text)
}

/** Names are a stranger's, and may be of any length. */
export const cutText = (text: string): string => (text.length <= shownCharsMax ? text : `${text.slice(0, shownCharsMax)}…`)

const own = (object: Readonly<Record<string, unknown>>, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

const pointerStep = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
