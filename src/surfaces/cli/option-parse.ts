// Reads the values of options, and refuses what cannot be meant before anything is done.
import { InvalidArgumentError } from "commander"
import type { Owner } from "../../core/address.ts"
import { isOwner } from "../../core/address.ts"

export const parseCount = (text: string): number => {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1) throw new InvalidArgumentError("It must be a whole number of at least 1.")
  return count
}

export const parseOffset = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number of at least 0.")
  return Number(text)
}

export const parsePosition = (text: string): number => {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError("It must be a number, e.g. 3 or -1.")
  return Number(text)
}

/** A day or a moment, as the API takes it. */
export const parseTime = (text: string): string => {
  if (!/^\d{4}-\d\d-\d\d(?:T|$)/.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError("It must be a day such as 2027-01-31, or a moment such as 2027-01-31T09:30:00Z.")
  return text
}

export const parsePort = (text: string): number => {
  if (!/^\d+$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError("It must be a number from 0 to 65535.")
  return Number(text)
}

/** `90`, `90s`, `2m` or `1500ms`. */
export function parseDuration(text: string): number {
  const [, number, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? []
  if (number === undefined) throw new InvalidArgumentError("It must be a duration such as 90s, 2m or 1500ms.")
  return Math.round(Number(number) * { ms: 1, s: 1000, m: 60_000 }[unit as "ms" | "s" | "m"]) // what the expression matches
}

/** As it is typed: `10m`, `90s` or `1500ms`. */
export const durationText = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000}m` : ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`)

export const parseOwner = (text: string): Owner => {
  if (isOwner(text)) return text
  throw new InvalidArgumentError("It must be 'org' (shared) or 'user' (your own).")
}

export const collect = (text: string, before: readonly string[] = []): string[] => [...before, text]

export const parseList = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text.split(",").map((one) => one.trim()),
]
