// Why somebody can or cannot call a tool, over HTTP.
import { z } from "zod"
import { addressBytesMax } from "../../../core/address.ts"
import type { Limits } from "../../../core/limits.ts"
import { accessStages, accessSubjects } from "../../../core/people/access-explanation.ts"
import { approvalBy } from "./policy-schema.ts"
import type { Route } from "./route.ts"
import { defineRoute } from "./route.ts"

const stage = z.enum(accessStages)
const explanation = z
  .object({
    user: z.string(),
    token: z.string().nullable(),
    address: z.string(),
    outcome: z.enum(["allowed", "needs_approval", "refused"]),
    stop: stage.nullable().meta({ description: "The first stage that stops the call." }),
    by: z.array(approvalBy).exactOptional().meta({ description: "Whom the rules name as approvers; each of them must hold." }),
    steps: z.array(
      z.object({
        stage,
        outcome: z.enum(["passes", "asks", "stops"]),
        message: z.string(),
        change: z.string().exactOptional().meta({ description: "What would let the call pass." }),
        about: z
          .object({ kind: z.enum(accessSubjects), id: z.string() })
          .exactOptional()
          .meta({ description: "What decided, or would change it." }),
      }),
    ),
  })
  .meta({ id: "AccessExplanation" })

export function accessRoutes(limits: Limits): Route[] {
  const name = z.string().min(1).max(limits.nameCharsMax)
  return [
    defineRoute({
      id: "access.explain",
      tag: "policies",
      method: "post",
      path: "/access/explain",
      summary: "Explain somebody's access to a tool",
      description:
        "Why a user or a token can or cannot call a tool: role pattern, lifecycle, policy, pin, connection. The first stage that stops the call is named, with what would change it. For admins, and for everybody about themselves.",
      errors: ["forbidden", "not_found", "payload_too_large"],
      body: {
        schema: z
          .strictObject({
            user: name.exactOptional(),
            token: name.exactOptional().meta({ description: "The id of a token, instead of a user." }),
            address: z
              .string()
              .min(1)
              .max(addressBytesMax + "tools.".length),
            args: z.record(z.string(), z.unknown()).exactOptional(),
          })
          .meta({ id: "AccessExplain" }),
        bytesMax: limits.argsBytesMax + limits.requestSmallBodyBytesMax,
        examples: { user: { user: "anna", address: "github.issues.create" } },
      },
      answer: {
        status: 200,
        description: "The stages that the call passes, up to the first that stops it.",
        schema: explanation,
        example: {
          user: "anna",
          token: null,
          address: "github.issues.create",
          outcome: "refused",
          stop: "role",
          steps: [
            {
              stage: "role",
              outcome: "stops",
              message: "No pattern of the roles 'designer' matches 'github.issues.create'",
              change: "Give the user a role with a pattern such as 'github.issues.create'",
            },
          ],
        },
      },
      handle: ({ body }, api) => api.access.explain(body),
    }),
  ]
}
