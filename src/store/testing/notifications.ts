// Conformance of notifications and what is told by them. Approvals are in the other store: its tests join the two.
import { describe, expect, it } from "vitest"
import type { Scope } from "../../core/principal.ts"
import type { DeliveryRow, NotificationRow } from "../notifications/notification-store.ts"
import type { Store } from "../store.ts"
import { at } from "./people/oauth-samples.ts"
import { ensureUser, newScope } from "./samples.ts"
import type { StoreUnderTest } from "./suite.ts"

const notificationRow = (id: string, fields: Partial<NotificationRow> = {}): NotificationRow => ({
  id,
  name: "On call",
  kind: "webhook",
  host: "hooks.example.com",
  patterns: '["shop.**"]',
  includeArguments: false,
  enabled: true,
  enabledAt: at(0),
  createdBy: "anna",
  createdAt: at(0),
  updatedAt: at(0),
  ...fields,
})

const deliveryRow = (id: string, fields: Partial<DeliveryRow> = {}): DeliveryRow => ({
  id,
  notificationId: "ntf_1",
  event: "approval.waiting",
  subject: `apr_${id}`,
  state: "waiting",
  attempts: 0,
  status: null,
  error: null,
  nextTryAt: at(1),
  createdAt: at(0),
  updatedAt: at(0),
  ...fields,
})

/** Before every sample, so that those of other tests are not due. */
const early = "2000-01-01T00:00:00.000Z"
const ended = { state: "delivered", attempts: 1, status: 200, error: null, nextTryAt: null, updatedAt: at(2) } as const

type Attempt = { readonly try: (store: Store, stranger: Scope) => Promise<unknown>; readonly nothing: unknown }

const page = { after: null, limit: 100 }

/** One for each verb, as the suite of scopes wants them. What nodes do for all tenants is tried at a time when nothing is due. */
export const notificationAttempts: Record<string, Attempt> = {
  "notifications.get": { try: (store, stranger) => store.notifications.get(stranger, "ntf_1"), nothing: null },
  "notifications.list": { try: (store, stranger) => store.notifications.list(stranger, page), nothing: [] },
  "notifications.put": {
    try: (store, stranger) => store.notifications.put(stranger, notificationRow("ntf_1", { host: "evil.example.com" })),
    nothing: undefined,
  },
  "notifications.remove": { try: (store, stranger) => store.notifications.remove(stranger, "ntf_1"), nothing: false },
  "deliveries.findUntold": { try: (store) => store.deliveries.findUntold("9999", 1), nothing: [] },
  "deliveries.add": { try: (store, stranger) => store.deliveries.add(stranger, [deliveryRow("dlv_2")]), nothing: "refused" },
  "deliveries.claim": { try: (store) => store.deliveries.claim({ owner: "node", until: at(9) }, early), nothing: null },
  "deliveries.settle": { try: (store, stranger) => store.deliveries.settle(stranger, "dlv_1", "node", ended), nothing: false },
  "deliveries.list": { try: (store, stranger) => store.deliveries.list(stranger, "ntf_1", page), nothing: [] },
  "deliveries.trim": { try: (store) => store.deliveries.trim(1000), nothing: undefined },
}

/** What a victim has of it. */
export async function addNotifications(scope: Scope, store: Store): Promise<void> {
  await store.notifications.put(scope, notificationRow("ntf_1"))
  await store.deliveries.add(scope, [deliveryRow("dlv_1", { nextTryAt: "9999" })])
}

export const notificationInventory = async (scope: Scope, store: Store): Promise<unknown> => [
  await store.notifications.list(scope, page),
  await store.deliveries.list(scope, "ntf_1", page),
]

export function testNotifications(use: () => StoreUnderTest): void {
  describe("notifications", () => {
    it("are kept, listed by id in pages, changed and removed with their deliveries", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      for (const id of ["ntf_2", "ntf_1"]) await store.notifications.put(scope, notificationRow(id))
      expect((await other.notifications.list(scope, page)).map(({ id }) => id)).toEqual(["ntf_1", "ntf_2"])
      expect(await store.notifications.list(scope, { after: "ntf_1", limit: 1 })).toEqual([notificationRow("ntf_2")])
      const changed = notificationRow("ntf_1", { kind: "slack", patterns: null, includeArguments: true, enabled: false, updatedAt: at(3) })
      await store.notifications.put(scope, changed)
      expect(await other.notifications.get(scope, "ntf_1")).toEqual(changed)
      await store.deliveries.add(scope, [deliveryRow("dlv_1", { nextTryAt: "9999" })])
      expect(await store.notifications.remove(scope, "ntf_1")).toBe(true)
      expect(await other.deliveries.list(scope, "ntf_1", page)).toEqual([])
      expect(await store.notifications.remove(scope, "ntf_1")).toBe(false)
    })

    it("tell a subject once, and one node at a time tries it", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      await store.notifications.put(scope, notificationRow("ntf_1"))
      const due = "1999-01-01T00:00:00.000Z"
      const adds = [store, other].map((one, index) =>
        one.deliveries.add(scope, [deliveryRow(`dlv_${index}`, { subject: "apr_1", nextTryAt: due })]),
      )
      await Promise.all(adds)
      const rows = await store.deliveries.list(scope, "ntf_1", page)
      expect(rows).toHaveLength(1)
      const id = rows[0]?.id ?? ""
      const lease = (owner: string) => ({ owner, until: "2000-06-01T00:00:00.000Z" })
      const claims = await Promise.all([store.deliveries.claim(lease("a"), early), other.deliveries.claim(lease("b"), early)])
      const owner = claims[0] === null ? "b" : "a"
      expect(claims.filter((one) => one !== null)).toMatchObject([{ scope: { tenant: scope.tenant }, delivery: { id } }])
      expect(await store.deliveries.claim(lease("c"), early)).toBeNull()
      // The node died: its lease ran out.
      const later = "2000-07-01T00:00:00.000Z"
      expect(await other.deliveries.claim({ owner: "c", until: "2000-08-01T00:00:00.000Z" }, later)).toMatchObject({ delivery: { id } })
      expect(await store.deliveries.settle(scope, id, owner, ended)).toBe(false)
      expect(await store.deliveries.settle(scope, id, "c", ended)).toBe(true)
      expect(await other.deliveries.list(scope, "ntf_1", page)).toMatchObject([{ id, ...ended }])
      expect(await store.deliveries.claim(lease("d"), later)).toBeNull()
    })

    it("have a log, newest first, without what was skipped, of which the newest are kept", async () => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      await store.notifications.put(scope, notificationRow("ntf_1"))
      const states = ["delivered", "skipped", "failed", "waiting", "dropped"] as const
      const rows = states.map((state, index) => deliveryRow(`dlv_${index}`, { state, nextTryAt: state === "waiting" ? "9999" : null }))
      await store.deliveries.add(scope, rows)
      expect((await other.deliveries.list(scope, "ntf_1", page)).map(({ id }) => id)).toEqual(["dlv_4", "dlv_3", "dlv_2", "dlv_0"])
      expect((await store.deliveries.list(scope, "ntf_1", { after: "dlv_3", limit: 1 })).map(({ id }) => id)).toEqual(["dlv_2"])
      await store.deliveries.trim(1)
      expect((await other.deliveries.list(scope, "ntf_1", page)).map(({ id }) => id)).toEqual(["dlv_4", "dlv_3"])
    })
  })
}
