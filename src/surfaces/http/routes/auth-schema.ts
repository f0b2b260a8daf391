// The schemas for authentication, shared by integrations and connections.
import { z } from "zod"
import { authTemplates } from "../../../core/auth.ts"
import type { Limits } from "../../../core/limits.ts"

export const authTemplate = z.enum(authTemplates)

export const placement = z
  .object({
    in: z.enum(["header", "query", "cookie"]),
    name: z.string(),
    value: z
      .string()
      .meta({ description: "Text with `${name}` references to values, never the values themselves.", examples: ["Token ${key}"] }),
  })
  .meta({ id: "Placement", description: "Where a credential is put in a request." })

export const authOption = z
  .object({
    template: authTemplate,
    name: z.string().meta({ description: "Its name in the source." }),
    description: z.string(),
    values: z.array(z.string()).meta({ description: "The values that a connection must provide." }),
    placements: z.array(placement),
    oauth: z.record(z.string(), z.unknown()).exactOptional(),
  })
  .meta({ id: "AuthOption", description: "A way to authenticate that a source offers." })

/** What comes in is strict, what goes out is not: an answer may gain fields, a request may not be misspelt. */
export const connectionAuth = (limits: Limits) =>
  z
    .strictObject({
      template: authTemplate,
      values: z
        .record(z.string().max(limits.nameCharsMax), z.string())
        .exactOptional()
        .meta({ description: "Secrets by name, or `${env:NAME}` references. They are write-only." }),
      placements: z
        .array(
          z.strictObject({
            in: z.enum(["header", "query", "cookie"]),
            name: z.string().min(1).max(limits.nameCharsMax),
            value: z.string(),
          }),
        )
        .exactOptional()
        .meta({ description: "For the template `custom`, or to override where a value is placed." }),
    })
    .meta({ id: "ConnectionAuth" })
