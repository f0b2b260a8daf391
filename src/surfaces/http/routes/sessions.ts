// Browser sessions over HTTP: the code behind a sign-in link, and the sessions that are open.
import { z } from "zod"
import type { Limits } from "../../../core/limits.ts"
import { peopleInput } from "./people/schema.ts"
import type { Route } from "./route.ts"
import { defineRoute, noAnswer } from "./route.ts"
import { pageFields, pageOf, timestamp } from "./shared-schema.ts"

const signInCode = z
  .object({
    code: z.string().meta({ description: "Opens a session at `/signin?code=…`. It works once." }),
    expiresAt: timestamp,
  })
  .meta({ id: "SignInCode" })

const session = z
  .object({
    id: z.string(),
    user: z.string(),
    method: z.string().meta({ description: "How the human signed in: `code`, `passkey` or `oidc:<provider>`." }),
    createdAt: timestamp,
    lastSeenAt: timestamp,
    expiresAt: timestamp,
    address: z.string().nullable().meta({ description: "The network that it was opened from." }),
    userAgent: z.string().nullable(),
  })
  .meta({ id: "Session" })

const sessionExample = {
  id: "ses_0mh2k3v9x41c",
  user: "local",
  method: "code",
  createdAt: "2026-11-16T09:30:00.000Z",
  lastSeenAt: "2026-11-16T10:30:00.000Z",
  expiresAt: "2026-11-23T09:30:00.000Z",
  address: "203.0.113.0/24",
  userAgent: "Mozilla/5.0",
}

export const sessionRoutes = (limits: Limits): Route[] => [
  defineRoute({
    id: "sessions.list",
    tag: "sessions",
    method: "get",
    path: "/sessions",
    summary: "List browser sessions",
    description: "The open sessions of the acting human; for an admin those of everybody.",
    errors: ["forbidden"],
    query: z.strictObject({ ...pageFields(limits), ...peopleInput(limits).ofUser }),
    answer: {
      status: 200,
      description: "One page of sessions.",
      schema: pageOf("SessionPage", session),
      example: { items: [sessionExample], nextCursor: null },
    },
    handle: ({ query }, api) => api.sessions.list(query),
  }),
  defineRoute({
    id: "sessions.remove",
    tag: "sessions",
    method: "delete",
    path: "/sessions/{id}",
    summary: "End a browser session",
    description: "The browser is signed out from its next request on.",
    errors: ["forbidden", "not_found"],
    params: z.strictObject({ id: z.string().min(1).max(limits.nameCharsMax) }),
    answer: noAnswer("The session is over."),
    handle: async ({ params }, api) => api.sessions.remove(params.id).then(() => undefined),
  }),
  defineRoute({
    id: "sessions.create",
    tag: "sessions",
    method: "post",
    path: "/sessions",
    summary: "Create a sign-in link",
    description:
      "Creates a one-time code for the acting human to sign in from a browser, at `/signin?code=<code>`. The first browser to open it acts as that human until it signs out.",
    errors: ["forbidden"],
    answer: {
      status: 201,
      description: "The code. It is shown only once.",
      schema: signInCode,
      example: { code: "exc_8Jq…", expiresAt: "2026-11-16T09:40:00.000Z" },
    },
    handle: (_, api) => api.sessions.create(),
  }),
]
