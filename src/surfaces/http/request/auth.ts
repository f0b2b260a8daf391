// From a bearer token to the principal that acts.
import { ExecutorError } from "../../../core/errors.ts"
import type { TokenPrincipal } from "../../../core/principal.ts"

export type Authenticator = { authenticate(token: string): Promise<TokenPrincipal | null> }

const bearerPattern = /^bearer +([\w.~+/=-]+) *$/i

export async function requirePrincipal(headers: Headers, authenticator: Authenticator): Promise<TokenPrincipal> {
  const header = headers.get("authorization")
  if (header === null) throw refuse("This request needs a token")
  const token = bearerPattern.exec(header)?.[1]
  if (token === undefined) throw refuse("The Authorization header has no bearer token")
  const principal = await authenticator.authenticate(token)
  if (principal === null) throw refuse("The token is invalid or was revoked")
  return principal
}

const refuse = (reason: string): ExecutorError =>
  new ExecutorError("unauthorized", `${reason}; send 'Authorization: Bearer <token>' (the local token is in EXECUTOR_DATA_DIR/token)`)
