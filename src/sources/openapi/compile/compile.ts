// Compiles a parsed document into tools: pure, so that it can run in a thread of its own.
//
// Order: find all operations, name them (over the whole document, so that a selection changes no name), select,
// compile each, then write the definitions that the selected ones need.
import type { ToolName } from "../../../core/address.ts"
import type { SourceFacts } from "../../../core/integration.ts"
import type { Limits } from "../../../core/limits.ts"
import type { JsonText } from "../../../core/tool.ts"
import type { ListedTool } from "../../source-adapter.ts"
import type { OpenApiBinding } from "../binding.ts"
import { toolFacts } from "./facts.ts"
import { createSelection } from "./filter.ts"
import { compileInput, unsendableName } from "./input.ts"
import { findOperations } from "./operations.ts"
import type { Operation } from "./operations.ts"
import { compileOutput } from "./output.ts"
import type { OperationReader } from "./source.ts"
import { readOpenApi } from "./source-openapi.ts"
import { readSwagger } from "./source-swagger.ts"
import { locationOf, openFiles } from "../document/resolve.ts"
import type { DocumentFile, DocumentFiles } from "../document/resolve.ts"
import { boundedText, objectAt, own } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import { versionOf } from "../document/version.ts"
import type { Warnings } from "../../document-warnings.ts"
import { nameOperations } from "./name.ts"
import { emitDefinitions } from "./schema/definitions.ts"
import { createEmitter } from "./schema/emit.ts"
import type { SchemaEmitter } from "./schema/emit.ts"
import { nameDefinitions } from "./schema/name.ts"
import { anonymousFinder, authOptions } from "./security.ts"
import { serverFinder } from "./server-find.ts"

export type CompileOptions = {
  readonly documentUrl: string | null
  readonly baseUrl: string | null
  readonly variables: Readonly<Record<string, string>>
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly limits: Limits
}

export type CompiledDocument = {
  readonly facts: SourceFacts
  readonly tools: readonly ListedTool[]
  readonly definitions: ReadonlyMap<string, JsonText>
}

/** What compiling one operation needs of the document around it. */
type OperationParts = {
  readonly files: DocumentFiles
  readonly reader: OperationReader
  readonly emit: SchemaEmitter
  readonly warnings: Warnings
  readonly limits: Limits
  readonly serversOf: (operation: Operation) => readonly string[]
  readonly isAnonymous: (operation: Operation) => boolean
}

type CompiledOperation = { readonly tool: ListedTool; readonly refs: readonly string[]; readonly servers: readonly string[] }

/** So many more operations than tools are read, for `include` to choose from. */
const operationsFactorMax = 4

/** Throws an `ExecutorError` for what is no OpenAPI document; everything else that is wrong becomes a warning. */
export function compileDocument(
  main: DocumentFile,
  others: ReadonlyMap<string, DocumentFile>,
  warnings: Warnings,
  options: CompileOptions,
): CompiledDocument {
  const { version, root } = versionOf(main.root)
  const { limits } = options
  const files = openFiles(main, others)
  const reader = version === "2.0" ? readSwagger(files, warnings) : readOpenApi(version, files, warnings)
  const definitions = nameDefinitions(reader.schemaHome, main)
  const emit = createEmitter({ files, definitions, warnings, limits, refSiblings: reader.refSiblings })
  const servers = serverFinder(version, root, files, options, warnings)
  const operations = findOperations(files, operationsFactorMax * limits.toolsPerConnectionMax, warnings)
  const selected = selectOperations(operations, options, warnings)

  const schemesAt = version === "2.0" ? ["securityDefinitions"] : ["components", "securitySchemes"]
  const isAnonymous = anonymousFinder(schemesAt, { files })
  const parts: OperationParts = { files, reader, emit, warnings, limits, serversOf: servers.of, isAnonymous }
  const compiled = withinBytes(selected, parts)
  const required = new Set(compiled.flatMap(({ refs }) => refs))
  const texts = emitDefinitions(required, { emit, definitions, warnings })
  const tools = compiled.map(({ tool }) => tool)
  const called = compiled.length === 0 ? servers.root : compiled.flatMap((result) => result.servers)
  const urls = options.baseUrl === null ? called : [options.baseUrl]
  const auth = authOptions(operations, schemesAt, parts)
  warnOfUselessness(operations.length, selected.length, urls, warnings)
  return {
    facts: { ...documentFacts(root, limits), origins: originsOf(urls), auth, warnings: warnings.list(), toolCount: tools.length },
    tools,
    definitions: texts,
  }
}

function warnOfUselessness(operationCount: number, selectedCount: number, urls: readonly string[], warnings: Warnings): void {
  if (operationCount === 0) return warnings.lead("#/paths", "The document describes no operations, so it has no tools")
  if (selectedCount === 0)
    return warnings.lead(
      "config.include",
      `include and exclude leave none of the document's ${operationCount} operations, so there are no tools`,
    )
  // A server that cannot be used has been told of.
  if (urls.length === 0 && !warnings.list().some(({ location }) => /^#\/(?:servers|host)/.test(location)))
    warnings.lead("#/servers", "The document names no server, so its tools cannot be called: set baseUrl in the config")
}

type Selected = { readonly operation: Operation; readonly name: ToolName }

function selectOperations(operations: readonly Operation[], options: CompileOptions, warnings: Warnings): Selected[] {
  const names = nameOperations(
    operations.map(({ method, path, operationId, tags }) => ({ method, path, operationId, firstTag: tags[0] ?? null })),
  )
  warnOfRepeatedIds(operations, names, warnings)
  const selection = createSelection(options.include, options.exclude)
  const selected = operations.flatMap((operation, index): Selected[] => {
    const name = names[index]
    const { path, operationId, tags } = operation
    return name !== undefined && selection.isSelected({ name, path, operationId, tags }) ? [{ operation, name }] : []
  })
  for (const pattern of selection.unused()) warnings.add("#/paths", `The pattern '${pattern}' selects no operation`)
  const countMax = options.limits.toolsPerConnectionMax
  if (selected.length <= countMax) return selected
  warnings.add("#/paths", `The document has ${selected.length} operations; the first ${countMax} by name are kept. Use 'include' to choose`)
  return selected.toSorted((left, right) => (left.name < right.name ? -1 : 1)).slice(0, countMax)
}

function warnOfRepeatedIds(operations: readonly Operation[], names: readonly ToolName[], warnings: Warnings): void {
  const counts = new Map<string, number>()
  for (const { operationId } of operations) if (operationId !== null) counts.set(operationId, (counts.get(operationId) ?? 0) + 1)
  for (const [index, { operationId, at }] of operations.entries()) {
    if (operationId === null || (counts.get(operationId) ?? 0) < 2) continue
    warnings.add(locationOf(at), `The operationId '${operationId}' occurs more than once; this tool is named '${names[index]}'`)
  }
}

/** A document can say a long thing once and let every operation repeat it. */
const outputFactorMax = 2
/** The schemas of one tool are read whenever it is described or called. */
const toolCharsMax = 4_000_000

function withinBytes(selected: readonly Selected[], parts: OperationParts): CompiledOperation[] {
  const compiled: CompiledOperation[] = []
  let charsLeft = outputFactorMax * parts.limits.documentBytesMax
  for (const { operation, name } of selected) {
    const result = compileOperation(operation, name, parts)
    if (result === null) continue
    const length = textLength(result.tool)
    if (length > toolCharsMax) {
      parts.warnings.add(
        locationOf(operation.at),
        `The operation's description takes more than ${toolCharsMax} characters; it was left out`,
      )
      continue
    }
    charsLeft -= length
    if (charsLeft < 0) {
      parts.warnings.add(
        locationOf(operation.at),
        "The tools are far larger than the document; this operation and those after it were left out",
      )
      break
    }
    compiled.push(result)
  }
  return compiled
}

const textLength = (tool: ListedTool): number =>
  tool.description.length + tool.summary.length + tool.inputSchema.length + (tool.outputSchema?.length ?? 0) + tool.binding.length

function compileOperation(operation: Operation, name: ToolName, parts: OperationParts): CompiledOperation | null {
  const { files, reader, emit, warnings, limits } = parts
  const body = reader.body(operation)
  if (body !== null && "defect" in body) {
    warnings.add(body.at, `${body.defect}; the operation is left out`)
    return null
  }
  const declared = reader.parameters(operation)
  const unsendable = unsendableName(declared)
  if (unsendable !== null) {
    warnings.add(locationOf(operation.at), `'${unsendable}' is not the name of a header, and is required; the operation is left out`)
    return null
  }
  const input = compileInput(operation, declared, body, {
    files,
    emit,
    warnings,
    limits,
    refSiblings: reader.refSiblings,
  })
  const output = compileOutput(operation.method, reader.responses(operation), { files, emit })
  const servers = parts.serversOf(operation)
  const { method, path } = operation
  const binding: OpenApiBinding = {
    method,
    path,
    servers,
    parameters: input.parameters,
    body: input.body,
    accept: output.accept,
    ...(parts.isAnonymous(operation) ? { anonymous: true } : {}),
  }
  const tool: ListedTool = {
    ...toolFacts(operation, name, limits),
    inputSchema: JSON.stringify(input.schema),
    outputSchema: output.schema === null ? null : JSON.stringify(output.schema),
    binding: JSON.stringify(binding),
  }
  return { tool, refs: [...input.refs, ...output.refs], servers }
}

function documentFacts(root: JsonObject, limits: Limits): Pick<SourceFacts, "title" | "version" | "description"> {
  const info = objectAt(root, "info") ?? {}
  const version = own(info, "version")
  return {
    title: boundedText(own(info, "title"), limits.nameCharsMax),
    version: boundedText(typeof version === "number" ? String(version) : version, limits.nameCharsMax),
    description: boundedText(own(info, "description"), limits.descriptionCharsMax),
  }
}

const originsOf = (urls: readonly string[]): string[] => [...new Set(urls.map((url) => new URL(url).origin))]
