// Reads the single keywords of a stranger's schema; what is malformed reads as absent.
import { isRecord } from "../core/json/record.ts"
import { kinds } from "./walk.ts"

export type TypeName = keyof typeof kinds

/** More than any real list of countries, fonts or machine types. */
const enumValuesMax = 5000
/** Values inside values: an enum of objects is compared deeply. */
const literalValuesMax = 20_000

/** `unknown`: it names a type that JSON does not have, so that nothing can be said about it. */
export function readTypes(raw: unknown): TypeName[] | "unknown" | undefined {
  if (raw === undefined) return undefined
  const given = [raw].flat()
  const names = given.filter((name): name is TypeName => typeof name === "string" && Object.hasOwn(kinds, name))
  return names.length === 0 || names.length < given.length ? "unknown" : [...new Set(names)]
}

export const readCount = (raw: unknown): number | undefined =>
  typeof raw === "number" && raw >= 0 && Number.isInteger(raw) ? raw : undefined

export const readNumber = (raw: unknown): number | undefined => (typeof raw === "number" && Number.isFinite(raw) ? raw : undefined)

export const readNames = (raw: unknown): string[] => readList(raw).filter((name): name is string => typeof name === "string")

export const readMap = (raw: unknown): [string, unknown][] => (isRecord(raw) ? Object.entries(raw) : [])

export const readList = (raw: unknown): unknown[] => (Array.isArray(raw) ? raw : [])

/** `too_large`: comparing with it would cost more than the check is worth. */
export function readEnum(raw: unknown): unknown[] | "too_large" | undefined {
  if (!Array.isArray(raw)) return undefined
  return raw.length > enumValuesMax || !isSmall(raw) ? "too_large" : raw
}

/** As a list of one. */
export function readConst(raw: Record<string, unknown>): unknown[] | "too_large" | undefined {
  if (raw["const"] === undefined) return undefined
  return isSmall(raw["const"]) ? [raw["const"]] : "too_large"
}

function isSmall(literal: unknown): boolean {
  const pending: unknown[] = [literal]
  for (let index = 0; index < pending.length; index++) {
    const value = pending[index]
    if (typeof value !== "object" || value === null) continue
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (pending.length + inner.length > literalValuesMax) return false
    for (const one of inner) pending.push(one)
  }
  return true
}
