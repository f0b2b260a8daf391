// Tells one reader what happens, as far as they may read it.
//
// What changes without an entry of the audit, such as a sync, or a role that hides an integration, is found by comparing what the reader
// sees of the catalog, whenever the store says that something may be different.
import { listedFor } from "../../catalog/listed.ts"
import type { FollowOptions, LiveEvent } from "../../core/console/live-event.ts"
import type { Principal } from "../../core/principal.ts"
import type { Clock } from "../../io/clock.ts"
import { sha256 } from "../../io/ids.ts"
import { allConnections, allIntegrations } from "../../store/all-rows.ts"
import type { ExecutionStore } from "../../store/execution-store.ts"
import type { Store } from "../../store/store.ts"
import { isReadable } from "../approvals/answerers.ts"
import type { AnswererParts } from "../approvals/answerers.ts"
import { isVisible, ofTenant } from "../execution-access.ts"
import type { Feed, FeedItem } from "./feed.ts"
import { audienceOf } from "./topics.ts"

export type FollowParts = AnswererParts & {
  readonly clock: Clock
  readonly executions: Pick<ExecutionStore, "approvals">
  readonly store: Store
}

/** How late a change that nobody made is noticed, at most. */
const lookEveryMs = 1000
/** So many events of others, and a reader is told where it is, so that it can go on from there. */
const untoldMax = 500

export async function* followFeed(
  principal: Principal,
  { after, signal = new AbortController().signal }: FollowOptions,
  events: Feed,
  parts: FollowParts,
): AsyncGenerator<LiveEvent> {
  const begun = events.begin(after)
  let { place, id } = begun
  let untold = 0
  const catalog = catalogLook(principal, parts)
  await catalog.isChanged()
  yield { id, type: begun.isWhole ? "ready" : "reset" }
  // Whatever it was before, it may be different now.
  if (after !== undefined && begun.isWhole) yield { id, type: "catalog.changed" }
  while (!signal.aborted) {
    const taken = events.take(place)
    if (taken === null) {
      await moreOrLater(events, place, signal)
      if (!signal.aborted && (await catalog.isChanged())) yield { id, type: "catalog.changed" }
      continue
    }
    if (taken.kind === "lost") {
      place = taken.place
      id = events.lastId()
      yield { id, type: "reset" }
      continue
    }
    const { item } = taken
    place += 1
    id = item.id
    const event = await shownTo(principal, item, parts)
    untold = event === null ? untold + 1 : 0
    if (event !== null) yield event
    else if (untold % untoldMax === 0) yield { id, type: "ready" }
  }
}

/** Null: it is not for them. */
async function shownTo(principal: Principal, item: FeedItem, parts: FollowParts): Promise<LiveEvent | null> {
  if (item.tenant !== principal.tenant) return null
  if ("action" in item) {
    const { id, type, action, subject } = item
    const audience = audienceOf(principal, item)
    if (audience === "nothing") return null
    return { id, type, ...(audience === "hint" ? {} : { action, ...(subject === "" ? {} : { subject }) }) }
  }
  const { tenant: _tenant, user: _user, tokenId: _tokenId, ...event } = item
  if (isVisible(item, principal)) return event
  return "approvalId" in item && (await mayRead(principal, item.approvalId, parts)) ? event : null
}

async function mayRead(principal: Principal, approvalId: string, parts: FollowParts): Promise<boolean> {
  if (principal.kind !== "human") return false
  const row = await parts.executions.approvals.get(ofTenant(principal), approvalId)
  return row !== null && isReadable(principal, row, parts)
}

/** Until there is something behind this place, the next look is due, or the reader is gone. */
function moreOrLater(events: Feed, place: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      stop()
      signal.removeEventListener("abort", done)
      resolve()
    }
    const timer = setTimeout(done, lookEveryMs)
    const stop = events.whenMore(done)
    signal.addEventListener("abort", done, { once: true })
    if (signal.aborted || events.take(place) !== null) done()
  })
}

/** Answers whether the reader sees another catalog than at the last look. */
function catalogLook(principal: Principal, { store, access, clock }: FollowParts): { isChanged(): Promise<boolean> } {
  let revision = ""
  let seen = ""
  let lookedAtMs = Number.NEGATIVE_INFINITY
  return {
    async isChanged() {
      const now = store.revision()
      const nowMs = clock.monotonicMs()
      if (now === revision || nowMs - lookedAtMs < lookEveryMs) return false
      lookedAtMs = nowMs
      const found = await listed()
      revision = now
      const isOther = found !== seen
      seen = found
      return isOther
    },
  }
  async function listed(): Promise<string> {
    const shown = await listedFor(principal, { access })
    const integrations = (await allIntegrations(principal, store)).filter(({ slug, kind }) => shown.integration(slug) || slug === kind)
    const connections = (await allConnections(principal, {}, store)).filter(
      (row) => shown.connection(row) || integrations.some(({ slug }) => slug === row.integration),
    )
    return sha256(
      JSON.stringify([
        integrations.map(({ slug, name, description, configRevisedAt, toolSetId }) => [
          slug,
          name,
          description,
          configRevisedAt,
          toolSetId,
        ]),
        connections.map(({ integration, owner, name, status, error, toolSetId, bound, changedTools }) => [
          integration,
          owner,
          name,
          status,
          error,
          toolSetId,
          bound,
          changedTools,
        ]),
      ]),
    )
  }
}
