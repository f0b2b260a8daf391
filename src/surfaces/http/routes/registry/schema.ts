// The schemas of the registry over HTTP.
import { z } from "zod"
import { diffKinds } from "../../../../core/registry/diff.ts"
import type { Limits } from "../../../../core/limits.ts"
import { toolStatuses } from "../../../../core/registry/tool.ts"
import type { RegistryToolView, ToolVersionView } from "../../../../core/registry/tool.ts"
import { timestamp } from "../shared-schema.ts"

const json = z.record(z.string(), z.unknown())

const schemas = z
  .object({ input: json, output: json.exactOptional() })
  .meta({ id: "RegistryToolSchemas", description: "JSON Schemas of the arguments and of the answer." })

const configSchema = z
  .object({ implementation: json, execution: json })
  .meta({ id: "RegistryToolConfig", description: "How the tool is performed. Secret values are shown as `***`." })

const definition = {
  name: z.string(),
  description: z.string(),
  schema: schemas,
  configSchema,
  implementationType: z.string().meta({ description: "An unknown one can only come from an import." }),
  artifactId: z.string().nullable(),
  artifactVersion: z.string().nullable(),
}

export const registryTool = z
  .object({
    id: z.string(),
    slug: z.string(),
    address: z.string(),
    ...definition,
    scope: z.enum(["tenant", "global"]),
    toolType: z.string().meta({ description: "`built_in`, `mcp`, `artifact` or `custom`; derived from the other fields." }),
    status: z.enum(toolStatuses),
    version: z.string().meta({ description: "The latest version, or the one that the first publish will have." }),
    isActive: z.boolean().meta({ description: "`false` blocks the tool in every mode." }),
    isSystem: z.boolean(),
    builtinKey: z.string().nullable(),
    replacedBy: z.string().nullable().meta({ description: "The slug of the tool to use instead." }),
    publishedAt: timestamp.nullable(),
    publishedVersion: z.string().nullable().meta({ description: "The version that production runs." }),
    hasUnpublishedChanges: z.boolean().meta({ description: "The working copy differs from what production runs." }),
    createdBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "RegistryTool" })

export const registryToolVersion = z
  .object({
    version: z.string(),
    schemaSnapshot: z
      .object({ ...definition, name: definition.name.exactOptional() })
      .partial()
      .required({ schema: true, configSchema: true, implementationType: true }),
    by: z.string(),
    at: timestamp,
    reason: z.string().nullable(),
    isPublished: z.boolean().meta({ description: "It is what production runs." }),
  })
  .meta({ id: "RegistryToolVersion" })

export const toolDiff = z
  .object({
    kind: z.enum(diffKinds).meta({ description: "The worst of the changes." }),
    effectChanged: z.boolean(),
    changes: z.array(
      z.object({
        kind: z.enum(["breaking", "implementation", "widening", "text"]),
        path: z.string(),
        message: z.string(),
        before: z.unknown().exactOptional(),
        after: z.unknown().exactOptional(),
      }),
    ),
    json: z.array(
      z.object({
        op: z.enum(["add", "remove", "replace"]),
        path: z.string().meta({ description: "A JSON Pointer." }),
        before: z.unknown().exactOptional(),
        after: z.unknown().exactOptional(),
      }),
    ),
    truncated: z.boolean().meta({ description: "There are more changes than are listed." }),
  })
  .meta({ id: "RegistryToolDiff" })

const exportedArtifact = z
  .object({
    slug: z.string(),
    name: z.string(),
    versions: z.array(
      z.object({
        version: z.string(),
        inputs: z.array(z.object({ name: z.string(), type: z.string(), required: z.boolean(), default: z.unknown().exactOptional() })),
        code: z.string(),
      }),
    ),
  })
  .meta({ id: "ExportedArtifact", description: "With the versions that the tools use, and the latest one; the oldest first." })

export const registryExport = z
  .object({ format: z.literal("executor.registry/1"), tools: z.array(json), artifacts: z.array(exportedArtifact) })
  .meta({ id: "RegistryExport", description: "Tools in the names of their table. Secrets are left out." })

export const registryImportResult = z
  .object({ artifacts: z.array(z.string()), created: z.array(z.string()), skipped: z.array(z.string()), warnings: z.array(z.string()) })
  .meta({ id: "RegistryImportResult" })

export const registryInput = (limits: Limits) => {
  const text = z.string().max(limits.descriptionCharsMax)
  const fields = {
    name: text,
    slug: text,
    description: text,
    schema: z.object({ input: json, output: json.nullable().exactOptional() }).loose(),
    implementationType: text,
    implementationConfig: json.meta({ description: "What it takes follows from the type. `***` keeps a stored secret." }),
    executionConfig: json.meta({ description: "`is_pure`, `concurrency_group`, `max_concurrency`, `timeout_s`." }),
    artifactId: text,
    artifactVersion: text,
    scope: text.meta({ description: "Only `tenant`." }),
    status: text,
  }
  return {
    id: z.string().min(1).max(limits.nameCharsMax),
    version: z.string().min(1).max(limits.nameCharsMax),
    create: z
      .strictObject({
        ...fields,
        slug: fields.slug.exactOptional(),
        schema: fields.schema
          .exactOptional()
          .meta({ description: "By default what the artifact or the built-in takes; other types need it." }),
        implementationType: fields.implementationType.exactOptional(),
        implementationConfig: fields.implementationConfig.exactOptional(),
        executionConfig: fields.executionConfig.exactOptional(),
        artifactId: fields.artifactId.exactOptional(),
        artifactVersion: fields.artifactVersion.exactOptional(),
        scope: fields.scope.exactOptional(),
        status: fields.status.exactOptional(),
      })
      .meta({ id: "RegistryToolCreate" }),
    update: z
      .strictObject({
        ...fields,
        artifactId: fields.artifactId.nullable(),
        artifactVersion: fields.artifactVersion.nullable(),
        isActive: z.boolean(),
        replacedBy: text.nullable(),
        isSystem: z.unknown().meta({ description: "Refused: built-ins come with the server." }),
        builtinKey: z.unknown().meta({ description: "Refused, as above." }),
      })
      .partial()
      .meta({ id: "RegistryToolUpdate" }),
  }
}

export const toolExample: RegistryToolView = {
  id: "tool_0mw8x2c1a000f00d",
  slug: "weather",
  address: "tools.registry.org.main.weather",
  name: "Weather",
  description: "The weather of a city",
  schema: { input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
  configSchema: {
    implementation: { method: "GET", url: "https://api.example.com/weather/{city}", headers: { "x-api-key": "***" } },
    execution: {},
  },
  implementationType: "http",
  artifactId: null,
  artifactVersion: null,
  scope: "tenant",
  toolType: "custom",
  status: "published",
  version: "1.0.1",
  isActive: true,
  isSystem: false,
  builtinKey: null,
  replacedBy: null,
  publishedAt: "2026-11-18T09:30:00.000Z",
  publishedVersion: "1.0.1",
  hasUnpublishedChanges: false,
  createdBy: "anna",
  createdAt: "2026-11-18T09:00:00.000Z",
  updatedAt: "2026-11-18T09:30:00.000Z",
}

export const versionExample: ToolVersionView = {
  version: "1.0.1",
  schemaSnapshot: {
    schema: toolExample.schema,
    configSchema: toolExample.configSchema,
    implementationType: "http",
  },
  by: "anna",
  at: "2026-11-18T09:30:00.000Z",
  reason: null,
  isPublished: true,
}
