// Finds what people name on the command line: a tool by slug or id, an artifact by slug or id, a credential by id or label.
import { ExecutorError } from "../../../core/errors.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import type { Page, PageRequest } from "../../../core/page.ts"
import type { ArtifactView } from "../../../core/registry/artifact.ts"
import type { TenantCredentialView } from "../../../core/registry/credential.ts"
import { registrySlug } from "../../../core/registry/tool.ts"
import type { RegistryToolView } from "../../../core/registry/tool.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { executorCommand } from "../../../io/executor-command.ts"
import { UsageError } from "../usage-error.ts"

const isToolId = /^tool_[0-9a-z]{30}$/
const toolPath = new RegExp(`^(?:tools\\.)?${registrySlug}\\.(?:org\\.main\\.)?`)

/** Also by the path that calls use. A slug may look like an id. */
export async function findRegistryTool(word: string, { registry }: ExecutorApi): Promise<RegistryToolView> {
  const byId = isToolId.test(word) ? await orNull(registry.get(word)) : null
  const found = byId ?? (await orNull(registry.find(word.replace(toolPath, ""))))
  if (found === null) throw notFound("tool", word, "registry list")
  return found
}

export async function findArtifact(word: string, { artifacts }: ExecutorApi): Promise<ArtifactView> {
  const all = await allOf((page) => artifacts.list(page))
  const found = all.find(({ id, slug }) => id === word || slug === word)
  if (found === undefined) throw notFound("artifact", word, "artifacts list")
  return found
}

/** By its id, as much of its beginning as makes it the only one, or its label. */
export async function findCredential(word: string, { credentials }: ExecutorApi): Promise<TenantCredentialView> {
  const all = await allOf((page) => credentials.list(page))
  const whole = all.filter(({ id }) => id === word)
  const found = whole.length > 0 ? whole : all.filter(({ id, label }) => label === word || (word !== "" && id.startsWith(word)))
  const [first, ...more] = found
  if (first === undefined) throw notFound("credential", word, "credentials list")
  if (more.length > 0)
    throw new UsageError(
      `'${safeLine(word)}' matches several credentials; give the id of one:\n  ${found.map(({ id }) => id).join("\n  ")}`,
    )
  return first
}

async function allOf<Item>(list: (page: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const page: Page<Item> = await list(cursor === null ? {} : { cursor })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ExecutorError && error.code === "not_found") return null
    throw error
  }
}

const notFound = (noun: string, word: string, list: string): ExecutorError =>
  new ExecutorError("not_found", `There is no ${noun} '${safeLine(word).slice(0, 80)}'; see ${executorCommand} ${list}`)
