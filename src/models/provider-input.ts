// Checks what somebody sends about a model provider.
import { refuseEnvReferences } from "../catalog/integrations/admin-text.ts"
import { modelName, modelProviderKinds } from "../core/agents/model-provider.ts"
import type { ModelEntry, ModelEntryInput, ModelPrice, ModelProviderCreate, ModelProviderKind } from "../core/agents/model-provider.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import type { Principal } from "../core/principal.ts"
import { checkEnvReferences } from "../credentials/env/reference.ts"
import type { EnvAccess } from "../credentials/env/reference.ts"

const idPattern = /^[a-z0-9][a-z0-9_-]{0,62}$/

const urlCharsMax = 2000

const ownUrls: Record<ModelProviderKind, string | null> = {
  openai_compatible: null,
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
}

export function checkId(id: string): string {
  if (idPattern.test(id)) return id
  throw invalid("id must be a name such as openai: up to 63 lower-case letters, digits, '-' and '_'")
}

export function checkKind(kind: string): ModelProviderKind {
  const found = modelProviderKinds.find((one) => one === kind)
  if (found === undefined) throw invalid(`kind must be one of ${modelProviderKinds.join(", ")}`)
  return found
}

export function checkBaseUrl(kind: ModelProviderKind, given: ModelProviderCreate["baseUrl"]): string {
  const text = given ?? ownUrls[kind]
  if (text === null) throw invalid("baseUrl is required for openai_compatible, e.g. http://127.0.0.1:11434/v1")
  const url = text.length > urlCharsMax ? null : URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw invalid("baseUrl must be an address such as https://api.example.com/v1, without a user name, password, query or fragment")
  return url.href.replace(/\/+$/, "")
}

/** The last entry of a name counts. */
export function checkModels(models: readonly ModelEntryInput[], limits: Limits): readonly ModelEntry[] {
  if (models.length > limits.modelsPerProviderMax) throw invalid(`models may have at most ${limits.modelsPerProviderMax} names`)
  const entries = new Map<string, ModelEntry>()
  for (const entry of models) {
    const name = modelName(entry)
    if (name.trim() === "" || name.length > limits.nameCharsMax)
      throw invalid(`models must be names of 1 to ${limits.nameCharsMax} characters`)
    const price = typeof entry === "string" ? undefined : entry.price
    entries.set(name, price === undefined ? name : { name, price: checkPrice(name, price, limits) })
  }
  return [...entries.values()]
}

function checkPrice(model: string, price: Omit<ModelPrice, "currency"> & Partial<ModelPrice>, { modelPriceUsdMax }: Limits): ModelPrice {
  const { input, output, cachedInput, currency = "USD" } = price
  const amounts = { input, output, ...(cachedInput === undefined ? {} : { cachedInput }) }
  for (const [field, amount] of Object.entries(amounts))
    if (!Number.isFinite(amount) || amount < 0 || amount > modelPriceUsdMax)
      throw invalid(
        `models: the ${field} price of ${model} must be 0 to ${modelPriceUsdMax} US dollars for a million tokens, as providers list it`,
      )
  if (currency !== "USD") throw invalid(`models: the price of ${model} must be in USD`)
  return { currency, ...amounts }
}

export function checkApiKey(
  principal: Principal,
  key: string,
  { limits, env }: { readonly limits: Limits; readonly env: EnvAccess },
): string {
  if (key === "" || key.length > limits.tenantCredentialCharsMax)
    throw invalid(`apiKey must have 1 to ${limits.tenantCredentialCharsMax} characters; leave it out for a provider that needs none`)
  refuseEnvReferences(principal, [key])
  checkEnvReferences(key, env)
  return key
}

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
