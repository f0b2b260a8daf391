// Sign-in providers over HTTP.
import { z } from "zod"
import type { Limits } from "../../../core/limits.ts"
import { timestamp, pageOf } from "./shared-schema.ts"
import type { Route } from "./route.ts"
import { defineRoute, noAnswer } from "./route.ts"

const rule = z
  .object({
    value: z.string().meta({ description: "A value of the claim; `*` stands for any characters." }),
    roles: z.array(z.string()).meta({ description: "The ids of the roles that whoever has it gets." }),
  })
  .meta({ id: "SignInRule" })

const allow = z
  .object({
    domains: z.array(z.string()).exactOptional().meta({ description: "The domains whose verified e-mail addresses may sign in." }),
    values: z.array(z.string()).exactOptional().meta({ description: "Values of the claim, as in rules, of which one is needed." }),
  })
  .meta({
    id: "SignInAllow",
    description: "Who may sign in at all. Without either: everybody of the provider. With both: whoever fits both.",
  })

const claimText = "Where the values are in the claims: a name (`groups`), a dotted path (`realm_access.roles`) or a JSON pointer."
const defaultText = "The role of people whom no rule matches; without it they are refused. It may carry no rights."

const provider = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: "The text of the button." }),
    issuer: z.string().meta({ format: "uri" }),
    clientId: z.string(),
    clientSecret: z.string().nullable().meta({ description: "`***` where there is one; it is never shown." }),
    scopes: z.array(z.string()),
    claim: z.string().meta({ description: claimText }),
    rules: z.array(rule),
    defaultRole: z.string().exactOptional().meta({ description: defaultText }),
    allow,
    redirectUri: z.string().meta({ format: "uri", description: "To be registered at the provider." }),
    createdAt: timestamp,
  })
  .meta({ id: "SignInProvider", description: "An OpenID Connect provider at which people sign in." })

const test = z
  .object({
    url: z.string().meta({ format: "uri", description: "Opened in one browser, it leads through a sign-in. It works once." }),
    expiresAt: timestamp,
  })
  .meta({ id: "SignInTest" })

const example = {
  id: "okta",
  name: "Okta",
  issuer: "https://acme.okta.com",
  clientId: "0oa1b2c3d4",
  clientSecret: "***",
  scopes: ["openid", "email", "profile", "groups"],
  claim: "groups",
  rules: [{ value: "eng-*", roles: ["developer"] }],
  defaultRole: "member",
  allow: { domains: ["acme.com"] },
  redirectUri: "https://executor.acme.com/signin/oidc/callback",
  createdAt: "2026-11-16T09:30:00.000Z",
}

const { redirectUri: _redirectUri, createdAt: _createdAt, ...written } = { ...example, clientSecret: "${env:OKTA_SECRET}" }

export function signInRoutes(limits: Limits): Route[] {
  const fields = inputFields(limits)
  const create = z
    .strictObject({
      ...optional(fields),
      name: fields.name,
      issuer: fields.issuer,
      clientId: fields.clientId,
      id: z.string().exactOptional(),
    })
    .meta({ id: "SignInProviderCreate" })
  const change = z
    .strictObject({ ...optional(fields), defaultRole: fields.defaultRole.nullable().exactOptional() })
    .meta({ id: "SignInProviderUpdate" })
  const params = z.strictObject({ id: z.string().min(1).max(limits.nameCharsMax) })
  const bytesMax = limits.requestSmallBodyBytesMax
  const base = { tag: "sign-in", errors: ["forbidden", "not_found"] } as const
  return [
    defineRoute({
      ...base,
      id: "signIn.providers.list",
      method: "get",
      path: "/signin/providers",
      summary: "List sign-in providers",
      description: "The OpenID Connect providers of the tenant, without their secrets. For admins.",
      answer: {
        status: 200,
        description: "All providers, by id.",
        schema: pageOf("SignInProviderPage", provider),
        example: { items: [example], nextCursor: null },
      },
      handle: async (_, api) => ({ items: await api.signIn.providers.list(), nextCursor: null }),
    }),
    defineRoute({
      ...base,
      id: "signIn.providers.create",
      method: "post",
      path: "/signin/providers",
      summary: "Add a sign-in provider",
      description:
        "Register `redirectUri` of the answer at the provider. Rules give roles by the values of a claim at every sign-in, in place of those that the provider gave before; roles given by hand stay. For admins.",
      errors: ["forbidden", "conflict", "payload_too_large"],
      body: { schema: create, bytesMax, examples: { okta: written } },
      answer: { status: 201, description: "The provider.", schema: provider, example },
      handle: ({ body }, api) => api.signIn.providers.create(body),
    }),
    defineRoute({
      ...base,
      id: "signIn.providers.update",
      method: "patch",
      path: "/signin/providers/{id}",
      summary: "Change a sign-in provider",
      description: 'Changes the given fields; `clientSecret: "***"` keeps the stored secret, `defaultRole: null` removes it. For admins.',
      errors: ["forbidden", "not_found", "payload_too_large"],
      params,
      body: { schema: change, bytesMax, examples: { rules: { rules: example.rules } } },
      answer: { status: 200, description: "The provider.", schema: provider, example },
      handle: ({ params: { id }, body }, api) => api.signIn.providers.update(id, body),
    }),
    defineRoute({
      ...base,
      id: "signIn.providers.remove",
      method: "delete",
      path: "/signin/providers/{id}",
      summary: "Remove a sign-in provider",
      description: "Also removes its secret, and the roles that people have from it. For admins.",
      params,
      answer: noAnswer("It is gone."),
      handle: async ({ params: { id } }, api) => api.signIn.providers.remove(id).then(() => undefined),
    }),
    defineRoute({
      ...base,
      id: "signIn.providers.test",
      method: "post",
      path: "/signin/providers/{id}/test",
      summary: "Test a sign-in provider",
      description:
        "Returns a link. Whoever opens it signs in at the provider and sees their claims and the roles that these would lead to; nothing is saved and no session is opened. For admins.",
      params,
      answer: {
        status: 200,
        description: "The link.",
        schema: test,
        example: { url: "https://executor.acme.com/signin/default?provider=okta&test=ext_8Jq", expiresAt: "2026-11-16T09:40:00.000Z" },
      },
      handle: ({ params: { id } }, api) => api.signIn.providers.test(id),
    }),
  ]
}

function inputFields(limits: Limits) {
  const text = z.string().min(1).max(2000)
  const name = z.string().min(1).max(limits.nameCharsMax)
  const list = z.array(text).max(limits.oauthScopesMax)
  return {
    name,
    issuer: text.meta({ format: "uri", description: "The issuer, whose metadata names the endpoints." }),
    clientId: text,
    clientSecret: z.string().min(1).max(8000).meta({ description: "The secret, or a `${env:NAME}` reference. It is write-only." }),
    scopes: z
      .union([list, text])
      .meta({ description: "An array, or one text with spaces. `openid` is always added.", default: ["openid", "email", "profile"] }),
    claim: text.meta({ description: claimText, default: "groups" }),
    rules: z.array(z.strictObject({ value: text, roles: z.array(name).max(100) })).max(1000),
    defaultRole: name.meta({ description: defaultText }),
    allow: z.strictObject({ domains: list.exactOptional(), values: list.exactOptional() }),
  }
}

const optional = (fields: ReturnType<typeof inputFields>) => ({
  name: fields.name.exactOptional(),
  issuer: fields.issuer.exactOptional(),
  clientId: fields.clientId.exactOptional(),
  clientSecret: fields.clientSecret.exactOptional(),
  scopes: fields.scopes.exactOptional(),
  claim: fields.claim.exactOptional(),
  rules: fields.rules.exactOptional(),
  defaultRole: fields.defaultRole.exactOptional(),
  allow: fields.allow.exactOptional(),
})
