// Bearer tokens over HTTP.
import { z } from "zod"
import type { Limits } from "../../../core/limits.ts"
import { elicitationModes } from "../../../core/token.ts"
import { peopleInput } from "./people/schema.ts"
import { pageFields, pageOf, timestamp } from "./shared-schema.ts"
import type { Route } from "./route.ts"
import { defineRoute, noAnswer } from "./route.ts"

const kind = z.enum(["human", "agent"]).meta({ description: "An agent never approves and never administers." })
const elicitation = z
  .array(z.enum(elicitationModes))
  .max(elicitationModes.length)
  .meta({ description: "How a client with this token may ask its user for approval." })

const token = z
  .object({
    id: z.string(),
    name: z.string(),
    kind,
    user: z.string(),
    elicitation,
    createdAt: timestamp,
    patterns: z
      .array(z.string())
      .nullable()
      .meta({ description: "The token sees only those tools of its user that these match; null: all of them." }),
    expiresAt: timestamp.nullable(),
    createdBy: z.string().nullable().meta({ description: "Who made it, if that is not its user." }),
    client: z.string().nullable().meta({ description: "The client that a human gave it to by consent." }),
    debug: z.boolean().meta({ description: "Its agent may run executions in debug mode." }),
  })
  .meta({ id: "Token", description: "A bearer token, without its secret." })

const tokenCreated = z
  .object({ id: z.string(), token: z.string().meta({ description: "The secret. It is shown only once and stored as a hash." }) })
  .meta({ id: "TokenCreated" })

const tokenExample = {
  id: "tok_0mh2k3v9x41c",
  name: "claude on my laptop",
  kind: "agent",
  user: "local",
  elicitation: ["browser"],
  createdAt: "2026-11-16T09:30:00.000Z",
  patterns: null,
  expiresAt: null,
  createdBy: null,
  client: null,
  debug: false,
} as const

export function tokenRoutes(limits: Limits): Route[] {
  const tokenCreate = z
    .strictObject({
      name: z.string().min(1).max(limits.nameCharsMax),
      kind,
      elicitation: elicitation.exactOptional(),
      patterns: peopleInput(limits)
        .patterns.exactOptional()
        .meta({ description: "Narrows an agent's token to the tools that these match, of those that its user sees." }),
      expiresAt: timestamp.exactOptional(),
      user: peopleInput(limits)
        .id.exactOptional()
        .meta({ description: "A service account, for which an admin makes an agent's token. By default the acting user." }),
      debug: z.boolean().exactOptional().meta({
        description:
          "Lets an agent run executions in debug mode, as long as its user has the right `registry.write`, which also the maker needs.",
      }),
    })
    .meta({ id: "TokenCreate" })
  const id = z.string().min(1).max(limits.nameCharsMax)
  const removal = {
    tag: "tokens",
    method: "delete",
    errors: ["forbidden", "not_found"],
    answer: noAnswer("The token is revoked."),
  } as const

  return [
    defineRoute({
      id: "tokens.list",
      tag: "tokens",
      method: "get",
      path: "/tokens",
      summary: "List tokens",
      description: "The tokens of the acting user; for an admin those of everybody. Secrets are not stored and cannot be shown again.",
      errors: ["forbidden"],
      query: z.strictObject({ ...pageFields(limits), ...peopleInput(limits).ofUser }),
      answer: {
        status: 200,
        description: "One page of tokens.",
        schema: pageOf("TokenPage", token),
        example: { items: [tokenExample], nextCursor: null },
      },
      handle: ({ query }, api) => api.tokens.list(query),
    }),
    defineRoute({
      id: "tokens.create",
      tag: "tokens",
      method: "post",
      path: "/tokens",
      summary: "Create a token",
      description:
        "Creates a token for the acting user (`human`) or for one of their agents (`agent`). With `user`, an admin makes an agent's token for a service account, never for other people.",
      errors: ["forbidden", "not_found", "payload_too_large"],
      body: {
        schema: tokenCreate,
        bytesMax: limits.requestSmallBodyBytesMax,
        examples: {
          agent: { name: "claude on my laptop", kind: "agent" },
          narrow: { name: "reads issues", kind: "agent", patterns: ["github.issues.*"], expiresAt: "2027-01-31T00:00:00.000Z" },
        },
      },
      answer: {
        status: 201,
        description: "The token. It is shown only once.",
        schema: tokenCreated,
        example: { id: tokenExample.id, token: "exe_3Yk…" },
      },
      handle: ({ body }, api) => api.tokens.create(body),
    }),
    defineRoute({
      ...removal,
      id: "tokens.remove",
      path: "/tokens/{id}",
      summary: "Revoke a token",
      description: "The token is rejected from the next request on.",
      params: z.strictObject({ id }),
      handle: async ({ params }, api) => api.tokens.remove(params.id).then(() => undefined),
    }),
    defineRoute({
      ...removal,
      id: "tokens.removeByQuery",
      path: "/tokens",
      summary: "Revoke a token named in the query",
      description: "The same as `DELETE /tokens/{id}`.",
      query: z.strictObject({ id }),
      handle: async ({ query }, api) => api.tokens.remove(query.id).then(() => undefined),
    }),
  ]
}
