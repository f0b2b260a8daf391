// The versions of a tool over HTTP.
import { z } from "zod"
import { ExecutorError } from "../../../../core/errors.ts"
import { diffKinds } from "../../../../core/registry/diff.ts"
import type { Limits } from "../../../../core/limits.ts"
import { toolChangeKinds } from "../../../../core/registry/tool-version.ts"
import { pageFields, pageOf } from "../shared-schema.ts"
import { defineRoute } from "../route.ts"
import type { Route } from "../route.ts"

const changed = {
  before: z.unknown().exactOptional().meta({ description: "Long values are cut; a secret is `***`." }),
  after: z.unknown().exactOptional(),
}

export const definitionDiff = z
  .object({
    kind: z.enum(diffKinds).meta({
      description:
        "The worst change. `breaking`: a call that was right before may be wrong now. `implementation`: the same calls are right, and may do something else. `widening`: what was right before still is. `text`: only texts differ.",
    }),
    effectChanged: z.boolean(),
    changes: z
      .array(
        z.object({ kind: z.enum(["breaking", "implementation", "widening", "text"]), path: z.string(), message: z.string(), ...changed }),
      )
      .meta({ description: "The worst first." }),
    json: z
      .array(z.object({ op: z.enum(["add", "remove", "replace"]), path: z.string(), ...changed }))
      .meta({ description: "The same as differences of the JSON, by JSON Pointer." }),
    truncated: z.boolean().meta({ description: "There are more changes than are listed; `kind` counts them." }),
  })
  .meta({ id: "DefinitionDiff" })

const toolVersion = z
  .object({
    version: z.string().meta({ description: "Counts the changes of the tool's definition, from `1`." }),
    at: z.string().nullable().meta({ description: "Since when calls use it; null for a tool that comes with Executor." }),
    change: z.enum(toolChangeKinds),
    diff: definitionDiff.nullable().meta({ description: "What differs from the version before; null if there is none to compare with." }),
    callsLast30Days: z.int().meta({ description: "Calls that used this version, among those that you may see in the audit." }),
    callersLast30Days: z.int().meta({ description: "People and tokens that made those calls, each once." }),
  })
  .meta({ id: "ToolVersion" })

const example = {
  items: [
    {
      version: "2",
      at: "2026-11-02T09:00:00.000Z",
      change: "changed" as const,
      diff: {
        kind: "widening" as const,
        effectChanged: false,
        changes: [
          {
            kind: "widening" as const,
            path: "inputSchema.properties.labels",
            message: "The property 'labels' is new",
            after: { type: "array" },
          },
        ],
        json: [{ op: "add" as const, path: "/inputSchema/properties/labels", after: { type: "array" } }],
        truncated: false,
      },
      callsLast30Days: 12,
      callersLast30Days: 3,
    },
    { version: "1", at: "2026-11-01T09:00:00.000Z", change: "added" as const, diff: null, callsLast30Days: 3, callersLast30Days: 1 },
  ],
  nextCursor: null,
}

const pathCharsMax = 256

export const toolVersionsRoute = (limits: Limits): Route =>
  defineRoute({
    id: "tools.versions",
    tag: "tools",
    method: "get",
    path: "/tools/versions",
    summary: "List the versions of a tool",
    description:
      "When a tool's definition changed, what changed, and how many calls used each version. Also for a tool that its source no longer has, by its full address.",
    errors: ["tool_ambiguous", "tool_blocked", "tool_not_found"],
    query: z.strictObject({
      address: z
        .string()
        .min(1)
        .meta({
          description: "The address of the tool. The leading `tools.` is optional.",
          examples: ["tools.github.org.main.issues.create"],
        }),
      ...pageFields(limits),
    }),
    answer: { status: 200, description: "Newest first.", schema: pageOf("ToolVersionPage", toolVersion), example },
    handle: ({ query: { address, ...page } }, api) =>
      api.tools.versions(address, page).catch(async (error: unknown) => {
        // Resolves the tool as a call does, so that an unknown path is refused with suggestions.
        if (error instanceof ExecutorError && error.code === "tool_not_found")
          await api.policies.explain({ address: address.slice(0, pathCharsMax) })
        throw error
      }),
  })

const versionField = (meaning: string) =>
  z
    .string()
    .min(1)
    .max(pathCharsMax)
    .meta({ description: meaning, examples: ["1"] })

export const toolVersionsDiffRoute: Route = defineRoute({
  id: "tools.diffVersions",
  tag: "tools",
  method: "get",
  path: "/tools/versions/diff",
  summary: "Compare versions of a tool",
  description:
    "What differs between two versions of an imported tool, which need not follow each other. For a tool that was made here, `GET /tools/{id}/diff`.",
  errors: ["conflict", "not_found", "tool_ambiguous", "tool_blocked", "tool_not_found"],
  query: z.strictObject({
    address: z.string().min(1).meta({ description: "The address of the tool." }),
    from: versionField("The earlier version, as `GET /tools/versions` names it."),
    to: versionField("The later one."),
  }),
  answer: {
    status: 200,
    description: "The differences, the worst first.",
    schema: definitionDiff,
    example: { kind: "none", effectChanged: false, changes: [], json: [], truncated: false },
  },
  handle: ({ query: { address, ...between } }, api) => api.tools.diffVersions(address, between),
})
