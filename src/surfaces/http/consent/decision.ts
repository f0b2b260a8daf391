// Reads what the human decided on the consent page.
import { z } from "zod"
import type { ConsentDecision } from "../../../core/authorization-server.ts"
import { elicitationModes } from "../../../core/token.ts"
import { check } from "../request/check.ts"

const shown = z.string().max(100)
const schema = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("deny"), shown }),
  z.strictObject({
    action: z.literal("allow"),
    shown,
    patterns: z.array(z.string().max(400)).max(200).nullable(),
    elicitation: z.array(z.enum(elicitationModes)),
  }),
])

export const readDecision = (body: unknown): ConsentDecision => check(schema, body, "body")
