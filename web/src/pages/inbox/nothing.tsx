// The empty inbox.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { meQuery } from "../../api/query.ts"
import { Empty } from "../../ui/states.tsx"
import type { Tab } from "./queries.ts"

export function Nothing({ tab }: { readonly tab: Tab }): ReactNode {
  const { data: me } = useQuery(meQuery)
  if (tab === "others")
    return (
      <Empty title="Nothing of yours waits for others">
        What you or your agents ask of somebody else is listed here until it is answered.
      </Empty>
    )
  if (me?.roles.length === 0)
    return (
      <Empty title="You have no role yet">
        So you and your agents cannot use any tools. Ask whoever invited you, or another admin, to give you one. It works at once, without
        signing in again.
      </Empty>
    )
  return <Empty title="Nothing waits for you">When an agent needs your approval, it appears here by itself.</Empty>
}
