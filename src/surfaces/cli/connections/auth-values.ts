// Gets the values of a credential from where secrets may come from: a hidden prompt, stdin, or a variable's name. Never from argv.
import type { Placement } from "../../../core/auth.ts"
import { readStdin } from "../prompt/input-read.ts"
import { askSecret, askText } from "../prompt/prompt.ts"
import type { Screen } from "../print/screen.ts"
import { UsageError } from "../usage-error.ts"

export type ValueSources = {
  /** `NAME`, or `value=NAME`. */
  readonly env: readonly string[]
  readonly username?: string
  readonly secretStdin: boolean
}

export async function readAuthValues(names: readonly string[], sources: ValueSources, screen: Screen): Promise<Record<string, string>> {
  const values = new Map<string, string>()
  if (sources.username !== undefined) setValue("username", sources.username, names, values)
  const plain: string[] = []
  for (const entry of sources.env) {
    const [name, variable] = entry.includes("=") ? (entry.split("=", 2) as [string, string]) : [null, entry] // two, because it has a `=`
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)) throw new UsageError(`--env takes the name of a variable, not '${entry}'`)
    if (name === null) plain.push(variable)
    else setValue(name, `\${env:${variable}}`, names, values)
  }
  for (const variable of plain) setValue(onlyMissing(names, values), `\${env:${variable}}`, names, values)
  const missing = names.filter((name) => !values.has(name))
  if (sources.secretStdin) for (const [name, value] of await readSecrets(missing)) setValue(name, value, names, values)
  else for (const name of missing) values.set(name, await ask(name, screen))
  return Object.fromEntries(values)
}

function setValue(name: string, value: string, names: readonly string[], values: Map<string, string>): void {
  if (!names.includes(name)) throw new UsageError(`This authentication method takes ${names.join(", ") || "no values"}, not '${name}'`)
  if (value === "") throw new UsageError(`The value of '${name}' is empty`)
  values.set(name, value)
}

function onlyMissing(names: readonly string[], values: ReadonlyMap<string, string>): string {
  const missing = names.filter((name) => !values.has(name))
  const [only] = missing
  if (only !== undefined && missing.length === 1) return only
  throw new UsageError(
    missing.length === 0
      ? "--env was given, but all values are already set"
      : `Specify which value each variable holds, e.g. ${missing.map((name) => `--env ${name}=NAME`).join(" ")}`,
  )
}

/** One value as it is, without the line break behind it; several as a JSON object. */
async function readSecrets(missing: readonly string[]): Promise<[string, string][]> {
  const text = (await readStdin()).replace(/\r?\n$/, "")
  const [only] = missing
  if (only !== undefined && missing.length === 1) return [[only, text]]
  const given = parseObject(text)
  if (missing.length === 0 || given === null)
    throw new UsageError(`stdin must contain a JSON object with ${missing.join(", ") || "no values"}`)
  return missing.map((name) => [name, typeof given[name] === "string" ? given[name] : ""])
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null // an object, as just checked
  } catch {
    return null
  }
}

function ask(name: string, screen: Screen): Promise<string> {
  const flag = name === "username" ? "--username" : "--secret-stdin, or --env NAME"
  return name === "username"
    ? askText({ message: "What is the username?", flag }, screen)
    : askSecret({ message: `What is the ${name}?`, flag }, screen)
}

/** `header:X-Key=${key}`: where a value goes, never the value itself. */
export function parsePlacement(text: string): Placement {
  const [, place, name, value] = /^(header|query|cookie):([^=]+)=(.*)$/.exec(text) ?? []
  if (place === undefined || name === undefined || value === undefined || !value.includes("${"))
    throw new UsageError(
      `--placement says where a value is sent, e.g. 'header:X-Key=\${key}'. Leave out the value itself: you are prompted for it`,
    )
  return { in: place as Placement["in"], name, value } // one of the three that the expression matches
}
