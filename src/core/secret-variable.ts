// Tells which environment variables and headers are not secret, although all of them are stored like secrets.
//
// What is secret is taken out of every answer. A path, a switch or a word that a program was configured with occurs in
// its answers all the time, and taking it out would spoil them; a name that speaks of a secret is always believed.

const secretName = /key|token|secret|pass|pwd|auth|cred|private|cookie|session|salt|sign|cert|dsn|conn/i
const pathStart = /^(?:~|\.{1,2})?\//
const plainWord = /^[A-Za-z]{1,20}$|^[\d.,:_-]{1,20}$/

export function isHarmlessVariable(name: string, value: string): boolean {
  if (secretName.test(name)) return false
  return pathStart.test(value) || plainWord.test(value) || isPlainUrl(value)
}

/** Headers that describe the response format, not the caller. Judged by name alone, since any value may be a key. */
export const isHarmlessHeader = (name: string): boolean =>
  /^(?:accept(?:-\w+)*|content-type|user-agent|prefer|cache-control|.*-version)$/i.test(name)

/** A user name is public, unless it is a key that stands in its place beside a password that says nothing. */
export const isSecretUserName = (password: string): boolean =>
  /^(?:|x|x-oauth-basic|x-token-auth|api_?token|oauth2?|unused)$/i.test(password)

/** Without user info or query, where a URL keeps its secrets. */
function isPlainUrl(value: string): boolean {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return false
  const url = new URL(value)
  return url.username === "" && url.password === "" && url.search === ""
}
