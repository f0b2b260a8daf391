// Compiles a parsed document into tools: pure, so that it can run in a thread of its own.
//
// Order: find all operations, name them (over the whole document, so that a selection changes no name), select,
// compile each, then write the definitions that the selected ones need.
import type { ToolName } from "../../core/address.ts"
import type { SourceFacts } from "../../core/integration.ts"
import type { Limits } from "../../core/limits.ts"
import type { JsonText } from "../../core/tool.ts"
import type { ListedTool } from "../source-adapter.ts"
import type { OpenApiBinding } from "./binding.ts"
import { toolFacts } from "./compile-facts.ts"
import { createSelection } from "./compile-filter.ts"
import { compileInput } from "./compile-input.ts"
import { findOperations } from "./compile-operations.ts"
import type { Operation } from "./compile-operations.ts"
import { compileOutput } from "./compile-output.ts"
import type { OperationReader } from "./compile-source.ts"
import { readOpenApi } from "./compile-source-openapi.ts"
import { readSwagger } from "./compile-source-swagger.ts"
import { openFiles } from "./document-resolve.ts"
import type { DocumentFile, DocumentFiles, Located } from "./document-resolve.ts"
import { boundedText, objectAt, own } from "./document-value.ts"
import type { JsonObject } from "./document-value.ts"
import { versionOf } from "./document-version.ts"
import type { DocumentVersion } from "./document-version.ts"
import type { Warnings } from "./document-warnings.ts"
import { nameOperations } from "./name.ts"
import { emitDefinitions } from "./schema-definitions.ts"
import { createEmitter } from "./schema-emit.ts"
import type { SchemaEmitter } from "./schema-emit.ts"
import { nameDefinitions } from "./schema-name.ts"
import { authOptions } from "./security.ts"
import { rootServers, serversAt, swaggerServers } from "./server.ts"
import type { ServerContext } from "./server.ts"

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
}

type CompiledOperation = { readonly tool: ListedTool; readonly refs: readonly string[]; readonly servers: readonly string[] }

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
  const operations = findOperations(files, warnings)
  const selected = selectOperations(operations, options, warnings)

  const parts: OperationParts = { files, reader, emit, warnings, limits, serversOf: servers.of }
  const compiled = selected.map(({ operation, name }) => compileOperation(operation, name, parts)).filter((result) => result !== null)
  const required = new Set(compiled.flatMap(({ refs }) => refs))
  const texts = emitDefinitions(required, { emit, definitions, warnings })
  const tools = compiled.map(({ tool }) => tool)
  const called = compiled.length === 0 ? servers.root : compiled.flatMap((result) => result.servers)
  const urls = options.baseUrl === null ? called : [options.baseUrl]
  const auth = authOptions(operations, version === "2.0" ? ["securityDefinitions"] : ["components", "securitySchemes"], parts)
  return {
    facts: { ...documentFacts(root, limits), origins: originsOf(urls), auth, warnings: warnings.list(), toolCount: tools.length },
    tools,
    definitions: texts,
  }
}

type Selected = { readonly operation: Operation; readonly name: ToolName }

function selectOperations(operations: readonly Operation[], options: CompileOptions, warnings: Warnings): Selected[] {
  const names = nameOperations(
    operations.map(({ method, path, operationId, tags }) => ({ method, path, operationId, firstTag: tags[0] ?? null })),
  )
  const selection = createSelection(options.include, options.exclude)
  const selected = operations.flatMap((operation, index): Selected[] => {
    const name = names[index]
    return name !== undefined && selection.isSelected({ name, path: operation.path, tags: operation.tags }) ? [{ operation, name }] : []
  })
  for (const pattern of selection.unused()) warnings.add("#/paths", `The pattern '${pattern}' selects no operation`)
  const countMax = options.limits.toolsPerConnectionMax
  if (selected.length <= countMax) return selected
  warnings.add("#/paths", `The document has ${selected.length} operations; the first ${countMax} by name are kept. Use 'include' to choose`)
  return selected.toSorted((left, right) => (left.name < right.name ? -1 : 1)).slice(0, countMax)
}

function compileOperation(operation: Operation, name: ToolName, parts: OperationParts): CompiledOperation | null {
  const { files, reader, emit, warnings, limits } = parts
  const body = reader.body(operation)
  if (body !== null && "defect" in body) {
    warnings.add(body.at, `${body.defect}; the operation is left out`)
    return null
  }
  const input = compileInput(operation, reader.parameters(operation), body, {
    files,
    emit,
    warnings,
    limits,
    refSiblings: reader.refSiblings,
  })
  const output = compileOutput(operation.method, reader.responses(operation), { files, emit })
  const servers = parts.serversOf(operation)
  const { method, path } = operation
  const binding: OpenApiBinding = { method, path, servers, parameters: input.parameters, body: input.body, accept: output.accept }
  const tool: ListedTool = {
    ...toolFacts(operation, name, limits),
    inputSchema: JSON.stringify(input.schema),
    outputSchema: output.schema === null ? null : JSON.stringify(output.schema),
    binding: JSON.stringify(binding),
  }
  return { tool, refs: [...input.refs, ...output.refs], servers }
}

/** The servers nearest to an operation hold; with a `baseUrl` none of the document's does. */
function serverFinder(
  version: DocumentVersion,
  root: JsonObject,
  files: DocumentFiles,
  options: CompileOptions,
  warnings: Warnings,
): { readonly root: readonly string[]; readonly of: (operation: Operation) => readonly string[] } {
  if (options.baseUrl !== null) return { root: [], of: () => [] }
  const context: ServerContext = { documentUrl: options.documentUrl, variables: options.variables, warnings }
  const at: Located = { value: root, file: files.main, pointer: "" }
  const common = version === "2.0" ? swaggerServers(root, context) : rootServers(at, context)
  return {
    root: common,
    of(operation) {
      if (version === "2.0") {
        const schemes = own(operation.value, "schemes")
        return schemes === undefined ? common : swaggerServers({ ...root, schemes }, context)
      }
      for (const owner of [operation.at, ...operation.pathItems]) {
        const servers = serversAt(owner, context)
        if (servers !== null) return servers
      }
      return common
    },
  }
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
