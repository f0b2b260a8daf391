// Reads the form that a client sends to the token endpoint, never more of it than its limit.
import { OauthError } from "../../../core/authorization-server.ts"
import type { Limits } from "../../../core/limits.ts"
import { readText } from "../../../io/json-body.ts"

const formType = /^application\/x-www-form-urlencoded *(?:;|$)/i

export async function readForm(request: Request, limits: Limits): Promise<URLSearchParams> {
  if (!formType.test(request.headers.get("content-type") ?? ""))
    throw new OauthError("invalid_request", "Send the parameters as application/x-www-form-urlencoded")
  return new URLSearchParams(await readText(request, limits.agentFormBytesMax))
}
