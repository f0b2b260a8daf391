// Removes user info from a URL, because URLs are logged, stored and compared, and credentials must not be.

/** The URL without user info, and what to send as `authorization` to its origin. */
export function splitUserInfo(url: URL): { readonly url: URL; readonly authorization: string | null } {
  if (url.username === "" && url.password === "") return { url, authorization: null }
  const plain = new URL(url)
  plain.username = ""
  plain.password = ""
  const pair = `${decode(url.username)}:${decode(url.password)}`
  return { url: plain, authorization: `Basic ${Buffer.from(pair).toString("base64")}` }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
