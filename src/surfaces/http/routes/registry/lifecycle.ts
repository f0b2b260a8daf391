// The lifecycle of registry tools over HTTP: publishing, versions, diffs, the way back.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import type { Route } from "../route.ts"
import { defineRoute } from "../route.ts"
import { logs } from "../execution-schema.ts"
import { pageFields, pageOf } from "../shared-schema.ts"
import { registryInput, registryTool, registryToolVersion, toolDiff, toolExample, versionExample } from "./schema.ts"

const testExample = { executionId: "exe_0mh2k3v9x41c", logs: [] }

const toolTest = z
  .object({
    executionId: z.string(),
    logs: logs.meta({ description: "What the tool's code logged." }),
    ok: z.boolean(),
    data: z.unknown().exactOptional().meta({ description: "Only if `ok`." }),
    error: z
      .object({ code: z.string(), message: z.string(), details: z.unknown().exactOptional() })
      .exactOptional()
      .meta({ description: "Only if not `ok`." }),
  })
  .meta({ id: "RegistryToolTest" })

export function lifecycleRoutes(limits: Limits): Route[] {
  const input = registryInput(limits)
  const bytesMax = limits.requestSmallBodyBytesMax
  const one = { tag: "registry", params: z.strictObject({ id: input.id }) } as const
  const shown = { status: 200, description: "The tool as it is now.", schema: registryTool, example: toolExample } as const

  return [
    defineRoute({
      ...one,
      id: "registry.publish",
      method: "post",
      path: "/tools/{id}/publish",
      summary: "Publish a tool",
      description:
        "Checks the whole working copy and makes it what production runs. New content gets a version; content that is published already changes nothing. For humans with `registry.publish`.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large", "unknown_implementation_type"],
      body: {
        schema: z
          .strictObject({ reason: z.string().exactOptional().meta({ description: "Kept with the version." }) })
          .optional()
          .meta({ id: "RegistryPublish" }),
        bytesMax,
        isOptional: true,
        examples: { reason: { reason: "Adds the wind" } },
      },
      answer: shown,
      handle: ({ params, body }, api) => api.registry.publish(params.id, body ?? {}),
    }),
    defineRoute({
      ...one,
      id: "registry.version",
      method: "post",
      path: "/tools/{id}/version",
      summary: "Make a version",
      description: "Writes a snapshot of the working copy. What runs stays what was published. For humans with `registry.write`.",
      errors: ["forbidden", "not_found", "conflict", "unknown_implementation_type"],
      query: z.strictObject({
        newVersion: input.version.meta({
          description: "Three numbers, greater than the current version. Also as `new_version`.",
          examples: ["1.1.0"],
        }),
      }),
      answer: shown,
      handle: ({ params, query }, api) => api.registry.version(params.id, query.newVersion),
    }),
    defineRoute({
      ...one,
      id: "registry.versions",
      method: "get",
      path: "/tools/{id}/versions",
      summary: "List versions",
      description: "Newest first. For humans with `registry.write` or `registry.publish`.",
      errors: ["forbidden", "not_found"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of versions.",
        schema: pageOf("RegistryToolVersionPage", registryToolVersion),
        example: { items: [versionExample], nextCursor: null },
      },
      handle: ({ params, query }, api) => api.registry.versions(params.id, query),
    }),
    defineRoute({
      id: "registry.versionOf",
      tag: "registry",
      method: "get",
      path: "/tools/{id}/versions/{version}",
      params: z.strictObject({ id: input.id, version: input.version }),
      summary: "Get a version",
      description: "One version, as the list shows it.",
      errors: ["forbidden", "not_found"],
      answer: { status: 200, description: "The version.", schema: registryToolVersion, example: versionExample },
      handle: ({ params }, api) => api.registry.versionOf(params.id, params.version),
    }),
    defineRoute({
      ...one,
      id: "registry.diff",
      method: "get",
      path: "/tools/{id}/diff",
      summary: "Compare versions",
      description: "What differs between two versions: first what it means for callers, then as JSON. Secrets are `***`.",
      errors: ["forbidden", "not_found"],
      query: z.strictObject({
        from: input.version
          .exactOptional()
          .meta({ description: "A version, or `working` for the working copy; by default what is published." }),
        to: input.version.exactOptional().meta({ description: "The same; by default the working copy." }),
      }),
      answer: {
        status: 200,
        description: "The differences, the worst first.",
        schema: toolDiff,
        example: { kind: "none", effectChanged: false, changes: [], json: [], truncated: false },
      },
      handle: ({ params, query }, api) => api.registry.diff(params.id, query),
    }),
    defineRoute({
      ...one,
      id: "registry.rollback",
      method: "post",
      path: "/tools/{id}/rollback",
      summary: "Roll a tool back",
      description: "Publishes an earlier snapshot again, as a new patch version. For humans with `registry.publish`.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large", "unknown_implementation_type"],
      body: {
        schema: z.strictObject({ version: input.version }).meta({ id: "RegistryRollback" }),
        bytesMax,
        examples: { first: { version: "1.0.0" } },
      },
      answer: shown,
      handle: ({ params, body }, api) => api.registry.rollback(params.id, body.version),
    }),
    defineRoute({
      ...one,
      id: "registry.test",
      method: "post",
      path: "/tools/{id}/test",
      summary: "Test a tool",
      description:
        "Calls the working copy in debug mode, as an execution that passes the gate like any other. If the call needs approval, the error is `approval_required`, and its details have the approval. For humans with `registry.write`, and for tokens that they made with `debug`.",
      errors: ["forbidden", "not_found", "payload_too_large", "rate_limited"],
      body: {
        schema: z
          .strictObject({ input: z.record(z.string(), z.unknown()).meta({ description: "The arguments of the call." }) })
          .meta({ id: "RegistryToolTestInput" }),
        bytesMax,
        examples: { city: { input: { city: "Oslo" } } },
      },
      answer: {
        status: 200,
        description: "What the call answered.",
        schema: toolTest,
        example: { ...testExample, ok: true, data: { c: 7 } },
      },
      handle: ({ params, body }, api) => api.registry.test(params.id, body.input),
    }),
  ]
}
