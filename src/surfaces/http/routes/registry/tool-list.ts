// The list of tools over HTTP, with its summary.
import { z } from "zod"
import { owners } from "../../../../core/address.ts"
import type { UnreadyConnection } from "../../../../core/connection.ts"
import type { ExecutorApi } from "../../../../core/executor-api.ts"
import type { Limits } from "../../../../core/limits.ts"
import { policyActions } from "../../../../core/policy.ts"
import { toolStatuses } from "../../../../core/registry/tool.ts"
import { TOOL_BUCKETS, TOOL_SUBTYPES } from "../../../../core/tool-types.ts"
import { connectionStatus } from "../connections.ts"
import { pageFields, pageOf, timestamp } from "../shared-schema.ts"
import type { Route } from "../route.ts"
import { defineRoute } from "../route.ts"

const bucketIds = TOOL_BUCKETS.map(({ id }) => id)
const subtypeIds = TOOL_SUBTYPES.map(({ id }) => `\`${id}\``).join(", ")

const record = z.record(z.string(), z.unknown())
const registryFields = {
  configSchema: z
    .object({ implementation: record, execution: record })
    .exactOptional()
    .meta({ description: "Of a tool that was made here, as the fields below. Secrets read as `***`." }),
  id: z.string().exactOptional(),
  slug: z.string().exactOptional(),
  scope: z.enum(["tenant", "global"]).exactOptional(),
  isActive: z.boolean().exactOptional(),
  isSystem: z.boolean().exactOptional(),
  builtinKey: z.string().nullable().exactOptional(),
  artifactId: z.string().nullable().exactOptional(),
  artifactVersion: z.string().nullable().exactOptional(),
  publishedAt: timestamp.nullable().exactOptional(),
  hasUnpublishedChanges: z.boolean().exactOptional(),
}

const tool = z
  .object({
    address: z.string().meta({ description: "`tools.<integration>.<owner>.<connection>.<tool>`, or the fqid of a static tool." }),
    owner: z.enum(owners),
    integration: z.string(),
    connection: z.string(),
    name: z.string().meta({ description: "The part of the address after the connection." }),
    title: z.string(),
    pluginId: z.string().meta({ description: "The source kind, or the plugin that provides the tool." }),
    description: z.string(),
    static: z.boolean(),
    policy: z.enum(policyActions).meta({ description: "What the policies decide about a call." }),
    changed: z
      .literal(true)
      .exactOptional()
      .meta({ description: "The tool differs from the version that a human accepted when connecting its source." }),
    effect: z.enum(["read", "write", "destroy"]).exactOptional().meta({
      description: "Only with `includeAnnotations`: what its calls do at most; those of some tools do less, by their arguments.",
    }),
    mayElicit: z.boolean().exactOptional().meta({ description: "Only with `includeAnnotations`." }),
    requiresApproval: z
      .boolean()
      .exactOptional()
      .meta({ description: "Only with `includeAnnotations`: whether the source itself asks for approval." }),
    approvalDescription: z.string().nullable().exactOptional().meta({ description: "Only with `includeAnnotations`." }),
    toolType: z.enum(bucketIds).meta({ description: "Derived from where the tool comes from and how it is performed." }),
    implementationType: z.string().meta({ description: `How it is performed: ${subtypeIds}.` }),
    status: z.enum(toolStatuses).meta({ description: "`published` for tools that were not made here." }),
    version: z.string().meta({ description: "Of an imported tool a number that counts the changes of its definition." }),
    ...registryFields,
  })
  .meta({ id: "Tool" })

export const toolExample = {
  address: "tools.github.org.main.issues.create",
  owner: "org",
  integration: "github",
  connection: "main",
  name: "issues.create",
  title: "Create an issue",
  pluginId: "openapi",
  description: "Create an issue in a repository.",
  static: false,
  policy: "require_approval",
  toolType: "custom",
  implementationType: "http",
  status: "published",
  version: "1",
} as const

export const unreadyConnection = z
  .object({ address: z.string(), status: connectionStatus, error: z.string().nullable() })
  .meta({ id: "UnreadyConnection" })

async function unreadyOf(integration: string, api: ExecutorApi): Promise<UnreadyConnection[]> {
  const { items } = await api.connections.list({ integration })
  return items.filter(({ status }) => status !== "ready").map(({ address, status, error }) => ({ address, status, error }))
}

const counts = <Name extends string>(names: readonly Name[]) => z.record(z.enum(names), z.int())

const summary = z
  .object({
    total: z.int(),
    buckets: counts(bucketIds),
    subtypes: z.record(z.string(), z.int()).meta({ description: `By implementation type: ${subtypeIds}.` }),
    statuses: counts(toolStatuses),
  })
  .meta({ id: "ToolSummary" })

const summaryExample = {
  total: 3,
  buckets: { built_in: 1, mcp: 0, artifact: 0, custom: 2 },
  subtypes: { internal: 1, http: 2, rag_retrieval: 0, agent_call: 0, function: 0, custom: 0, artifact: 0, mcp: 0 },
  statuses: { draft: 1, published: 2, deprecated: 0, disabled: 0 },
}

export function toolListRoutes(limits: Limits): Route[] {
  const filterFields = {
    integration: z.string().exactOptional().meta({ description: "Only tools of this integration." }),
    owner: z.enum(owners).exactOptional().meta({ description: "Only tools of connections of this owner." }),
    connection: z.string().exactOptional().meta({ description: "Only tools of connections with this name." }),
    query: z.string().exactOptional().meta({ description: "Text to find in the name or description, ignoring case." }),
    status: z.enum(toolStatuses).exactOptional().meta({
      description: "Only tools of this status. Drafts and disabled tools are for humans with the right `registry.write`.",
    }),
    implementationType: z
      .string()
      .exactOptional()
      .meta({ description: `Only tools of this implementation type: ${subtypeIds}.` }),
    toolType: z.enum(bucketIds).exactOptional().meta({ description: "Only tools of this bucket." }),
    address: z.string().min(1).exactOptional().meta({
      description: "Only the tool of this address. A short one, such as `github.issues.create`, may be that of several connections.",
    }),
    includeAnnotations: z.boolean().exactOptional().meta({ description: "Adds what the source says about effects and approval." }),
    includeBlocked: z.boolean().exactOptional().meta({ description: "`false` leaves out tools that a policy blocks.", default: true }),
  }

  return [
    defineRoute({
      id: "tools.list",
      tag: "tools",
      method: "get",
      path: "/tools",
      summary: "List tools",
      description:
        "Metadata of the tools that the acting principal can see: of connections, static ones, and those that were made here. Without `limit`, all of them.",
      errors: [],
      query: z.strictObject({
        ...filterFields,
        skip: z.int().min(0).exactOptional().meta({ description: "Leaves out so many of the first. Not together with `cursor`." }),
        ...pageFields(limits),
      }),
      answer: {
        status: 200,
        description: "Tools by address.",
        schema: pageOf("ToolPage", tool)
          .extend({
            unready: z
              .array(unreadyConnection)
              .exactOptional()
              .meta({ description: "Only with `integration`: its connections whose tools are out of date, and why." }),
          })
          .meta({ id: "ToolPage" }),
        example: { items: [toolExample], nextCursor: null },
      },
      handle: async ({ query: { limit, cursor, skip, ...filter } }, api, signal) => {
        const visible = { includeBlocked: true, ...filter }
        const skipped = skip === undefined ? {} : { skip }
        const page =
          limit === undefined && cursor === undefined
            ? { items: await api.tools.list(visible, { signal, ...skipped }), nextCursor: null }
            : await api.tools.page(visible, {
                ...(limit === undefined ? {} : { limit }),
                ...(cursor === undefined ? {} : { cursor }),
                ...skipped,
              })
        return filter.integration === undefined ? page : { ...page, unready: await unreadyOf(filter.integration, api) }
      },
    }),
    defineRoute({
      id: "tools.summary",
      tag: "tools",
      method: "get",
      path: "/tools/summary",
      summary: "Count tools",
      description: "How many of the tools that `GET /tools` lists there are of each bucket, implementation type and status.",
      errors: [],
      query: z.strictObject(filterFields),
      answer: { status: 200, description: "The counts.", schema: summary, example: summaryExample },
      handle: ({ query }, api) => api.tools.summary({ includeBlocked: true, ...query }),
    }),
  ]
}
