// The key of the browser's session: with the cookie, which no script sees, it is who is signed in (decision 14).
const keyName = "executor-session-key"

export function readSessionKey(): string {
  try {
    return localStorage.getItem(keyName) ?? ""
  } catch {
    return ""
  }
}

/** Says to the server who is signed in. */
export const sessionHeaders = (key = readSessionKey()): Record<string, string> => ({ "x-executor-session-key": key })

/** Other tabs hear of it. */
export const keepSessionKey = (key: string): void => localStorage.setItem(keyName, key)

/** Ends the session on the server, and forgets its key here and so in all tabs. */
export async function signOut(): Promise<void> {
  const response = await fetch("/signout", { method: "POST", headers: sessionHeaders() })
  if (!response.ok && response.status !== 401) throw new Error(`The server answered ${response.status}. You are still signed in.`)
  localStorage.removeItem(keyName)
}

/** Calls when another tab signs in or out. */
export function onSessionChange(changed: () => void): () => void {
  const listen = ({ key }: StorageEvent): void => {
    if (key === keyName || key === null) changed()
  }
  addEventListener("storage", listen)
  return () => removeEventListener("storage", listen)
}
