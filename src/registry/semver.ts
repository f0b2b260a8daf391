// Version numbers of tools: three numbers, compared one after the other.
import { ExecutorError } from "../core/errors.ts"

export const firstVersion = "1.0.0"

type Parts = readonly [number, number, number]

const pattern = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/

export const isVersion = (text: string): boolean => pattern.test(text)

export function checkVersion(text: string): string {
  if (isVersion(text)) return text
  throw new ExecutorError(
    "invalid_request",
    `${JSON.stringify(text.slice(0, 40))} is not a version: write three numbers with dots between them, such as 1.2.0`,
  )
}

export function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)]
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

export function nextPatch(version: string): string {
  const [major, minor, patch] = partsOf(version)
  return `${major}.${minor}.${patch + 1}`
}

/** Of an import it may be anything; it then counts as the smallest. */
function partsOf(version: string): Parts {
  const found = pattern.exec(version)
  return found === null ? [0, 0, 0] : [Number(found[1]), Number(found[2]), Number(found[3])]
}
