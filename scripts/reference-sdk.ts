// Generates the reference of the SDK from the declarations of its methods and their types.
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { operationSummaries } from "./reference-http.ts"

const src = join(import.meta.dirname, "..", "src")
const read = (path: string): string => readFileSync(join(src, path), "utf8")

const coreTexts = readdirSync(join(src, "core"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => read(`core/${file}`))

export type SdkMethod = { readonly name: string; readonly signature: string; readonly comment: string }

export function sdkReference(): string {
  const methods = sdkMethods()
  return [
    "# SDK",
    "",
    "Generated from `src/core/executor-api.ts`. `createExecutor` runs the product in your process; `toolplane/client` offers the same interface over HTTP:",
    "",
    "```ts",
    'import { createExecutor } from "toolplane"',
    'import { createClient } from "toolplane/client"',
    "",
    "const executor = await createExecutor() // acts as the local human; `await executor.close()` ends it",
    'const client = createClient({ origin: "http://127.0.0.1:4788/api", token: "…" })',
    "```",
    "",
    "Failures throw an `ExecutorError` with a `code` from [errors.md](errors.md); a failed tool call is a value: `{ ok: false, error }`.",
    "For `toolplane/plugin`, see [Writing a plugin](../guide/writing-a-plugin.md).",
    "",
    ...declarationBlock("ExecutorOptions", read("preset/local.ts")),
    ...declarationBlock("ClientOptions", read("surfaces/client/client.ts")),
    "## Methods",
    "",
    "| method | returns | |",
    "| --- | --- | --- |",
    ...methods.map((method) => methodRow(method)),
    "",
    "## Types",
    "",
    "The types of the methods above; [http.md](http.md#schemas) explains the fields that are sent over HTTP.",
    "",
    ...typeBlocks(methods),
  ].join("\n")
}

/** Every method of the executor, in the order of its declaration. */
export function sdkMethods(): SdkMethod[] {
  return interfaceBody("ExecutorApi", read("core/executor-api.ts"))
}

function interfaceBody(name: string, text: string): SdkMethod[] {
  const body = new RegExp(`export interface ${name}[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(text)?.[1] ?? ""
  const methods: SdkMethod[] = []
  const path: string[] = []
  let comment = ""
  let pending = ""
  for (const line of body.split("\n").map((one) => one.trim())) {
    const group = /^readonly (\w+): \{$/.exec(line)?.[1]
    const [, own, declared = ""] = /^readonly (\w+): (\w+Api)$/.exec(line) ?? []
    if (pending === "" && group !== undefined) path.push(group)
    else if (pending === "" && own !== undefined) {
      const inner = coreTexts.find((one) => one.includes(`export interface ${declared} `)) ?? ""
      methods.push(...interfaceBody(declared, inner).map((method) => ({ ...method, name: [...path, own, method.name].join(".") })))
      comment = ""
    } else if (pending === "" && line === "}") path.pop()
    else if (pending === "" && line.startsWith("/**")) comment = line.replaceAll(/^\/\*\* | \*\/$/g, "")
    else {
      pending = `${pending} ${line}`.trim()
      if (!isWhole(pending)) continue
      const [, method = "", signature = ""] = /^(\w+)([\s\S]*)$/.exec(pending) ?? []
      methods.push({ name: [...path, method].join("."), signature: signature.replaceAll(/\( | \)|,\)/g, (part) => part.trim()), comment })
      pending = ""
      comment = ""
    }
  }
  return methods
}

/** A signature goes on over lines until its brackets are closed. */
const isWhole = (text: string): boolean =>
  ["()", "{}", "[]"].every(([open = "", close = ""]) => text.split(open).length === text.split(close).length)

function methodRow({ name, signature, comment }: SdkMethod): string {
  const at = signature.lastIndexOf("): ")
  const cell = (text: string): string => `\`${text.replaceAll("|", String.raw`\|`)}\``
  const summary = operationSummaries.get(name)
  const meaning = comment !== "" ? comment : summary === undefined ? "" : `${summary}.`
  return `| ${cell(`${name}${signature.slice(0, at + 1)}`)} | ${cell(signature.slice(at + 3))} | ${meaning} |`
}

function typeBlocks(methods: readonly SdkMethod[]): string[] {
  const find = (name: string): string[] => coreTexts.flatMap((text) => declarationBlock(name, text))
  const named = methods.flatMap(({ signature }) => signature.match(/\b[A-Z]\w+/g) ?? [])
  return [...new Set(named)].toSorted().flatMap(find)
}

/** The declaration with its comment, as it stands in the code; nothing where it is not declared there. */
function declarationBlock(name: string, text: string): string[] {
  const lines = text.split("\n")
  const start = lines.findIndex((line) => new RegExp(`^export (type|interface) ${name}\\b`).test(line))
  if (start === -1) return []
  const length = lines.slice(start + 1).findIndex((line) => line === "" || /^(export|const|type|\/\*\*|\/\/)/.test(line))
  const declared = lines.slice(start, length === -1 ? undefined : start + 1 + length)
  const comment = /^\/\*\*.*\*\/$/.test(lines[start - 1] ?? "") ? [lines[start - 1] ?? ""] : []
  return ["```ts", ...comment, ...declared, "```", ""]
}
