// Invitations over HTTP, and the tenants of the server.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import { invitation, invitationCreated, invitationExample, peopleInput, tenant, tenantCreated, user, userExample } from "./schema.ts"
import type { Route } from "../route.ts"
import { defineRoute, noAnswer } from "../route.ts"
import { pageFields, pageOf } from "../shared-schema.ts"

const secretExample = "exi_3Yk…"

export function invitationRoutes(limits: Limits): Route[] {
  const input = peopleInput(limits)
  const bytesMax = limits.requestSmallBodyBytesMax
  const removal = {
    tag: "people",
    method: "delete",
    errors: ["forbidden", "not_found"],
    answer: noAnswer("The link no longer works."),
  } as const

  return [
    defineRoute({
      id: "invitations.list",
      tag: "people",
      method: "get",
      path: "/invitations",
      summary: "List invitations",
      description: "Open invitations, without their links. Needs the right `people.invite`.",
      errors: ["forbidden"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of invitations.",
        schema: pageOf("InvitationPage", invitation),
        example: { items: [invitationExample], nextCursor: null },
      },
      handle: ({ query }, api) => api.invitations.list(query),
    }),
    defineRoute({
      id: "invitations.create",
      tag: "people",
      method: "post",
      path: "/invitations",
      summary: "Invite somebody",
      description:
        "Makes a link that works once, within 7 days. Every pattern and right of the roles must be one that you have yourself, now and when the invitation is accepted. With `user` an admin lets somebody who exists sign in anew.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large"],
      body: {
        schema: input.invitationCreate,
        bytesMax,
        examples: { anna: { email: invitationExample.email, name: userExample.name, roles: ["developer"] } },
      },
      answer: {
        status: 201,
        description: "The invitation with its link, which is shown only once.",
        schema: invitationCreated,
        example: { ...invitationExample, link: `https://executor.example.com/invite#${secretExample}`, token: secretExample },
      },
      handle: ({ body }, api) => api.invitations.create(body),
    }),
    defineRoute({
      ...removal,
      id: "invitations.remove",
      path: "/invitations/{id}",
      summary: "Revoke an invitation",
      description: "A user who was only invited is removed with it. An admin revokes any, others their own.",
      params: z.strictObject({ id: input.id }),
      handle: async ({ params }, api) => api.invitations.remove(params.id).then(() => undefined),
    }),
    defineRoute({
      ...removal,
      id: "invitations.removeByQuery",
      path: "/invitations",
      summary: "Revoke an invitation named in the query",
      description: "The same as `DELETE /invitations/{id}`.",
      query: z.strictObject({ id: input.id }),
      handle: async ({ query }, api) => api.invitations.remove(query.id).then(() => undefined),
    }),
    defineRoute({
      id: "invitations.accept",
      tag: "people",
      method: "post",
      path: "/invitations/accept",
      summary: "Accept an invitation",
      description:
        "Gives the acting human the roles of the invitation. Whoever is not a user yet opens the link in a browser instead, and signs in there.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large"],
      body: { schema: z.strictObject({ token: input.id }), bytesMax, examples: { token: { token: secretExample } } },
      answer: { status: 200, description: "The acting user as they are now.", schema: user, example: userExample },
      handle: ({ body }, api) => api.invitations.accept(body.token),
    }),
    ...tenantRoutes(limits),
  ]
}

function tenantRoutes(limits: Limits): Route[] {
  const { id } = peopleInput(limits)
  const example = { id: "acme", createdAt: "2026-11-16T09:30:00.000Z" }
  return [
    defineRoute({
      id: "tenants.list",
      tag: "people",
      method: "get",
      path: "/tenants",
      summary: "List tenants",
      description: "The organisations on this server. For whoever runs it: the local human of its data directory.",
      errors: ["forbidden"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of tenants, by id.",
        schema: pageOf("TenantPage", tenant),
        example: { items: [example], nextCursor: null },
      },
      handle: ({ query }, api) => api.tenants.list(query),
    }),
    defineRoute({
      id: "tenants.create",
      tag: "people",
      method: "post",
      path: "/tenants",
      summary: "Add a tenant",
      description: "Adds an organisation with a first admin, whose token is shown only once. For whoever runs the server.",
      errors: ["forbidden", "conflict", "payload_too_large"],
      body: { schema: z.strictObject({ id }), bytesMax: limits.requestSmallBodyBytesMax, examples: { acme: { id: example.id } } },
      answer: {
        status: 201,
        description: "The tenant and its first admin's token.",
        schema: tenantCreated,
        example: { ...example, admin: "admin", tokenId: "tok_0mh2k3v9x41c", token: "exh_8Jq…" },
      },
      handle: ({ body }, api) => api.tenants.create(body),
    }),
  ]
}
