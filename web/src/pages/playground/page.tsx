// The playground: code or one tool's form on one side, what became of it on the other.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { ExecutionView } from "toolplane/client"
import { meQuery } from "../../api/query.ts"
import { useFilters } from "../../app/search.ts"
import { PageFrame } from "../../ui/page.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { executionQuery } from "../executions/queries.ts"
import { Playground } from "./playground.tsx"
import type { PlaygroundFilters } from "./playground.tsx"

export function Page(): ReactNode {
  const [{ from }] = useFilters<PlaygroundFilters>()
  const { data: me } = useQuery(meQuery)
  const source = useQuery({ ...executionQuery(from ?? ""), ...(from === undefined ? { enabled: false } : {}) })
  if (me === undefined) return null
  if (from === undefined) return <Playground key="own" user={me.id} source={null} />
  if (source.data === undefined)
    return (
      <PageFrame title="Playground">
        {source.error === null ? <Skeleton rows={10} /> : <Failure error={source.error} onRetry={() => void source.refetch()} />}
      </PageFrame>
    )
  return <FromExecution key={from} user={me.id} source={source.data} />
}

const FromExecution = ({ user, source }: { readonly user: string; readonly source: ExecutionView }): ReactNode =>
  source.program === "code" ? (
    <Playground user={user} source={source} />
  ) : (
    <PageFrame title="Playground">
      <Empty title="This execution ran an agent">Only executions of code can be opened here: an agent has none.</Empty>
    </PageFrame>
  )
