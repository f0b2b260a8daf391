// Credentials of the tenant over HTTP: values go in, and never come out.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import type { Route } from "../route.ts"
import { defineRoute, noAnswer } from "../route.ts"
import { pageFields, pageOf, timestamp } from "../shared-schema.ts"

const credential = z
  .object({
    id: z.string(),
    category: z.string(),
    providerKey: z.string(),
    providerVariant: z.string().nullable(),
    label: z.string(),
    values: z.record(z.string(), z.literal("***")).meta({ description: "The names of its values." }),
    endpoint: z.string().nullable().meta({ description: "The only address that it is sent to; null: the provider's own." }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "TenantCredential" })

const example = {
  id: "cred_0mw8x2c1a000f00d",
  category: "custom",
  providerKey: "web_search",
  providerVariant: "serper",
  label: "Serper",
  values: { api_key: "***" as const },
  endpoint: null,
  createdAt: "2026-11-18T09:00:00.000Z",
  updatedAt: "2026-11-18T09:00:00.000Z",
}

export function credentialRoutes(limits: Limits): Route[] {
  const text = z.string().max(limits.nameCharsMax)
  const bytesMax = limits.requestSmallBodyBytesMax
  const fields = {
    category: text,
    providerKey: text,
    providerVariant: text.nullable(),
    label: text,
    values: z
      .record(z.string(), z.string())
      .meta({ description: "By name. `endpoint` among them is no secret: it is the only address that the others are sent to." }),
  }
  const one = { tag: "credentials", path: "/credentials/{id}", params: z.strictObject({ id: text }) } as const
  const shown = (status: 200 | 201, description: string) => ({ status, description, schema: credential, example })

  return [
    defineRoute({
      id: "credentials.list",
      tag: "credentials",
      method: "get",
      path: "/credentials",
      summary: "List credentials",
      description: "Those of the tenant, without their values. For admins.",
      errors: ["forbidden"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of credentials.",
        schema: pageOf("TenantCredentialPage", credential),
        example: { items: [example], nextCursor: null },
      },
      handle: ({ query }, api) => api.credentials.list(query),
    }),
    defineRoute({
      id: "credentials.create",
      tag: "credentials",
      method: "post",
      path: "/credentials",
      summary: "Add a credential",
      description: "Its values are kept encrypted. For admins.",
      errors: ["forbidden", "conflict", "payload_too_large"],
      body: {
        schema: z
          .strictObject({ ...fields, providerVariant: fields.providerVariant.exactOptional() })
          .meta({ id: "TenantCredentialCreate" }),
        bytesMax,
        spellings: "both",
        examples: {
          serper: { category: "custom", providerKey: "web_search", providerVariant: "serper", label: "Serper", values: { api_key: "…" } },
        },
      },
      answer: shown(201, "The credential."),
      handle: ({ body }, api) => api.credentials.create(body),
    }),
    defineRoute({
      ...one,
      id: "credentials.update",
      method: "patch",
      summary: "Change a credential",
      description: "Changes only the given fields. `values` replaces all values; `***` keeps one, unless the endpoint changes. For admins.",
      errors: ["forbidden", "not_found", "payload_too_large"],
      body: {
        schema: z.strictObject(fields).partial().meta({ id: "TenantCredentialUpdate" }),
        bytesMax,
        spellings: "both",
        examples: { rotate: { values: { api_key: "…" } } },
      },
      answer: shown(200, "The credential as it is now."),
      handle: ({ params, body }, api) => api.credentials.update(params.id, given(body)),
    }),
    defineRoute({
      ...one,
      id: "credentials.remove",
      method: "delete",
      summary: "Remove a credential",
      description: "Its values go with it. For admins.",
      errors: ["forbidden", "not_found"],
      answer: noAnswer("The credential is gone."),
      handle: async ({ params }, api) => api.credentials.remove(params.id).then(() => undefined),
    }),
  ]
}

type Given<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Drops undefined fields. */
const given = <Fields extends object>(fields: Fields): Given<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields> // the rest of the same fields
