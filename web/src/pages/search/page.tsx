// The search lab: a query with its ranking and why, searches that agents made, and how well search finds what it should.
import type { ReactNode } from "react"
import { useFilters } from "../../app/search.ts"
import { PageFrame } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { EvaluationTab } from "./evaluation-tab.tsx"
import { MadeTab } from "./made-tab.tsx"
import { QueryTab } from "./query-tab.tsx"
import type { LabFilters } from "./queries.ts"
import { useSets } from "./use-sets.ts"

export function Page(): ReactNode {
  const [filters, setFilters] = useFilters<keyof LabFilters>()
  const sets = useSets(filters.set, (set) => setFilters({ set }))
  const tryIt = (q: string, namespace: string | null): void =>
    setFilters({ q, namespace: namespace ?? undefined, tab: undefined }, { isStep: true })
  return (
    <PageFrame title="Search lab">
      <Tabs
        label="Search lab"
        open={filters.tab ?? "query"}
        onOpen={(tab) => setFilters({ tab: tab === "query" ? undefined : tab })}
        tabs={[
          { id: "query", label: "Try a query", content: <QueryTab filters={filters} onChange={setFilters} sets={sets} /> },
          { id: "made", label: "Searches made", content: <MadeTab filters={filters} onChange={setFilters} onTry={tryIt} sets={sets} /> },
          { id: "evaluation", label: "Evaluation", content: <EvaluationTab sets={sets} onTry={(query) => tryIt(query, null)} /> },
        ]}
      />
    </PageFrame>
  )
}
