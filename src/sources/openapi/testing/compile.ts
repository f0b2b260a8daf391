// Compiles a document in a test, without thread or network, and reads the result back from its texts.
import { defaultLimits } from "../../../core/limits.ts"
import type { Limits } from "../../../core/limits.ts"
import type { ListedTool } from "../../source-adapter.ts"
import type { OpenApiBinding } from "../binding.ts"
import { compileDocument } from "../compile/compile.ts"
import type { CompiledDocument, CompileOptions } from "../compile/compile.ts"
import { parseText } from "../document/parse.ts"
import { collectWarnings } from "../../document-warnings.ts"

export type Json = { readonly [name: string]: unknown }

export type TestedTool = ListedTool & { readonly input: Json; readonly output: Json | null; readonly bound: OpenApiBinding }

export type TestedDocument = CompiledDocument & {
  readonly names: readonly string[]
  tool(name: string): TestedTool
  definition(name: string): Json
  readonly messages: readonly string[]
}

type TestOptions = Partial<Omit<CompileOptions, "limits">> & { readonly limits?: Partial<Limits> }

export function compileForTest(document: unknown, options: TestOptions = {}): TestedDocument {
  const limits = { ...defaultLimits, ...options.limits }
  const warnings = collectWarnings(limits.warningsMax)
  const root = typeof document === "string" ? parseText(document, limits.documentNodesMax).value : document
  const documentUrl = options.documentUrl === undefined ? "https://api.example.com/openapi.json" : options.documentUrl
  const compiled = compileDocument({ url: documentUrl, isMain: true, root }, new Map(), warnings, {
    baseUrl: null,
    variables: {},
    include: [],
    exclude: [],
    ...options,
    documentUrl,
    limits,
  })
  return {
    ...compiled,
    names: compiled.tools.map((tool) => tool.name),
    messages: compiled.facts.warnings.map(({ location, message }) => `${location}: ${message}`),
    tool(name) {
      const tool = compiled.tools.find((candidate) => candidate.name === name)
      if (!tool) throw new Error(`No tool '${name}' among ${compiled.tools.map((known) => known.name).join(", ")}`)
      const output = tool.outputSchema === null ? null : readJson(tool.outputSchema)
      // The compiler wrote the binding in exactly this type.
      return { ...tool, input: readJson(tool.inputSchema), output, bound: JSON.parse(tool.binding) as OpenApiBinding }
    },
    definition: (name) => readJson(compiled.definitions.get(name) ?? "null"),
  }
}

/** A document of one version around some paths. */
export const openApi = (paths: Json, rest: Json = {}): Json => ({
  openapi: "3.0.3",
  info: { title: "Test", version: "1" },
  servers: [{ url: "https://api.example.com/v1" }],
  paths,
  ...rest,
})

/** One operation that takes a JSON body of the given schema. */
export const withBody = (schema: unknown, rest: Json = {}, required = true): Json =>
  openApi({ "/things": { post: { operationId: "make", requestBody: { required, content: { "application/json": { schema } } } } } }, rest)

const readJson = (text: string): Json => JSON.parse(text) as Json // a schema is an object
