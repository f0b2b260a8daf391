// Leaves for a sign-in provider. The flow belongs to the browser by a cookie, and to this tab by a key in its storage.
import { send } from "./send.ts"

const keyName = "executor-signin-key"
const fromName = "executor-signin-from"

type Started = { readonly url: string; readonly key: string }

export async function leaveFor(provider: string, body: object): Promise<void> {
  const { url, key } = await send<Started>(`/api/signin/oidc/${encodeURIComponent(provider)}`, body)
  if (!/^https?:/.test(url)) throw new Error("The provider's address cannot be opened.")
  sessionStorage.setItem(keyName, key)
  sessionStorage.setItem(fromName, location.pathname + location.search)
  location.assign(url)
}

/** Of the flow that this tab began; it is good for one answer. */
export function takeFlowKey(): string {
  const key = sessionStorage.getItem(keyName) ?? ""
  sessionStorage.removeItem(keyName)
  return key
}

/** The page on which the flow began. */
export const flowStart = (): string | null => sessionStorage.getItem(fromName)
