// Browser sessions over HTTP: the code behind a sign-in link.
import { z } from "zod"
import type { Route } from "./route.ts"
import { defineRoute } from "./route.ts"
import { timestamp } from "./shared-schema.ts"

const signInCode = z
  .object({
    code: z.string().meta({ description: "Opens a session at `/signin?code=…`. It works once." }),
    expiresAt: timestamp,
  })
  .meta({ id: "SignInCode" })

export const sessionRoutes = (): Route[] => [
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
