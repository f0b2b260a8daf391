// The steps of a consent that only a signed-in person takes in a browser: they set and read a cookie of it (decision 14).
import type { ConnectionView } from "toolplane/client"
import type { OauthOffer } from "../../../src/core/oauth.ts"
import { isWebUrl } from "../ui/text/external-link.tsx"
import { sessionHeaders } from "./session.ts"

export const showOffer = (flowId: string): Promise<OauthOffer> => ask<OauthOffer>("GET", `/api/oauth/go/${encodeURIComponent(flowId)}`)

/** Binds the consent to this browser, and answers where the provider asks for it. */
export async function leaveForProvider(flowId: string): Promise<string> {
  const { providerUrl } = await ask<{ readonly providerUrl: string }>("POST", `/api/oauth/go/${encodeURIComponent(flowId)}`)
  if (!isWebUrl(providerUrl)) throw new Error("The provider's address is not one of the web")
  return providerUrl
}

type Finished = { readonly connection: ConnectionView; readonly redirectTo: string | null }

/** Hands over what the provider answered. It counts once. */
export const finishConsent = (search: string): Promise<Finished> => ask<Finished>("POST", `/api/oauth/callback${search}`)

async function ask<Answer>(method: string, path: string): Promise<Answer> {
  const response = await fetch(path, { method, headers: sessionHeaders() })
  const answer = (await response.json()) as Answer & { readonly error?: { readonly message: string } } // as the server documents it
  if (!response.ok) throw new Error(answer.error?.message ?? `The server answered ${response.status}`)
  return answer
}
