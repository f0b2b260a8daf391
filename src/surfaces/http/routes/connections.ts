// Connections over HTTP.
import { z } from "zod"
import { owners } from "../../../core/address.ts"
import type { Limits } from "../../../core/limits.ts"
import { oauthGrantTypes } from "../../../core/oauth.ts"
import { authTemplate, connectionAuth, placement } from "./auth-schema.ts"
import { pageFields, pageOf, timestamp } from "./shared-schema.ts"
import type { Route } from "./route.ts"
import { defineRoute, noAnswer } from "./route.ts"

export const connectionStatus = z.enum(["ready", "syncing", "needs_credentials", "needs_review", "error"])

const consent = z
  .object({
    grant: z.enum(oauthGrantTypes),
    provider: z.string().meta({ description: "The provider's host." }),
    client: z.string().meta({ description: "The id of the OAuth client here." }),
    scopes: z.array(z.string()).meta({ description: "Asked for; empty: the provider's defaults." }),
    grantedScopes: z.array(z.string()).nullable().meta({ description: "As the provider stated them; null: as asked for." }),
    resource: z.string().nullable(),
    grantedBy: z.string().meta({ description: "The user who consented." }),
    grantedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable().meta({ description: "When the token of now expires; null: the provider did not say." }),
    renewable: z.boolean().meta({ description: "Whether the next token comes without a human." }),
    ended: z.string().nullable().meta({ description: "Why the provider no longer honours it; null while it does." }),
  })
  .meta({ id: "ConnectionConsent" })

export const connectionView = z
  .object({
    address: z.string().meta({ description: "`tools.<integration>.<owner>.<connection>`" }),
    integration: z.string(),
    owner: z.enum(owners),
    name: z.string(),
    auth: z.object({
      template: authTemplate,
      placements: z.array(placement),
      bound: z.array(z.string()).meta({ description: "The names of the bound values." }),
    }),
    status: connectionStatus,
    error: z.string().nullable().meta({ description: "Why the last refresh of its tools failed; the previous tools remain." }),
    origins: z.array(z.string()).meta({ description: "The origins that its credentials may be sent to." }),
    unconfirmedOrigins: z
      .array(z.string())
      .meta({ description: "Origins that its source names since. Nothing is sent there until `confirmOrigins` lists them." }),
    consent: consent.nullable().meta({ description: "Where its tokens come from; null where its credential was bound by hand." }),
    toolCount: z.int(),
    toolsSyncedAt: timestamp.nullable(),
    warnings: z
      .array(z.string())
      .meta({ description: "Why the connection is unusable even though it is set up, such as no operations or no server." }),
    changedTools: z.array(z.string()).meta({
      description: "Tools that differ from the version a human accepted; they require approval until a human accepts them again.",
    }),
    createdAt: timestamp,
  })
  .meta({ id: "Connection" })

const health = z.object({ ok: z.boolean(), status: connectionStatus, message: z.string() }).meta({ id: "ConnectionHealth" })

export const connectionExample = {
  address: "tools.petstore.org.main",
  integration: "petstore",
  owner: "org",
  name: "main",
  auth: { template: "none", placements: [], bound: [] },
  status: "ready",
  error: null,
  origins: ["https://petstore3.swagger.io"],
  unconfirmedOrigins: [],
  consent: null,
  toolCount: 19,
  toolsSyncedAt: "2026-11-16T09:30:00.000Z",
  warnings: [],
  changedTools: [],
  createdAt: "2026-11-16T09:30:00.000Z",
} as const

export function connectionRoutes(limits: Limits): Route[] {
  const name = z.string().min(1).max(limits.nameCharsMax)
  const params = z.strictObject({ owner: z.enum(owners), integration: name, name })
  const bytesMax = limits.requestSmallBodyBytesMax
  const auth = connectionAuth(limits)
  const create = z
    .strictObject({
      integration: z.string(),
      owner: z.enum(owners).exactOptional().meta({ default: "org" }),
      name: z.string().exactOptional().meta({ default: "main" }),
      auth: auth.exactOptional(),
    })
    .meta({ id: "ConnectionCreate" })
  const update = z
    .strictObject({
      auth: auth.exactOptional(),
      confirmOrigins: z
        .array(z.string())
        .exactOptional()
        .meta({ description: "Confirms that credentials may be sent to these origins. Review them first." }),
      acceptTools: z
        .union([z.literal(true), z.array(z.string())])
        .exactOptional()
        .meta({ description: "Accepts the current version of tools that have changed: the listed ones, or all of them." }),
    })
    .meta({ id: "ConnectionUpdate" })
  const shown = (code: 200 | 201, description: string) => ({
    status: code,
    description,
    schema: connectionView,
    example: connectionExample,
  })
  const one = { tag: "connections", path: "/connections/{owner}/{integration}/{name}", params } as const

  return [
    defineRoute({
      id: "connections.list",
      tag: "connections",
      method: "get",
      path: "/connections",
      summary: "List connections",
      description: "The shared connections of the tenant and the acting user's own.",
      errors: [],
      query: z.strictObject({
        integration: z.string().exactOptional().meta({ description: "Only connections of this integration." }),
        owner: z.enum(owners).exactOptional().meta({ description: "Only connections of this owner." }),
        ...pageFields(limits),
      }),
      answer: {
        status: 200,
        description: "Connections by address.",
        schema: pageOf("ConnectionPage", connectionView),
        example: { items: [connectionExample], nextCursor: null },
      },
      handle: ({ query }, api) => api.connections.list(query),
    }),
    defineRoute({
      id: "connections.create",
      tag: "connections",
      method: "post",
      path: "/connections",
      summary: "Connect an integration",
      description: "Binds credentials, confirms the origins they are sent to, and syncs the tools.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large"],
      body: {
        schema: create,
        bytesMax,
        examples: {
          none: { integration: "petstore", auth: { template: "none" } },
          bearer: { integration: "github", owner: "user", auth: { template: "bearer", values: { token: "${env:GITHUB_TOKEN}" } } },
        },
      },
      answer: shown(201, "The connection, with the number of its tools."),
      handle: ({ body }, api) => api.connections.create(body),
    }),
    defineRoute({
      ...one,
      id: "connections.get",
      method: "get",
      summary: "Show a connection",
      description: "One connection. Secrets are listed by name only.",
      errors: ["not_found"],
      answer: shown(200, "The connection."),
      handle: ({ params: key }, api) => api.connections.get(key),
    }),
    defineRoute({
      ...one,
      id: "connections.update",
      method: "patch",
      summary: "Change a connection",
      description: "Binds other credentials, confirms origins, or accepts changed tools.",
      errors: ["forbidden", "not_found", "payload_too_large"],
      body: { schema: update, bytesMax, examples: { rotate: { auth: { template: "bearer", values: { token: "${env:GITHUB_TOKEN}" } } } } },
      answer: shown(200, "The updated connection."),
      handle: ({ params: key, body }, api) => api.connections.update(key, body),
    }),
    defineRoute({
      ...one,
      id: "connections.remove",
      method: "delete",
      summary: "Remove a connection",
      description: "Also removes its credentials and tools.",
      errors: ["forbidden", "not_found"],
      answer: noAnswer("It is gone."),
      handle: async ({ params: key }, api) => api.connections.remove(key).then(() => undefined),
    }),
    defineRoute({
      ...one,
      id: "connections.refresh",
      method: "post",
      path: `${one.path}/refresh`,
      summary: "Refresh a connection",
      description: "Reads the source again and updates the tools. If that fails, the old tools remain and the connection shows the error.",
      errors: ["forbidden", "not_found"],
      answer: shown(200, "The connection after the refresh."),
      handle: ({ params: key }, api) => api.connections.refresh(key),
    }),
    defineRoute({
      ...one,
      id: "connections.health",
      method: "post",
      path: `${one.path}/health`,
      summary: "Check a connection",
      description: "Checks that its credential is available and its source responds.",
      errors: ["not_found"],
      answer: {
        status: 200,
        description: "The state of the connection.",
        schema: health,
        example: { ok: true, status: "ready", message: "Ready" },
      },
      handle: ({ params: key }, api) => api.connections.health(key),
    }),
  ]
}
