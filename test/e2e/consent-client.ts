// An MCP client that connects by consent: the official SDK, a listener to which the browser comes back, and a human who clicks.
import { createServer } from "node:http"
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client"
import type { OAuthClientProvider, StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client"
import { listen } from "../servers/listen.ts"

export type ConsentClient = {
  readonly redirectUri: string
  /** What the SDK keeps. */
  readonly kept: Kept
  /** Answers null where nobody has to consent any more, otherwise where the browser must go. */
  connect(): Promise<{ client: Client; consentUrl: null } | { client: null; consentUrl: URL }>
  /** With what came back to the listener. */
  finish(): Promise<URLSearchParams>
  close(): Promise<void>
}

type Kept = {
  client?: StoredOAuthClientInformation | undefined
  tokens?: StoredOAuthTokens | undefined
  verifier: string
  state: string
}

export type ConsentClientOptions = { readonly name: string; readonly mcpUrl: string; readonly documentUrl?: string }

export async function startConsentClient({ name, mcpUrl, documentUrl }: ConsentClientOptions): Promise<ConsentClient> {
  let arrive: (query: URLSearchParams) => void = () => {}
  let arrived = Promise.resolve(new URLSearchParams())
  const listener = await listen(
    createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://here")
      if (pathname === "/callback") arrive(searchParams)
      response.setHeader("content-type", "text/html").end("<h1>Back at the client</h1>")
    }),
  )
  const redirectUri = `${listener.url}/callback`
  const kept: Kept = { verifier: "", state: "" }
  let consentUrl: URL | null = null
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    ...(documentUrl === undefined ? {} : { clientMetadataUrl: documentUrl }),
    clientMetadata: { client_name: name, redirect_uris: [redirectUri] },
    state: () => (kept.state = crypto.randomUUID()),
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (consentUrl = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    invalidateCredentials: (what) => {
      if (what !== "verifier") kept.tokens = undefined
      if (what === "all" || what === "client") kept.client = undefined
    },
  }
  let transport = new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: provider })
  return {
    redirectUri,
    kept,
    async connect() {
      arrived = new Promise((resolve) => (arrive = resolve))
      transport = new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: provider })
      const client = new Client({ name, version: "1" }, { versionNegotiation: { mode: "auto" } })
      try {
        await client.connect(transport)
        return { client, consentUrl: null }
      } catch (error) {
        if (!(error instanceof UnauthorizedError) && !(error instanceof Error && error.cause instanceof UnauthorizedError)) throw error
        if (consentUrl === null) throw error
        return { client: null, consentUrl }
      }
    },
    async finish() {
      const answer = await arrived
      if (answer.has("code")) await transport.finishAuth(answer)
      return answer
    },
    close: () => listener.close(),
  }
}
