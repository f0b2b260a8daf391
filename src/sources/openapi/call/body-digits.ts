// Sends long integers in a JSON body as numbers: they come as texts of digits, because no number holds them.
import { isLongInteger } from "../../../core/json/long-integer.ts"
import type { JsonText } from "../../../core/tool.ts"
import { isObject, listAt, objectAt, own } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"

type Args = Record<string, unknown>
type Definitions = (names: readonly string[]) => Promise<ReadonlyMap<string, JsonText>>

/** One value may be described from many sides; past these nobody means one by a number alone. */
const sidesMax = 100

// In the language since 2025, and not yet in its declarations.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }

/** The same arguments, but for texts of digits where the schema wants a number and no text. */
export async function withDigits(args: Args, inputSchema: JsonText, definitions: Definitions): Promise<Args> {
  if (!holdsLongInteger(args)) return args
  return (await replaced(args, [JSON.parse(inputSchema)], definitions)) as Args // an object stays one
}

function holdsLongInteger(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isLongInteger(value)
  return Object.values(value).some(holdsLongInteger)
}

async function replaced(value: unknown, schemas: readonly unknown[], definitions: Definitions): Promise<unknown> {
  if (!holdsLongInteger(value)) return value
  const sides = await sidesOf(schemas, definitions)
  if (typeof value === "string") return wantsNumber(sides) ? rawJSON(value) : value
  if (Array.isArray(value)) {
    const items = sides.flatMap((side) => [own(side, "items")])
    return Promise.all(value.map((item) => replaced(item, items, definitions)))
  }
  const entries = Object.entries(value as Args).map(async ([name, member]) => {
    const described = sides.map((side) => own(objectAt(side, "properties") ?? {}, name) ?? own(side, "additionalProperties"))
    return [name, await replaced(member, described, definitions)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** A schema, what it refers to, and its parts that describe the same value. */
async function sidesOf(schemas: readonly unknown[], definitions: Definitions): Promise<JsonObject[]> {
  const sides = schemas.filter(isObject)
  for (let index = 0; index < sides.length && sides.length < sidesMax; index++) {
    const side = sides[index] ?? {}
    const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => listAt(side, keyword))
    const [, name] = /^#\/\$defs\/(.+)$/.exec(String(own(side, "$ref"))) ?? []
    const text = name === undefined ? undefined : (await definitions([name])).get(name)
    sides.push(...[...parts, text === undefined ? null : (JSON.parse(text) as unknown)].filter(isObject).slice(0, sidesMax))
  }
  return sides
}

function wantsNumber(sides: readonly JsonObject[]): boolean {
  const types = new Set(sides.flatMap((side) => [own(side, "type")].flat()))
  return (types.has("integer") || types.has("number")) && !types.has("string")
}
