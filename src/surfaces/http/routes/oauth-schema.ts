// The schemas of OAuth over HTTP: clients, consents and probes.
import { z } from "zod"
import { owners } from "../../../core/address.ts"
import type { Limits } from "../../../core/limits.ts"
import { oauthAuthMethods, oauthGrantTypes } from "../../../core/oauth.ts"
import { connectionView } from "./connections.ts"
import { timestamp } from "./shared-schema.ts"

const url = z.string().meta({ format: "uri" })

const serverFields = {
  issuer: url.nullable(),
  authorizationEndpoint: url.nullable(),
  tokenEndpoint: url,
}

export const oauthClientView = z
  .object({
    id: z.string(),
    kind: z.enum(["manual", "registered"]).meta({ description: "Whether a human registered it at the provider, or Executor did." }),
    name: z.string(),
    clientId: z.string().meta({ description: "The client id at the provider." }),
    hasSecret: z.boolean(),
    authMethod: z.enum(oauthAuthMethods),
    integration: z.string().nullable().meta({ description: "The integration that uses it by default." }),
    ...serverFields,
    redirectUri: url.meta({ description: "The redirect URI to register at the provider." }),
    createdAt: timestamp,
  })
  .meta({ id: "OauthClient" })

export const oauthStarted = z
  .discriminatedUnion("status", [
    z.object({
      status: z.literal("consent_required"),
      flowId: z.string(),
      authorizationUrl: url.meta({ description: "The link to open in the browser of the human who consents." }),
      providerUrl: url
        .nullable()
        .meta({ description: "The provider's own page, for a consent that is finished with `POST /oauth/complete`." }),
      expiresAt: timestamp,
    }),
    z.object({ status: z.literal("connected"), connection: connectionView }),
  ])
  .meta({ id: "OauthStarted" })

export const oauthFlow = z
  .discriminatedUnion("status", [
    z.object({ status: z.literal("waiting"), expiresAt: timestamp }),
    z.object({ status: z.literal("connected"), connection: connectionView }),
    z.object({ status: z.literal("failed"), error: z.string().meta({ description: "What the provider or its connection refused." }) }),
    z.object({ status: z.literal("expired") }),
  ])
  .meta({ id: "OauthFlow" })

const probedServer = z.object({
  ...serverFields,
  registrationEndpoint: url.nullable(),
  scopesSupported: z.array(z.string()),
  authMethods: z.array(z.string()),
  sendsIssuer: z.boolean().meta({ description: "Whether its responses name their issuer (RFC 9207)." }),
  supportsRegistration: z.boolean().meta({ description: "Whether Executor can register itself there (RFC 7591)." }),
})

export const oauthProbe = z
  .object({
    url,
    status: z.int().nullable().meta({ description: "The status of a request without a token." }),
    challenge: z.string().nullable(),
    resource: z
      .object({ resource: z.string(), authorizationServers: z.array(z.string()), scopes: z.array(z.string()) })
      .nullable()
      .meta({ description: "The metadata of the resource (RFC 9728)." }),
    servers: z.array(probedServer),
    redirectUri: url.meta({ description: "The redirect URI to register at the provider." }),
    problems: z.array(z.string()),
  })
  .meta({ id: "OauthProbe" })

export function oauthInput(limits: Limits) {
  const text = z.string().min(1).max(2000)
  const name = z.string().min(1).max(limits.nameCharsMax)
  return {
    start: z
      .strictObject({
        integration: z.string(),
        owner: z.enum(owners).exactOptional().meta({ default: "org" }),
        name: z.string().exactOptional().meta({ default: "main" }),
        client: text
          .exactOptional()
          .meta({ description: "The client to use. By default the integration's client, or a newly registered one." }),
        grant: z.enum(oauthGrantTypes).exactOptional().meta({ default: "authorization_code" }),
        scopes: z.array(text).max(limits.oauthScopesMax).exactOptional(),
        resource: url.max(2000).exactOptional().meta({ description: "The resource indicator (RFC 8707)." }),
        redirectTo: text.exactOptional().meta({ description: "A path on this server to send the browser to at the end." }),
      })
      .meta({ id: "OauthStart" }),
    complete: z
      .union([
        z.strictObject({ state: text, code: z.string().min(1).max(8000), iss: text.exactOptional() }),
        z.strictObject({ callbackUrl: z.string().min(1).max(16_000) }),
      ])
      .meta({ id: "OauthComplete" }),
    probe: z.union([z.strictObject({ url: text }), z.strictObject({ integration: name })]).meta({ id: "OauthProbeRequest" }),
    client: z
      .strictObject({
        clientId: text,
        clientSecret: z
          .string()
          .min(1)
          .max(8000)
          .exactOptional()
          .meta({ description: "The secret, or a `${env:NAME}` reference. It is write-only." }),
        name: name.exactOptional(),
        integration: name.exactOptional(),
        issuer: text.exactOptional().meta({ description: "The issuer whose metadata names the endpoints." }),
        authorizationEndpoint: text.exactOptional(),
        tokenEndpoint: text.exactOptional(),
        authMethod: z.enum(oauthAuthMethods).exactOptional(),
        authorizationParams: z.record(z.string().min(1).max(100), z.string().max(2000)).exactOptional(),
      })
      .meta({ id: "OauthClientCreate" }),
  }
}
