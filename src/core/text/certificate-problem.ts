// Why a server's certificate was not accepted, in words that say what to do; null for every other failure of `fetch`.

const untrusted: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
])

export function certificateProblem(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error) || !("code" in cause)) return null
  const { code } = cause
  if (code === "CERT_HAS_EXPIRED") return "its certificate has expired; renew it on the server"
  if (code === "CERT_NOT_YET_VALID") return "its certificate is not valid yet; check the clocks of both machines"
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "its certificate is for another name; use the name that it was issued for"
  if (typeof code !== "string" || !untrusted.has(code)) return null
  return `its certificate is not trusted here (${code}); set NODE_EXTRA_CA_CERTS to the PEM file of its authority, or of the certificate itself if it is self-signed`
}
