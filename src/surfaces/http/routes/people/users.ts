// Users over HTTP, and who the caller is.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import { me, meExample, peopleInput, signInRecord, signInRecordExample, user, userExample } from "./schema.ts"
import type { Route } from "../route.ts"
import { defineRoute, noAnswer } from "../route.ts"
import { pageFields, pageOf } from "../shared-schema.ts"

export function userRoutes(limits: Limits): Route[] {
  const input = peopleInput(limits)
  const bytesMax = limits.requestSmallBodyBytesMax
  const one = { tag: "people", path: "/users/{id}", params: z.strictObject({ id: input.id }) } as const
  const shown = (status: 200 | 201, description: string) => ({ status, description, schema: user, example: userExample })

  return [
    defineRoute({
      id: "people.me",
      tag: "people",
      method: "get",
      path: "/me",
      summary: "Show who you are",
      description: "The acting user with their roles and rights, each with where it comes from.",
      errors: [],
      answer: { status: 200, description: "The acting user.", schema: me, example: meExample },
      handle: (_, api) => api.me(),
    }),
    defineRoute({
      id: "users.list",
      tag: "people",
      method: "get",
      path: "/users",
      summary: "List users",
      description: "Admins, auditors and whoever may invite people see everybody; others see themselves. For humans.",
      errors: ["forbidden"],
      query: z.strictObject({ ...pageFields(limits), ...input.userFilter }),
      answer: {
        status: 200,
        description: "One page of users, by id.",
        schema: pageOf("UserPage", user),
        example: { items: [userExample], nextCursor: null },
      },
      handle: ({ query }, api) => api.users.list(query),
    }),
    defineRoute({
      id: "users.create",
      tag: "people",
      method: "post",
      path: "/users",
      summary: "Add a user",
      description:
        "Adds a person, who can sign in once a sign-in provider or an invitation leads to them, or with `service: true` a service account, which never signs in. For admins.",
      errors: ["forbidden", "conflict", "payload_too_large"],
      body: {
        schema: input.userCreate,
        bytesMax,
        examples: {
          person: { name: userExample.name, email: userExample.email, roles: ["developer"] },
          service: { id: "ci", name: "CI", roles: ["developer"], service: true },
        },
      },
      answer: shown(201, "The user."),
      handle: ({ body }, api) => api.users.create(body),
    }),
    defineRoute({
      ...one,
      id: "users.get",
      method: "get",
      summary: "Get a user",
      description: "One user, as the list shows them.",
      errors: ["forbidden", "not_found"],
      answer: shown(200, "The user."),
      handle: ({ params }, api) => api.users.get(params.id),
    }),
    defineRoute({
      ...one,
      id: "users.update",
      method: "patch",
      summary: "Change a user",
      description:
        'Changes only the given fields. `roles` replaces the roles that were given by hand. `status: "disabled"` ends the user\'s sessions and the running executions of them and their agents, and refuses their tokens, at once; paused executions can then only be cancelled. For admins.',
      errors: ["forbidden", "not_found", "conflict", "payload_too_large"],
      body: { schema: input.userUpdate, bytesMax, examples: { roles: { roles: ["developer"] }, disable: { status: "disabled" } } },
      answer: shown(200, "The user as they are now."),
      handle: ({ params, body }, api) => api.users.update(params.id, body),
    }),
    defineRoute({
      ...one,
      id: "users.remove",
      method: "delete",
      summary: "Remove a user",
      description:
        "Their tokens, sessions, policies, and own connections with credentials are deleted, and their running and paused executions cancelled. Ended executions and the audit stay. You cannot remove yourself or the last admin. For admins.",
      errors: ["forbidden", "not_found", "conflict"],
      answer: noAnswer("The user is gone."),
      handle: async ({ params }, api) => api.users.remove(params.id).then(() => undefined),
    }),
    defineRoute({
      id: "users.signIns",
      tag: "people",
      method: "get",
      path: "/users/{id}/sign-ins",
      params: one.params,
      summary: "Show what providers say of a user",
      description:
        "The claims of the last sign-in at each sign-in provider, with the roles that they became, or why it was refused. For admins.",
      errors: ["forbidden", "not_found"],
      answer: {
        status: 200,
        description: "The last sign-ins.",
        schema: pageOf("SignInRecordPage", signInRecord),
        example: { items: [signInRecordExample], nextCursor: null },
      },
      handle: async ({ params }, api) => ({ items: [...(await api.users.signIns(params.id))], nextCursor: null }),
    }),
  ]
}
