// Names of headers that arguments of a call may not set.
/** They carry the credential, or say where the message ends and who handles it. */
export const forbiddenHeaderNames: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "te",
  "trailer",
  "expect",
])
