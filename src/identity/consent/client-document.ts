// Clients that are known by the https address of their metadata document.
//
// The address is a stranger's: it is fetched without any exemption for private hosts, without following a redirect, and
// only for a human who is signed in.
import { ExecutorError } from "../../core/errors.ts"
import { OauthError } from "../../core/authorization-server.ts"
import type { Limits } from "../../core/limits.ts"
import { LruMap } from "../../core/lru-map.ts"
import type { Clock } from "../../io/clock.ts"
import type { Outbound, OutboundStream } from "../../io/network/outbound.ts"
import type { Client } from "./client.ts"
import { readClientMetadata } from "./client.ts"

export type DocumentParts = {
  /** Reaches no private host, whoever is exempted elsewhere. */
  readonly outbound: Pick<Outbound, "open">
  readonly clock: Clock
  readonly limits: Limits
}

const urlCharsMax = 500
const keptMax = 200

export type ClientDocuments = (url: string) => Promise<Client>

export function createClientDocuments(parts: DocumentParts): ClientDocuments {
  const kept = new LruMap<string, { readonly client: Client; readonly until: number }>(keptMax)
  return async (url) => {
    const known = kept.get(url)
    const now = parts.clock.now().getTime()
    if (known !== undefined && known.until > now) return known.client
    const client = await readDocument(url, parts)
    kept.set(url, { client, until: now + parts.limits.agentClientFreshMs })
    return client
  }
}

/** As the standard has it: https, with a path, and nothing that could be read in two ways. */
export function isDocumentUrl(text: string): boolean {
  const url = text.length > urlCharsMax ? null : URL.parse(text)
  if (url === null || url.protocol !== "https:" || url.href !== text) return false
  return url.username === "" && url.password === "" && !text.includes("#") && url.pathname !== "/"
}

async function readDocument(url: string, parts: DocumentParts): Promise<Client> {
  const { host } = new URL(url)
  const metadata = await fetchJson(url, host, parts)
  if ((metadata as { client_id?: unknown } | null)?.client_id !== url)
    throw refuse(host, "it names another client_id than the address it is at")
  const method = (metadata as { token_endpoint_auth_method?: unknown }).token_endpoint_auth_method ?? "none"
  if (method !== "none") throw refuse(host, "it asks for a way to authenticate that is not supported; only 'none' is")
  try {
    return { id: url, host, ...readClientMetadata(metadata, parts.limits) }
  } catch (error) {
    throw error instanceof OauthError ? refuse(host, error.message) : error
  }
}

async function fetchJson(url: string, host: string, { outbound, limits }: DocumentParts): Promise<unknown> {
  const signal = AbortSignal.timeout(limits.agentClientMs)
  const headers = { accept: "application/json" }
  const answer = await outbound.open({ method: "GET", url, headers, signal, headTimeoutMs: limits.agentClientMs })
  if (!answer.ok) throw refuse(host, answer.message)
  const text = await readText(answer, limits.agentClientBytesMax).catch(() => null)
  if (answer.status !== 200) throw refuse(host, `the server answered ${answer.status}`)
  if (text === null)
    throw refuse(host, `it could not be read within ${limits.agentClientMs} ms, or is larger than ${limits.agentClientBytesMax} bytes`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw refuse(host, "it is not JSON")
  }
}

/** Null where there is more of it; what is left is not read. */
async function readText({ body }: OutboundStream, bytesMax: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

const refuse = (host: string, reason: string): ExecutorError =>
  new ExecutorError("invalid_request", `The client's description at ${host} cannot be used: ${reason}`)
