// Roles over HTTP: which tools their members see, and what else they may do.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import { peopleInput, role, roleExample, roleView } from "./schema.ts"
import type { Route } from "../route.ts"
import { defineRoute, noAnswer } from "../route.ts"
import { pageFields, pageOf } from "../shared-schema.ts"

const rolePreview = z
  .object({
    count: z.int(),
    tools: z.array(z.string()).meta({ description: "The first ones: `<integration>.<tool>`, or the fqid of a static tool." }),
    isComplete: z.boolean().meta({ description: "Whether `tools` has all of them." }),
  })
  .meta({ id: "RolePreview" })

export function roleRoutes(limits: Limits): Route[] {
  const input = peopleInput(limits)
  const bytesMax = limits.argsBytesMax
  const one = { tag: "people", path: "/roles/{id}", params: z.strictObject({ id: input.id }) } as const
  const shown = (status: 200 | 201, description: string) => ({ status, description, schema: role, example: roleExample })

  return [
    defineRoute({
      id: "roles.list",
      tag: "people",
      method: "get",
      path: "/roles",
      summary: "List roles",
      description:
        "The roles of the tenant, built-in ones included. Whoever may not give roles or edit policies sees their own. For humans.",
      errors: ["forbidden"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of roles, by id.",
        schema: pageOf("RolePage", roleView),
        example: { items: [{ ...roleExample, people: 14 }], nextCursor: null },
      },
      handle: ({ query }, api) => api.roles.list(query),
    }),
    defineRoute({
      id: "roles.create",
      tag: "people",
      method: "post",
      path: "/roles",
      summary: "Add a role",
      description:
        "A role hides every tool that none of its patterns matches. A user with several roles sees the union, one without a role no tool. For admins.",
      errors: ["forbidden", "conflict", "payload_too_large"],
      body: {
        schema: input.roleCreate,
        bytesMax,
        examples: { developer: { id: roleExample.id, name: roleExample.name, patterns: roleExample.patterns } },
      },
      answer: shown(201, "The role."),
      handle: ({ body }, api) => api.roles.create(body),
    }),
    defineRoute({
      ...one,
      id: "roles.get",
      method: "get",
      summary: "Get a role",
      description: "One role, as the list shows it.",
      errors: ["forbidden", "not_found"],
      answer: { status: 200, description: "The role.", schema: roleView, example: { ...roleExample, people: 14 } },
      handle: ({ params }, api) => api.roles.get(params.id),
    }),
    defineRoute({
      ...one,
      id: "roles.update",
      method: "patch",
      summary: "Change a role",
      description:
        "Changes only the given fields. It applies to the next call of everybody who has the role. The role `admin` cannot be changed.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large"],
      body: { schema: input.roleUpdate, bytesMax, examples: { patterns: { patterns: ["github.**"] } } },
      answer: shown(200, "The role as it is now."),
      handle: ({ params, body }, api) => api.roles.update(params.id, body),
    }),
    defineRoute({
      ...one,
      id: "roles.remove",
      method: "delete",
      summary: "Remove a role",
      description:
        "A role that is in use is not removed: the answer is 409, and its details name the users, invitations, sign-in providers and policies.",
      errors: ["forbidden", "not_found", "conflict"],
      answer: noAnswer("The role is gone."),
      handle: async ({ params }, api) => api.roles.remove(params.id).then(() => undefined),
    }),
    defineRoute({
      id: "roles.preview",
      tag: "people",
      method: "post",
      path: "/roles/preview",
      summary: "Preview patterns",
      description: "How many and which tools these patterns match now, of those that you see yourself. Nothing is changed.",
      errors: ["forbidden", "payload_too_large"],
      body: { schema: z.strictObject({ patterns: input.patterns }), bytesMax, examples: { github: { patterns: ["github.**"] } } },
      answer: {
        status: 200,
        description: "The tools.",
        schema: rolePreview,
        example: { count: 2, tools: ["github.issues.create", "github.issues.list"], isComplete: true },
      },
      handle: ({ body }, api) => api.roles.preview(body.patterns),
    }),
  ]
}
