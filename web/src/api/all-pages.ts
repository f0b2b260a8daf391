// All rows of a list that the API gives page by page, for lists that a person looks through as a whole.
import type { Page, PageRequest } from "toolplane/client"

/** Below what an admin may set as the largest page. */
const pageSize = 100

export async function allPages<Row>(load: (page: PageRequest) => Promise<Page<Row>>): Promise<readonly Row[]> {
  const all: Row[] = []
  for (let cursor: string | null = null; ;) {
    const { items, nextCursor }: Page<Row> = await load({ limit: pageSize, ...(cursor === null ? {} : { cursor }) })
    all.push(...items)
    if (nextCursor === null) return all
    cursor = nextCursor
  }
}
