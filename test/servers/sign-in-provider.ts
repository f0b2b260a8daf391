// A real OpenID provider for people who sign in: each has the claims that a test gives them.
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Provider } from "oidc-provider"
import { listen } from "./listen.ts"

export type SignInProvider = {
  readonly issuer: string
  /** By the name with which somebody signs in there. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>
  /** Answers a request in the provider's place; false leaves it to the provider. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | null
  close(): Promise<void>
}

export const signInClient = { clientId: "executor-sign-in", clientSecret: "a secret of the tests only, long enough" }

export async function startSignInProvider(redirectUri: string): Promise<SignInProvider> {
  const server = createServer()
  const address = await listen(server)
  const people = new Map<string, Readonly<Record<string, unknown>>>()
  const provider = new Provider(address.url, {
    clients: [
      {
        client_id: signInClient.clientId,
        client_secret: signInClient.clientSecret,
        redirect_uris: [redirectUri],
        application_type: "native",
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups", "roles", "_claim_names"] },
    scopes: ["openid", "email", "profile", "groups"],
    conformIdTokenClaims: false,
    cookies: { keys: ["only for tests"] },
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
  })
  const serve = provider.callback()
  const known: SignInProvider = {
    issuer: address.url,
    people,
    intercept: null,
    close: () => address.close(),
  }
  server.on("request", (request, response) => {
    if (known.intercept?.(request, response) === true) return
    serve(request, response)
  })
  return known
}
