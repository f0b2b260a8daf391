// Adds, changes, removes and tries notifications: an address goes into the vault, and is never shown.
import { readPage, viewPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type {
  DeliveryView,
  NotificationCreate,
  NotificationCreated,
  NotificationUpdate,
  NotificationView,
} from "../core/notifications/notification.ts"
import type { Page, PageRequest } from "../core/page.ts"
import { requireAdmin } from "../core/principal.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { VaultOn } from "../credentials/vault.ts"
import { checkName } from "../identity/people/input.ts"
import { executorCommandOnPages } from "../io/executor-command.ts"
import { newId, newSecret } from "../io/ids.ts"
import { notificationRef } from "../store/notifications/notification-store.ts"
import type { DeliveryRow, NotificationRow } from "../store/notifications/notification-store.ts"
import type { Store } from "../store/store.ts"
import { checkKind, checkPatterns, checkUrl } from "./input.ts"
import { testMessage } from "./message.ts"
import { sendMessage } from "./send.ts"
import type { NotificationSecrets, SendParts } from "./send.ts"

export type NotificationParts = SendParts & { readonly store: Store; readonly vaultOn: VaultOn }

export async function listNotifications(
  principal: Principal,
  request: PageRequest,
  parts: NotificationParts,
): Promise<Page<NotificationView>> {
  requireAdmin(principal, "read notifications")
  const page = await readPage(
    request,
    parts.limits,
    (next) => parts.store.notifications.list(principal, next),
    ({ id }) => id,
  )
  return { ...page, items: await Promise.all(page.items.map((row) => viewNotification(principal, row, parts.store))) }
}

export async function createNotification(
  principal: Principal,
  input: NotificationCreate,
  parts: NotificationParts,
): Promise<NotificationCreated> {
  requireAdmin(principal, "add notifications")
  const now = parts.clock.now()
  const url = checkUrl(input.url)
  const patterns = checkPatterns(input.patterns ?? null, parts.limits)
  const row: NotificationRow = {
    id: newId("ntf", now),
    name: checkName(input.name, parts.limits),
    kind: checkKind(input.kind),
    host: url.host,
    patterns: patterns === null ? null : JSON.stringify(patterns),
    includeArguments: input.includeArguments ?? false,
    enabled: input.enabled ?? true,
    enabledAt: now.toISOString(),
    createdBy: principal.user,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
  const signingSecret = row.kind === "webhook" ? newSecret("whsec") : null
  return parts.store.transaction(async (store) => {
    const { length } = await store.notifications.list(principal, { after: null, limit: parts.limits.notificationsMax })
    if (length >= parts.limits.notificationsMax)
      throw new ExecutorError("conflict", `A tenant has at most ${parts.limits.notificationsMax} notifications; remove some first`)
    await store.notifications.put(principal, row)
    await putSecrets(principal, row.id, { url: url.href, signingSecret }, store, parts)
    return { ...(await viewNotification(principal, row, store)), signingSecret }
  })
}

export type NotificationChange = { readonly before: NotificationView; readonly after: NotificationCreated }

export async function updateNotification(
  principal: Principal,
  id: string,
  change: NotificationUpdate,
  parts: NotificationParts,
): Promise<NotificationChange> {
  requireAdmin(principal, "change notifications")
  const now = parts.clock.now().toISOString()
  return parts.store.transaction(async (store) => {
    const before = await findNotification(principal, id, store)
    const shown = await viewNotification(principal, before, store)
    if (change.rotateSecret === true && before.kind !== "webhook")
      throw new ExecutorError("invalid_request", "rotateSecret: only webhooks are signed")
    const url = change.url === undefined ? null : checkUrl(change.url)
    const patterns = change.patterns === undefined ? null : checkPatterns(change.patterns, parts.limits)
    const enabled = change.enabled ?? before.enabled
    const after: NotificationRow = {
      ...before,
      name: change.name === undefined ? before.name : checkName(change.name, parts.limits),
      host: url?.host ?? before.host,
      patterns: change.patterns === undefined ? before.patterns : patterns === null ? null : JSON.stringify(patterns),
      includeArguments: change.includeArguments ?? before.includeArguments,
      enabled,
      // What began to wait while it was off is not told afterwards.
      enabledAt: enabled && !before.enabled ? now : before.enabledAt,
      updatedAt: now,
    }
    await store.notifications.put(principal, after)
    const secrets = await openSecrets(principal, id, store, parts)
    const signingSecret = change.rotateSecret === true ? newSecret("whsec") : null
    if (url !== null || signingSecret !== null)
      await putSecrets(
        principal,
        id,
        { url: url?.href ?? secrets?.url ?? "", signingSecret: signingSecret ?? secrets?.signingSecret ?? null },
        store,
        parts,
      )
    return { before: shown, after: { ...(await viewNotification(principal, after, store)), signingSecret } }
  })
}

export async function removeNotification(principal: Principal, id: string, parts: NotificationParts): Promise<NotificationView> {
  requireAdmin(principal, "remove notifications")
  return parts.store.transaction(async (store) => {
    const view = await viewNotification(principal, await findNotification(principal, id, store), store)
    await store.notifications.remove(principal, id)
    await parts.vaultOn(store).drop(principal, notificationRef(id))
    return view
  })
}

/** Also of one that is switched off: it is how somebody finds out whether to switch it on. */
export async function testNotification(principal: Principal, id: string, parts: NotificationParts): Promise<DeliveryView> {
  requireAdmin(principal, "try notifications")
  const row = await findNotification(principal, id, parts.store)
  const secrets = await openSecrets(principal, id, parts.store, parts)
  if (secrets === null) throw lostAddress()
  const now = parts.clock.now()
  const head = { id: newId("dlv", now), createdAt: now.toISOString() }
  const result = await sendMessage(row, secrets, testMessage(head), new AbortController().signal, parts)
  const delivery: DeliveryRow = {
    ...head,
    notificationId: id,
    event: "test",
    subject: head.id,
    state: result.kind === "delivered" ? "delivered" : "failed",
    attempts: 1,
    status: result.status,
    error: result.kind === "delivered" ? null : result.error,
    nextTryAt: null,
    updatedAt: parts.clock.now().toISOString(),
  }
  await parts.store.deliveries.add(principal, [delivery])
  return viewDelivery(delivery)
}

export async function listDeliveries(
  principal: Principal,
  id: string,
  request: PageRequest,
  parts: NotificationParts,
): Promise<Page<DeliveryView>> {
  requireAdmin(principal, "read what was told")
  await findNotification(principal, id, parts.store)
  const page = await readPage(
    request,
    parts.limits,
    (next) => parts.store.deliveries.list(principal, id, next),
    (row) => row.id,
  )
  return viewPage(page, viewDelivery)
}

/** Null: somebody removed it meanwhile. */
export async function openSecrets(
  scope: Scope,
  id: string,
  store: Store,
  { vaultOn }: Pick<NotificationParts, "vaultOn">,
): Promise<NotificationSecrets | null> {
  const values = await vaultOn(store).open(scope, notificationRef(id))
  const url = values?.["url"]
  return url === undefined ? null : { url, signingSecret: values?.["signing_secret"] ?? null }
}

const putSecrets = (
  scope: Scope,
  id: string,
  { url, signingSecret }: NotificationSecrets,
  store: Store,
  parts: NotificationParts,
): Promise<void> =>
  parts.vaultOn(store).put(scope, notificationRef(id), { url, ...(signingSecret === null ? {} : { signing_secret: signingSecret }) })

async function findNotification(scope: Scope, id: string, store: Store): Promise<NotificationRow> {
  const row = await store.notifications.get(scope, id)
  if (row !== null) return row
  throw new ExecutorError(
    "not_found",
    `There is no notification '${id.slice(0, 80)}'; ${executorCommandOnPages} notifications list and GET /notifications list them`,
  )
}

const lostAddress = (): ExecutorError => new ExecutorError("conflict", "The address is not in the vault any more; set url again")

async function viewNotification(scope: Scope, row: NotificationRow, store: Store): Promise<NotificationView> {
  const [last] = await store.deliveries.list(scope, row.id, { after: null, limit: 1 })
  const { enabledAt: _internal, ...shown } = row
  return { ...shown, patterns: readPatterns(row.patterns), lastDelivery: last === undefined ? null : viewDelivery(last) }
}

export const readPatterns = (patterns: string | null): readonly string[] | null =>
  patterns === null ? null : (JSON.parse(patterns) as string[]) // written by this file

function viewDelivery({ notificationId: _parent, subject, state, ...row }: DeliveryRow): DeliveryView {
  return { ...row, approvalId: row.event === "test" ? null : subject, state: state === "skipped" ? "dropped" : state }
}
