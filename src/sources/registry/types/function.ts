// A tool that calls a function of the operator's allow-list.
import { principalKey } from "../../../io/fair-queue.ts"
import { textOf } from "./typed-call.ts"
import type { PerformCall } from "./typed-call.ts"

export const callFunction: PerformCall = ({ implementation, request, timeoutMs }, { functions }) =>
  functions.call(textOf(implementation, "function_name"), request.args, {
    timeoutMs,
    signal: request.signal,
    who: principalKey({ ...request.connection.scope, tokenId: null }),
  })
