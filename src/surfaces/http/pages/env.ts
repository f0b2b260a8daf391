// What handlers of the HTTP surface find in `c.env`.
import type { RequestFacts } from "../../../core/request-facts.ts"

export type PageEnv = {
  Bindings: {
    readonly requestId: string
    readonly facts: RequestFacts
    /** Where browsers on this machine go; null where that name is not the server's alone. */
    readonly localhostUrl: string | null
  }
}
