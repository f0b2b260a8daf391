// Adds, changes, removes and tries the model providers of a tenant: a key goes into the vault, and to its own address alone.
import { executorCommandOnPages } from "../io/executor-command.ts"
import { modelName } from "../core/agents/model-provider.ts"
import type { ModelEntry, ModelProviderCreate, ModelProviderUpdate, ModelProviderView, ModelTest } from "../core/agents/model-provider.ts"
import { readPage, viewPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import type { Page, PageRequest } from "../core/page.ts"
import { hasRight, requireAdmin, requireRight } from "../core/principal.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { EnvAccess } from "../credentials/env/reference.ts"
import type { VaultOn } from "../credentials/vault.ts"
import type { Clock } from "../io/clock.ts"
import { modelProviderRef } from "../store/agents/agent-store.ts"
import type { ModelProviderRow } from "../store/agents/agent-store.ts"
import type { Store } from "../store/store.ts"
import type { Models } from "./model.ts"
import { checkApiKey, checkBaseUrl, checkId, checkKind, checkModels } from "./provider-input.ts"

export type ModelProviderParts = {
  readonly store: Store
  readonly vaultOn: VaultOn
  readonly env: EnvAccess
  readonly limits: Limits
  readonly clock: Clock
}

export const keyName = "api_key"
const mask = "***"

/** Whoever makes agents chooses among them. */
export async function listModelProviders(
  principal: Principal,
  request: PageRequest,
  parts: ModelProviderParts,
): Promise<Page<ModelProviderView>> {
  if (!hasRight(principal, "registry.publish")) requireRight(principal, "registry.write", "read the model providers")
  const page = await readPage(
    request,
    parts.limits,
    (next) => parts.store.modelProviders.list(principal, next),
    ({ id }) => id,
  )
  return viewPage(page, viewProvider)
}

export async function createModelProvider(
  principal: Principal,
  input: ModelProviderCreate,
  parts: ModelProviderParts,
): Promise<ModelProviderView> {
  requireAdmin(principal, "add model providers")
  const now = parts.clock.now().toISOString()
  const kind = checkKind(input.kind)
  const key = input.apiKey === undefined ? null : checkApiKey(principal, input.apiKey, parts)
  if (key === mask) throw new ExecutorError("invalid_request", "apiKey: *** does not stand for a stored key here; send the key itself")
  const row: ModelProviderRow = {
    id: checkId(input.id),
    kind,
    baseUrl: checkBaseUrl(kind, input.baseUrl),
    hasKey: key !== null,
    models: JSON.stringify(checkModels(input.models ?? [], parts.limits)),
    createdAt: now,
    updatedAt: now,
  }
  return parts.store.transaction(async (store) => {
    if ((await store.modelProviders.get(principal, row.id)) !== null)
      throw new ExecutorError("conflict", `There already is a model provider '${row.id}'; choose another id, or change that one`)
    const { length } = await store.modelProviders.list(principal, { after: null, limit: parts.limits.modelProvidersMax })
    if (length >= parts.limits.modelProvidersMax)
      throw new ExecutorError("conflict", `A tenant has at most ${parts.limits.modelProvidersMax} model providers; remove some first`)
    await store.modelProviders.put(principal, row)
    if (key !== null) await parts.vaultOn(store).put(principal, modelProviderRef(row.id), { [keyName]: key })
    return viewProvider(row)
  })
}

export type ModelProviderChange = { readonly before: ModelProviderView; readonly after: ModelProviderView }

export async function updateModelProvider(
  principal: Principal,
  id: string,
  change: ModelProviderUpdate,
  parts: ModelProviderParts,
): Promise<ModelProviderChange> {
  requireAdmin(principal, "change model providers")
  return parts.store.transaction(async (store) => {
    const before = await findProvider(principal, id, store)
    const baseUrl = change.baseUrl === undefined ? before.baseUrl : checkBaseUrl(before.kind, change.baseUrl)
    const isKept = change.apiKey === undefined || change.apiKey === mask
    if (isKept && before.hasKey && new URL(baseUrl).origin !== new URL(before.baseUrl).origin)
      throw new ExecutorError(
        "invalid_request",
        `The address is now ${baseUrl} instead of ${before.baseUrl}, and a key goes only where it was meant to: send apiKey again`,
        { resend: ["apiKey"] },
      )
    if (change.apiKey === mask && !before.hasKey)
      throw new ExecutorError("invalid_request", "apiKey: *** does not stand for a stored key here; send the key itself")
    const after: ModelProviderRow = {
      ...before,
      baseUrl,
      hasKey: isKept ? before.hasKey : change.apiKey !== null,
      models: change.models === undefined ? before.models : JSON.stringify(checkModels(change.models, parts.limits)),
      updatedAt: parts.clock.now().toISOString(),
    }
    await store.modelProviders.put(principal, after)
    const vault = parts.vaultOn(store)
    if (!isKept && typeof change.apiKey === "string")
      await vault.put(principal, modelProviderRef(id), { [keyName]: checkApiKey(principal, change.apiKey, parts) })
    else if (!isKept) await vault.drop(principal, modelProviderRef(id))
    return { before: viewProvider(before), after: viewProvider(after) }
  })
}

export async function removeModelProvider(principal: Principal, id: string, parts: ModelProviderParts): Promise<ModelProviderView> {
  requireAdmin(principal, "remove model providers")
  return parts.store.transaction(async (store) => {
    const row = await findProvider(principal, id, store)
    await store.modelProviders.remove(principal, id)
    await parts.vaultOn(store).drop(principal, modelProviderRef(id))
    return viewProvider(row)
  })
}

/** One short question, which costs a few tokens. */
export async function testModelProvider(
  principal: Principal,
  id: string,
  options: { readonly model?: string },
  parts: ModelProviderParts & { readonly models: Models },
): Promise<ModelTest> {
  requireAdmin(principal, "try model providers")
  const row = await findProvider(principal, id, parts.store)
  const [first] = readModels(row)
  const model = options.model ?? (first === undefined ? undefined : modelName(first))
  if (model === undefined) throw new ExecutorError("invalid_request", "Name a model to try in 'model': this provider has no list of models")
  const provider = await parts.models.open(principal, id)
  if (provider === null) throw noProvider(id)
  const startedMs = parts.clock.monotonicMs()
  const answer = await provider.ask({
    model,
    messages: [{ role: "user", text: "Answer with the single word: ready" }],
    tools: [],
    options: { maxOutputTokens: 64 },
    signal: AbortSignal.timeout(parts.limits.modelTestMs),
  })
  const ms = Math.round(parts.clock.monotonicMs() - startedMs)
  if (!answer.ok) return { ok: false, model, kind: answer.kind, message: answer.message, ms }
  const text = answer.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  return { ok: true, model, text: text.slice(0, 200), ms, usage: answer.usage }
}

async function findProvider(scope: Scope, id: string, store: Store): Promise<ModelProviderRow> {
  const row = await store.modelProviders.get(scope, id)
  if (row === null) throw noProvider(id)
  return row
}

const noProvider = (id: string): ExecutorError =>
  new ExecutorError(
    "not_found",
    `There is no model provider '${id.slice(0, 80)}'; ${executorCommandOnPages} models list and GET /models/providers list them`,
  )

/** Written by this file. */
export const readModels = ({ models }: Pick<ModelProviderRow, "models">): ModelEntry[] => JSON.parse(models) as ModelEntry[]

const viewProvider = (row: ModelProviderRow): ModelProviderView => ({
  id: row.id,
  kind: row.kind,
  baseUrl: row.baseUrl,
  apiKey: row.hasKey ? mask : null,
  models: readModels(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})
