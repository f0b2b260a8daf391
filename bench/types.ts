// Prints the types of every tool of every sample document, holds them against the compiler, and says what that costs.
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { printCatalogTypes } from "../src/typescript/catalog-types.ts"
import { compileErrors, typesAsNamespace } from "../src/typescript/testing/compiler.ts"
import { printToolTypes } from "../src/typescript/tool-types.ts"
import { defaultLimits } from "../src/core/limits.ts"
import type { JsonSchema } from "../src/core/tool.ts"
import { compileDocument } from "../src/sources/openapi/compile/compile.ts"
import type { CompiledDocument } from "../src/sources/openapi/compile/compile.ts"
import { parseText } from "../src/sources/openapi/document/parse.ts"
import { collectWarnings } from "../src/sources/document-warnings.ts"
import { median, peakRssMegabytes, quantile, table } from "./measure.ts"

const corpus = process.env["EXECUTOR_SPEC_CORPUS"] ?? path.join(import.meta.dirname, "../../shared/specs")
const github = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json")
const others = existsSync(corpus) ? readdirSync(corpus).filter((name) => /\.(?:json|ya?ml)$/.test(name)) : []
const documents = [github, ...others.map((name) => path.join(corpus, name))]

type Sample = { readonly file: string; readonly compiled: CompiledDocument }

const samples = documents.flatMap((file): Sample[] => {
  try {
    return [{ file, compiled: compileFile(file) }]
  } catch (error) {
    console.log(`${path.basename(file)} is left out: ${error instanceof Error ? error.message : "it does not compile"}`)
    return []
  }
})

await printAll()
warm("issues.create")
for (const { file, compiled } of samples.toSorted((left, right) => right.compiled.tools.length - left.compiled.tools.length).slice(0, 3))
  await catalogOf(path.basename(file), compiled)
await catalogOf("all documents", ...samples.map(({ compiled }) => compiled))
console.log(`peak RSS ${peakRssMegabytes()} MB`)

function compileFile(file: string): CompiledDocument {
  const root = parseText(readFileSync(file, "utf8"), defaultLimits.documentNodesMax).value
  const options = {
    documentUrl: "https://api.example.com/openapi.json",
    baseUrl: null,
    variables: {},
    include: [],
    exclude: [],
    limits: defaultLimits,
  }
  return compileDocument({ url: options.documentUrl, isMain: true, root }, new Map(), collectWarnings(defaultLimits.warningsMax), options)
}

/** Each tool as `describe.tool` would show it, from the texts that the store keeps. */
async function printAll(): Promise<void> {
  const times: number[] = []
  const sizes: number[] = []
  const files = new Map<string, string>()
  for (const [at, { compiled }] of samples.entries()) {
    let text = "export {}\n"
    for (const [index, tool] of compiled.tools.entries()) {
      const start = performance.now()
      const types = printToolTypes({
        inputSchema: parse(tool.inputSchema),
        outputSchema: tool.outputSchema === null ? null : parse(tool.outputSchema),
        definitions: (name) => parse(compiled.definitions.get(name)),
      })
      times.push(performance.now() - start)
      sizes.push(JSON.stringify(types).length)
      text += typesAsNamespace(`T${index}`, types)
    }
    files.set(`document${at}.ts`, text)
  }
  const errors = await compileErrors(files)
  table(
    ["documents", "tools", "ms p50", "ms p99", "ms max", "chars p50", "chars max", "errors under tsc --strict"],
    [
      [
        String(samples.length),
        String(times.length),
        ...[median(times), quantile(times, 0.99), Math.max(...times)].map((ms) => ms.toFixed(2)),
        String(median(sizes)),
        String(Math.max(...sizes)),
        String(errors.length),
      ],
    ],
  )
  for (const error of errors.slice(0, 10)) console.log(error)
  if (errors.length > 0) process.exitCode = 1
}

/** One tool of GitHub, over and over, as a warm server describes it. */
function warm(name: string): void {
  const compiled = samples[0]?.compiled
  const tool = compiled?.tools.find((candidate) => candidate.name === name)
  if (compiled === undefined || tool === undefined) return
  const definitions = new Map([...compiled.definitions].map(([key, text]) => [key, parse(text)]))
  const input = {
    inputSchema: parse(tool.inputSchema),
    outputSchema: tool.outputSchema === null ? null : parse(tool.outputSchema),
    definitions,
  }
  const times = Array.from({ length: 2000 }, () => {
    const start = performance.now()
    printToolTypes(input)
    return performance.now() - start
  }).slice(500)
  console.log(`${name} of GitHub, warm: p50 ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`)
}

async function catalogOf(title: string, ...documentsOf: CompiledDocument[]): Promise<void> {
  const integrations = documentsOf.map(({ tools, definitions }, index) => ({
    slug: `s${index}`,
    name: title,
    toolSets: [{ connections: [{ owner: "org" as const, connection: "main" }], tools, definitions }],
  }))
  const start = performance.now()
  let text = ""
  for await (const piece of printCatalogTypes(integrations)) text += piece
  const printMs = performance.now() - start
  const errors = await compileErrors(new Map([["tools.d.ts", text]]))
  const compileMs = performance.now() - start - printMs
  const tools = documentsOf.reduce((sum, document) => sum + document.tools.length, 0)
  console.log(
    `declarations of ${title}: ${tools} tools, ${(text.length / 1e6).toFixed(1)} MB in ${printMs.toFixed(0)} ms, compiled in ${compileMs.toFixed(0)} ms with ${errors.length} errors`,
  )
  for (const error of errors.slice(0, 10)) console.log(error)
  if (errors.length > 0) process.exitCode = 1
}

// The compiler wrote these texts, and writes objects.
function parse(text: string): JsonSchema
function parse(text: string | undefined): JsonSchema | undefined
function parse(text: string | undefined): JsonSchema | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as JsonSchema)
}
