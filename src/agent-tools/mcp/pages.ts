// Follows the pages of a server's list, and stops where a server would have us go on for ever.
import type { McpLimits } from "./limits.ts"
import type { PageChoice, ResourcePage } from "./resource-types.ts"

type ServerPage<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | undefined }

export async function listPages<Item>(
  readPage: (cursor: string | null) => Promise<ServerPage<Item>>,
  choice: PageChoice,
  { method, limits }: { readonly method: string; readonly limits: McpLimits },
): Promise<ResourcePage<Item>> {
  if (choice.kind === "one") {
    const { items, nextCursor } = await readPage(choice.cursor)
    return { items, nextCursor: nextCursor ?? null }
  }
  const items: Item[] = []
  const seen = new Set<string>()
  for (let cursor: string | null = null; ;) {
    const page: ServerPage<Item> = await readPage(cursor)
    items.push(...page.items.slice(0, limits.resourcesMax - items.length))
    if (page.nextCursor === undefined || items.length >= limits.resourcesMax) return { items, nextCursor: null }
    if (seen.has(page.nextCursor)) throw new Error(`${method} returned duplicate cursor`)
    if (seen.size >= limits.pagesMax) throw new Error(`${method} returned more than ${limits.pagesMax} pages`)
    seen.add(page.nextCursor)
    cursor = page.nextCursor
  }
}
