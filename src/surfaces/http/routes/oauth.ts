// OAuth over HTTP: starting and finishing a consent, our clients at providers, and probing an upstream.
import { z } from "zod"
import type { Limits } from "../../../core/limits.ts"
import { connectionExample, connectionView } from "./connections.ts"
import { oauthClientView, oauthFlow, oauthInput, oauthProbe, oauthStarted } from "./oauth-schema.ts"
import type { Route } from "./route.ts"
import { defineRoute, noAnswer } from "./route.ts"
import { pageFields, pageOf } from "./shared-schema.ts"

const clientExample = {
  id: "oac_0mh2k9x3p0003f1c2a9d7b60481e",
  kind: "manual",
  name: "Executor at GitHub",
  clientId: "Iv1.8a61f9b3a7aba766",
  hasSecret: true,
  authMethod: "client_secret_basic",
  integration: "github",
  issuer: null,
  authorizationEndpoint: "https://github.com/login/oauth/authorize",
  tokenEndpoint: "https://github.com/login/oauth/access_token",
  redirectUri: "http://127.0.0.1:4788/api/oauth/callback",
  createdAt: "2026-11-16T09:30:00.000Z",
} as const

const startedExample = {
  status: "consent_required",
  flowId: "flow_2vYw0o1m",
  authorizationUrl: "http://127.0.0.1:4788/api/oauth/go/flow_2vYw0o1m",
  providerUrl: "https://github.com/login/oauth/authorize?response_type=code",
  expiresAt: "2026-11-16T09:40:00.000Z",
} as const

const probeExample = {
  url: "https://mcp.example.com/mcp",
  status: 401,
  challenge: "Bearer",
  resource: { resource: "https://mcp.example.com/mcp", authorizationServers: ["https://auth.example.com"], scopes: ["tools"] },
  servers: [
    {
      issuer: "https://auth.example.com",
      authorizationEndpoint: "https://auth.example.com/authorize",
      tokenEndpoint: "https://auth.example.com/token",
      registrationEndpoint: "https://auth.example.com/register",
      scopesSupported: ["tools", "offline_access"],
      authMethods: ["none"],
      sendsIssuer: true,
      supportsRegistration: true,
    },
  ],
  redirectUri: "http://127.0.0.1:4788/api/oauth/callback",
  problems: [],
}

export function oauthRoutes(limits: Limits): Route[] {
  const input = oauthInput(limits)
  const bytesMax = limits.requestSmallBodyBytesMax
  const base = { tag: "oauth", method: "post" } as const
  return [
    defineRoute({
      ...base,
      id: "oauth.start",
      path: "/oauth/start",
      summary: "Start connecting by OAuth",
      description:
        "Finds the provider, registers there if necessary, and returns the link that a human opens to consent. The connection is created when they return. With `grant: client_credentials` it is created immediately.",
      errors: ["not_found", "payload_too_large"],
      body: { schema: input.start, bytesMax, examples: { github: { integration: "github", scopes: ["repo"] } } },
      answer: { status: 200, description: "The link for the consent, or the connection.", schema: oauthStarted, example: startedExample },
      handle: ({ body }, api) => api.oauth.start(body),
    }),
    defineRoute({
      tag: "oauth",
      id: "oauth.flow",
      method: "get",
      path: "/oauth/flows/{id}",
      summary: "Follow a consent",
      description: "What has become of a consent that the acting user started, for whoever cannot see the window in which it is given.",
      errors: ["not_found"],
      params: z.strictObject({ id: z.string().min(1).max(limits.nameCharsMax) }),
      answer: {
        status: 200,
        description: "Whether it still waits, has made the connection, or failed.",
        schema: oauthFlow,
        example: { status: "waiting", expiresAt: "2026-11-16T09:40:00.000Z" },
      },
      handle: ({ params }, api) => api.oauth.flow(params.id),
    }),
    defineRoute({
      ...base,
      id: "oauth.complete",
      path: "/oauth/complete",
      summary: "Finish a consent by hand",
      description:
        "For a browser that could not be redirected to this server: passes on the provider's response. Works once, within ten minutes, and only with the token that started the consent.",
      errors: ["not_found", "conflict", "payload_too_large"],
      body: {
        schema: input.complete,
        bytesMax,
        examples: { url: { callbackUrl: "http://127.0.0.1:4788/api/oauth/callback?code=…&state=…" }, parts: { state: "…", code: "…" } },
      },
      answer: { status: 200, description: "The connection.", schema: connectionView, example: connectionExample },
      handle: ({ body }, api) => api.oauth.complete(body),
    }),
    defineRoute({
      ...base,
      id: "oauth.probe",
      path: "/oauth/probe",
      summary: "Probe an upstream",
      description:
        "Sends a request without a token, and reads the metadata of the upstream and its providers (RFC 9728, RFC 8414, OpenID Connect).",
      errors: ["not_found", "payload_too_large"],
      body: {
        schema: input.probe,
        bytesMax,
        examples: { url: { url: "https://mcp.example.com/mcp" }, integration: { integration: "github" } },
      },
      answer: { status: 200, description: "What the upstream requires.", schema: oauthProbe, example: probeExample },
      handle: ({ body }, api) => api.oauth.probe(body),
    }),
    ...clientRoutes(limits),
  ]
}

function clientRoutes(limits: Limits): Route[] {
  const input = oauthInput(limits)
  return [
    defineRoute({
      id: "oauth.clients.list",
      tag: "oauth",
      method: "get",
      path: "/oauth/clients",
      summary: "List OAuth clients",
      description: "The clients under which this tenant is registered at providers, without secrets.",
      errors: [],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "Clients by id.",
        schema: pageOf("OauthClientPage", oauthClientView),
        example: { items: [clientExample], nextCursor: null },
      },
      handle: ({ query }, api) => api.oauth.clients.list(query),
    }),
    defineRoute({
      id: "oauth.clients.create",
      tag: "oauth",
      method: "post",
      path: "/oauth/clients",
      summary: "Add an OAuth client",
      description:
        "For a provider where a human registered Executor. Endpoints are taken from the request, or else from the issuer's metadata, or else from the integration's document; the response shows them.",
      errors: ["not_found", "payload_too_large"],
      body: {
        schema: input.client,
        bytesMax: limits.requestSmallBodyBytesMax,
        examples: {
          issuer: { clientId: "executor", clientSecret: "${env:IDP_SECRET}", issuer: "https://idp.example.com" },
          document: { clientId: "Iv1.8a61f9b3a7aba766", clientSecret: "…", integration: "github" },
        },
      },
      answer: { status: 201, description: "The client.", schema: oauthClientView, example: clientExample },
      handle: ({ body }, api) => api.oauth.clients.create(body),
    }),
    defineRoute({
      id: "oauth.clients.remove",
      tag: "oauth",
      method: "delete",
      path: "/oauth/clients/{id}",
      summary: "Remove an OAuth client",
      description: "Also removes its secret. Connections that use it work until their token expires.",
      errors: ["not_found"],
      params: z.strictObject({ id: z.string().min(1).max(limits.nameCharsMax) }),
      answer: noAnswer("It is gone."),
      handle: async ({ params }, api) => api.oauth.clients.remove(params.id).then(() => undefined),
    }),
  ]
}
