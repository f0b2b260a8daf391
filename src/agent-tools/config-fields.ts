// Reads the fields of one table of a config file: each of its type, or an error that names it.
import { isRecord } from "../core/json/record.ts"

/** The config of an agent's tools cannot be used; the message says where it is wrong and what is expected. */
export class ToolsConfigError extends Error {
  override readonly name = "ToolsConfigError"
}

export type Table = {
  has(name: string): boolean
  text(name: string): string | undefined
  number(name: string): number | undefined
  flag(name: string): boolean | undefined
  texts(name: string): readonly string[] | undefined
  map(name: string): Readonly<Record<string, string>> | undefined
  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined
  value(name: string): unknown
  names(): readonly string[]
  wrong(message: string): ToolsConfigError
}

/** `place`: what an error begins with. */
export function tableOf(value: unknown, place: string): Table {
  const wrong = (message: string): ToolsConfigError => new ToolsConfigError(`${place}: ${message}`)
  if (!isRecord(value)) throw wrong("it must be a table")
  const get = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined)
  const typed = <T>(name: string, is: (one: unknown) => one is T, expected: string): T | undefined => {
    const one = get(name)
    if (one === undefined || is(one)) return one
    throw wrong(`${name} must be ${expected}`)
  }
  return {
    wrong,
    value: get,
    has: (name) => get(name) !== undefined,
    names: () => Object.keys(value),
    text: (name) => typed(name, isText, "a string"),
    number: (name) => typed(name, isPositive, "a number above 0"),
    flag: (name) => typed(name, (one) => typeof one === "boolean", "true or false"),
    texts: (name) => typed(name, isTexts, "an array of strings"),
    map: (name) => typed(name, isTextMap, "a table of strings"),
    choice<Choice extends string>(name: string, choices: readonly Choice[]) {
      const isChoice = (one: unknown): one is Choice => choices.some((choice) => choice === one)
      return typed(name, isChoice, choices.map((choice) => `"${choice}"`).join(" or "))
    },
  }
}

/** Programs and headers cannot be given a NUL. */
const isText = (one: unknown): one is string => typeof one === "string" && !one.includes("\0")
const isPositive = (one: unknown): one is number => typeof one === "number" && Number.isFinite(one) && one > 0
const isTexts = (one: unknown): one is readonly string[] => Array.isArray(one) && one.every(isText)
const isTextMap = (one: unknown): one is Readonly<Record<string, string>> => isRecord(one) && Object.values(one).every(isText)
