// Registry tools over HTTP: what is edited of them, and where they stand in their lifecycle.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import { toolStatuses } from "../../../../core/registry/tool.ts"
import type { RegistryToolCreate, RegistryToolUpdate } from "../../../../core/registry/tool.ts"
import type { Route } from "../route.ts"
import { defineRoute } from "../route.ts"
import { pageFields, pageOf } from "../shared-schema.ts"
import { lifecycleRoutes } from "./lifecycle.ts"
import { registryExport, registryImportResult, registryInput, registryTool, toolExample } from "./schema.ts"

const createExample = {
  name: "Weather",
  description: "The weather of a city",
  schema: toolExample.schema,
  implementationType: "http",
  implementationConfig: { method: "GET", url: "https://api.example.com/weather/{city}" },
}

export function registryRoutes(limits: Limits): Route[] {
  const input = registryInput(limits)
  const bytesMax = limits.argsBytesMax
  const one = { tag: "registry", path: "/tools/{id}", params: z.strictObject({ id: input.id }) } as const
  const shown = (status: 200 | 201, description: string) => ({ status, description, schema: registryTool, example: toolExample })

  return [
    defineRoute({
      id: "registry.create",
      tag: "registry",
      method: "post",
      path: "/tools",
      summary: "Make a tool",
      description: "A draft, which only debug mode calls until it is published. For humans with `registry.write`.",
      errors: ["forbidden", "conflict", "payload_too_large", "unknown_implementation_type"],
      body: { schema: input.create, bytesMax, spellings: "both", examples: { http: createExample } },
      answer: shown(201, "The draft."),
      handle: ({ body }, api) => api.registry.create(body as RegistryToolCreate), // what it cannot be is refused there, field by field
    }),
    defineRoute({
      id: "registry.builtins",
      tag: "registry",
      method: "get",
      path: "/tools/builtins/templates",
      summary: "List built-ins",
      description: "The global built-ins, which come with the server.",
      errors: [],
      answer: {
        status: 200,
        description: "All of them.",
        schema: z.object({ items: z.array(registryTool) }).meta({ id: "BuiltinTools" }),
        example: { items: [] },
      },
      handle: async (_, api) => ({ items: await api.registry.builtins() }),
    }),
    defineRoute({
      id: "registry.list",
      tag: "registry",
      method: "get",
      path: "/registry",
      summary: "List registry tools",
      description:
        "By slug. Humans with `registry.write` or `registry.publish` see every status and the working copies, everybody else what production resolves.",
      errors: ["not_found"],
      query: z.strictObject({
        status: z.enum(toolStatuses).exactOptional(),
        implementationType: z.string().max(limits.nameCharsMax).exactOptional(),
        query: z
          .string()
          .max(limits.nameCharsMax)
          .exactOptional()
          .meta({ description: "Text to find in name, slug or description, ignoring case." }),
        slug: z
          .string()
          .max(limits.nameCharsMax)
          .exactOptional()
          .meta({ description: "Only the tool of this slug; 404 where there is none." }),
        ...pageFields(limits),
      }),
      answer: {
        status: 200,
        description: "One page of tools.",
        schema: pageOf("RegistryToolPage", registryTool),
        example: { items: [toolExample], nextCursor: null },
      },
      handle: async ({ query: { slug, limit, cursor, ...filter } }, api) =>
        slug === undefined
          ? api.registry.list(filter, { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) })
          : { items: [await api.registry.find(slug)], nextCursor: null },
    }),
    defineRoute({
      id: "registry.export",
      tag: "registry",
      method: "get",
      path: "/registry/export",
      summary: "Export the registry",
      description: "All tools and artifacts in the format that an import reads, without secrets. For humans with `registry.write`.",
      errors: ["forbidden"],
      answer: {
        status: 200,
        description: "The file.",
        schema: registryExport,
        example: { format: "executor.registry/1", tools: [], artifacts: [] },
      },
      handle: (_, api) => api.registry.export(),
    }),
    defineRoute({
      id: "registry.import",
      tag: "registry",
      method: "post",
      path: "/registry/import",
      summary: "Import tools",
      description:
        "Adds the tools and artifacts of a file to this tenant. What it leaves out is filled in: the status by `is_active`, the version as 1.0.0, the type by the config. System and global tools are skipped. For admins.",
      errors: ["forbidden", "payload_too_large"],
      body: {
        schema: z.union([z.array(z.unknown()), z.looseObject({ tools: z.array(z.unknown()) })]),
        bytesMax: limits.requestBodyBytesMax,
        examples: {
          one: { tools: [{ name: "Weather", config_schema: { implementation: { method: "GET", url: "https://example.com" } } }] },
        },
      },
      answer: {
        status: 200,
        description: "What became of them.",
        schema: registryImportResult,
        example: { artifacts: [], created: ["weather"], skipped: [], warnings: [] },
      },
      handle: ({ body }, api) => api.registry.import(body),
    }),
    defineRoute({
      ...one,
      id: "registry.get",
      method: "get",
      summary: "Get a registry tool",
      description: "By id. Editors see the working copy, others what production runs.",
      errors: ["not_found"],
      answer: shown(200, "The tool."),
      handle: ({ params }, api) => api.registry.get(params.id),
    }),
    defineRoute({
      ...one,
      id: "registry.update",
      method: "put",
      summary: "Change a registry tool",
      description:
        "Changes only the given fields. Edits of a published tool wait in its working copy until it is published again. `status` goes to `deprecated`, `disabled` and back to `draft`, never to `published`. For humans with `registry.write`; what takes a tool out of production needs `registry.publish`.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large", "unknown_implementation_type"],
      body: {
        schema: input.update,
        bytesMax,
        spellings: "both",
        examples: { deprecate: { status: "deprecated", replacedBy: "forecast" } },
      },
      answer: shown(200, "The tool as it is now."),
      handle: ({ params, body }, api) => api.registry.update(params.id, body as RegistryToolUpdate), // as above
    }),
    defineRoute({
      ...one,
      id: "registry.remove",
      method: "delete",
      summary: "Remove a registry tool",
      description: "Removes a draft. What was ever published is disabled instead, and is the answer.",
      errors: ["forbidden", "not_found"],
      answer: {
        status: 200,
        description: "`tool`: what was disabled; null where it is gone.",
        schema: z.object({ removed: z.boolean(), tool: registryTool.nullable() }).meta({ id: "RegistryToolRemoval" }),
        example: { removed: true, tool: null },
      },
      handle: async ({ params }, api) => {
        const tool = await api.registry.remove(params.id)
        return { removed: tool === null, tool }
      },
    }),
    ...lifecycleRoutes(limits),
  ]
}
