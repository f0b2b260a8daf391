// The part of `oidc-provider` that the tests use; the package brings no types.
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"
  type Token = { readonly clientId?: string; readonly scope?: string; readonly accountId?: string; readonly aud?: string | string[] }
  type TokenContext = { readonly body: Record<string, unknown>; readonly oidc: { readonly params?: Record<string, unknown> } }
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    on(event: "grant.success" | "grant.error", listener: (context: TokenContext) => void): this
    readonly AccessToken: { find(token: string): Promise<Token | undefined> }
    readonly ClientCredentials: { find(token: string): Promise<Token | undefined> }
  }
}
