// Browser sessions over HTTP: the code behind a sign-in link.
import { z } from "zod"
import type { Route } from "./route.ts"
import { defineRoute } from "./route.ts"
import { timestamp } from "./shared-schema.ts"

const signInCode = z
  .object({
    code: z.string().meta({ description: "Opens a session at `/signin?code=…`, once." }),
    expiresAt: timestamp,
  })
  .meta({ id: "SignInCode" })

export const sessionRoutes = (): Route[] => [
  defineRoute({
    id: "sessions.create",
    tag: "sessions",
    method: "post",
    path: "/sessions",
    summary: "Make a sign-in link",
    description:
      "Makes a one-time code with which the acting human signs in to a browser, at `/signin?code=<code>`. Whoever opens it first is that human until they sign out.",
    errors: ["forbidden"],
    answer: {
      status: 201,
      description: "The code, shown this once.",
      schema: signInCode,
      example: { code: "exc_8Jq…", expiresAt: "2026-11-16T09:40:00.000Z" },
    },
    handle: (_, api) => api.sessions.create(),
  }),
]
