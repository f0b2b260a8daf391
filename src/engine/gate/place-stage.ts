// The place stage: lets a call wait, in order, until fewer calls of its group run than its tool allows.
//
// A call that another call makes runs in the place of its parent: waiting for one of its own, it could wait for its
// parent for ever. Its key tells: `<key of the parent>/<key>`. After a wait the caller is looked up again.
import type { Principal } from "../../core/principal.ts"
import type { ExecutionSettings } from "../../core/registry/execution.ts"
import { defaultGroup } from "../../core/registry/execution.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { CallTarget, GateCall } from "./call.ts"
import type { GateContext } from "./context.ts"
import type { Places, Ticket } from "./places.ts"

export type Place = { readonly ok: true; leave(): void }

export const noPlace: Place = { ok: true, leave: () => {} }

export async function takePlace(
  call: GateCall,
  target: CallTarget,
  settings: ExecutionSettings,
  context: PlaceContext,
  { places }: { readonly places: Places },
): Promise<Place | ToolFailure> {
  if (call.key.includes("/")) return noPlace
  const { concurrencyGroup: group, maxConcurrency } = settings
  const queue = group === defaultGroup ? context.places : places.group(context.principal.tenant, group)
  const tell = waitNotices(target, group, context)
  let hasWaited = false
  const ticket = queue.join(maxConcurrency, (ahead) => {
    hasWaited = true
    tell(ahead)
  })
  try {
    const end = await firstOf(ticket, context)
    if (end !== "admitted") {
      ticket.leave()
      return failureOf(end, group, context)
    }
    if (hasWaited) await context.current()
    return { ok: true, leave: ticket.leave }
  } catch (error) {
    ticket.leave()
    throw error
  }
}

type PlaceContext = Pick<GateContext<unknown>, "places" | "placeWaitMs" | "signal" | "current" | "notify"> & {
  readonly principal: Principal
}

type End = "admitted" | "full" | "late" | "stopped"

async function firstOf(ticket: Ticket, { signal, placeWaitMs }: PlaceContext): Promise<End> {
  const ended = Promise.withResolvers<End>()
  const stop = (): void => ended.resolve("stopped")
  const timer = setTimeout(() => ended.resolve("late"), placeWaitMs)
  signal.addEventListener("abort", stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([ended.promise, ticket.admitted])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", stop)
  }
}

function failureOf(end: Exclude<End, "admitted">, group: string, { placeWaitMs }: PlaceContext): ToolFailure {
  if (end === "stopped")
    return fail("timeout", `The call was stopped while it waited for a place in the group '${group}'; nothing was sent`)
  const reason =
    end === "full"
      ? `Too many calls wait for a place in the group '${group}'`
      : `No place in the group '${group}' became free within ${placeWaitMs / 1000} s`
  return fail("rate_limited", `${reason}; nothing was sent. Try again later, or raise max_concurrency of its tools`)
}

/** A long queue moves often; whoever follows the execution does not need more. */
const noticesMax = 20

function waitNotices({ address }: CallTarget, group: string, context: PlaceContext): (ahead: number) => void {
  let count = 0
  return (ahead) => {
    count += 1
    if (count > noticesMax) return
    const text = `${address} waits for a place in the group '${group}' (${ahead} ahead)`
    context.notify(address, { type: "log", level: "info", text })
  }
}
