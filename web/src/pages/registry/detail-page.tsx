// One tool on a page of its own, by its id or its address.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useFilters } from "../../app/search.ts"
import { LinkButton } from "../../ui/button.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import { ToolDetails } from "./details.tsx"
import { NoTool } from "./no-tool.tsx"
import { toolQuery } from "./queries.ts"
import type { RegistryFilters } from "./queries.ts"

export function DetailPage(): ReactNode {
  const { id = "" } = useParams({ strict: false })
  const [{ tab }, setFilters] = useFilters<keyof RegistryFilters>()
  const navigate = useNavigate()
  const found = useQuery(toolQuery(id))
  const tool = found.data
  return (
    <PageFrame
      title={tool == null ? "Registry" : safeLine(tool.title === "" ? tool.name : tool.title)}
      actions={<LinkButton to="/registry">All tools</LinkButton>}
    >
      <div className="w-full max-w-3xl">
        {found.error !== null ? (
          <Failure error={found.error} onRetry={() => void found.refetch()} />
        ) : tool === undefined ? (
          <Skeleton />
        ) : tool === null ? (
          <NoTool />
        ) : (
          <ToolDetails
            tool={tool}
            tab={tab}
            onTab={(open) => setFilters({ tab: open })}
            onGone={() => void navigate({ to: "/registry" })}
          />
        )}
      </div>
    </PageFrame>
  )
}
