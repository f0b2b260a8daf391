// The request of a client, and the human's decision about it.
//
// The address is passed on as it came: an empty or repeated parameter is for the server to judge.
import type { ConsentDecision, ConsentOffer, ConsentProblem } from "../../../../src/core/authorization-server.ts"
import { sessionHeaders } from "../../api/session.ts"
import { read, send } from "../send.ts"

export type Shown = {
  readonly user: string
  readonly request: ConsentOffer | ConsentProblem
  /** An integration of the human's own, for examples. */
  readonly example: string | null
}

const address = location.pathname + location.search

export const readRequest = (): Promise<Shown> => read<Shown>(address, sessionHeaders())

/** Answers where the browser goes on. */
export async function sendDecision(decision: ConsentDecision): Promise<string> {
  return (await send<{ readonly redirectTo: string }>(address, decision, sessionHeaders())).redirectTo
}
