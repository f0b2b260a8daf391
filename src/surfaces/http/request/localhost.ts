// Leads browsers that open a page by the address of this machine to its name.
//
// Cookies belong to a host: who signs in at `localhost` is nobody at `127.0.0.1`. Passkeys work at the name alone, so that
// pages live there. Only a browser that opens a page says that it navigates; programs are answered where they ask.
import { emptyResponse } from "../response.ts"
import { addressed } from "./guard.ts"

/** Null where the request is answered here. A forwarded port is another `Host`, and may not be forwarded by the name. */
export function leadToName(request: Request, localhostUrl: string | null, requestId: string): Response | null {
  if (localhostUrl === null || request.method !== "GET" || request.headers.get("sec-fetch-mode") !== "navigate") return null
  if (request.headers.get("host") !== new URL(addressed(localhostUrl)).host) return null
  const { pathname, search } = new URL(request.url)
  const { headers } = emptyResponse(requestId)
  headers.set("location", `${localhostUrl}${pathname}${search}`)
  return new Response(null, { status: 307, headers })
}
