// Shows the built-ins as tools of no tenant: they come from code alone.
import type { StaticTool } from "../catalog/static-tool.ts"
import type { RegistryToolView } from "../core/registry/tool.ts"
import { builtinPrefix } from "./config/internal.ts"
import type { RegistryParts } from "./parts.ts"
import { firstVersion } from "./semver.ts"

/** They have no row, and so no time at which somebody made them. */
const always = "1970-01-01T00:00:00.000Z"

export const listBuiltins = ({ staticTools }: Pick<RegistryParts, "staticTools">): RegistryToolView[] =>
  staticTools
    .list()
    .filter(({ fqid }) => fqid.startsWith(builtinPrefix))
    .map(viewBuiltin)

function viewBuiltin({ fqid, title, description, inputSchema, outputSchema }: StaticTool): RegistryToolView {
  const key = fqid.slice(builtinPrefix.length)
  return {
    id: fqid,
    slug: key,
    address: fqid,
    name: title,
    description,
    scope: "global",
    toolType: "built_in",
    implementationType: "internal",
    schema: { input: inputSchema, ...(outputSchema === null ? {} : { output: outputSchema }) },
    configSchema: { implementation: { builtin: key }, execution: {} },
    artifactId: null,
    artifactVersion: null,
    status: "published",
    version: firstVersion,
    isActive: true,
    isSystem: true,
    builtinKey: key,
    replacedBy: null,
    publishedAt: null,
    publishedVersion: firstVersion,
    hasUnpublishedChanges: false,
    createdBy: "",
    createdAt: always,
    updatedAt: always,
  }
}
