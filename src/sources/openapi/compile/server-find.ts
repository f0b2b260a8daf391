// Finds the servers that hold for an operation: its own, those of its path, or those of the document.
import type { CompileOptions } from "./compile.ts"
import type { Operation } from "./operations.ts"
import type { DocumentFiles, Located } from "../document/resolve.ts"
import { own } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import type { DocumentVersion } from "../document/version.ts"
import type { Warnings } from "../../document-warnings.ts"
import { rootServers, serversAt, swaggerServers } from "./server.ts"
import type { ServerContext } from "./server.ts"

/** The servers nearest to an operation hold; with a `baseUrl` none of the document's does. */
export function serverFinder(
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
