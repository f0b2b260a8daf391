// Everything about one tool in tabs, for the drawer and for its own page.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { ToolView } from "toolplane/client"
import { Button, LinkButton } from "../../ui/button.tsx"
import { lazily } from "../../ui/lazily.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { BucketBadge, EffectBadge, StatusBadge, SubtypeBadge, VersionBadge } from "../../ui/tool-badges.tsx"
import { ImplementationTab } from "./implementation-tab.tsx"
import { LifecycleActions } from "./lifecycle.tsx"
import { OverviewTab } from "./overview-tab.tsx"
import { madeQuery } from "./queries.ts"
import { SchemaTab } from "./schema-tab.tsx"
import { pathOf } from "./path.ts"

const VersionsTab = lazily(() => import("./versions-tab.tsx").then((part) => part.VersionsTab))
const TestTab = lazily(() => import("./test-tab.tsx").then((part) => part.TestTab))

type DetailsProps = {
  readonly tool: ToolView
  readonly tab: string | undefined
  readonly onTab: (tab: string) => void
  /** After it was removed. */
  readonly onGone: () => void
}

export function ToolDetails({ tool, tab, onTab, onGone }: DetailsProps): ReactNode {
  const made = useQuery({ ...madeQuery(tool.id ?? ""), enabled: tool.id !== undefined })
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-1.5">
        <BucketBadge tool={tool} />
        <SubtypeBadge tool={tool} />
        <EffectBadge tool={tool} />
        <StatusBadge tool={tool} />
        <VersionBadge tool={tool} />
        <span className="flex-1" />
        <TryButton tool={tool} />
      </div>
      {made.data === undefined ? null : <LifecycleActions made={made.data} onGone={onGone} onTab={onTab} />}
      <Tabs
        label="About this tool"
        open={tab ?? "overview"}
        onOpen={onTab}
        tabs={[
          { id: "overview", label: "Overview", content: <OverviewTab tool={tool} made={made.data} /> },
          { id: "schema", label: "Schema", content: <SchemaTab tool={tool} made={made.data} /> },
          { id: "implementation", label: "Implementation", content: <ImplementationTab tool={tool} made={made.data} /> },
          { id: "versions", label: "Versions", content: <VersionsTab tool={tool} made={made.data} /> },
          { id: "test", label: "Test", content: <TestTab tool={tool} made={made.data} /> },
        ]}
      />
    </div>
  )
}

/** Leads to the form of the tool. */
function TryButton({ tool }: { readonly tool: ToolView }): ReactNode {
  const isCallable = tool.status === "published" || tool.status === "deprecated"
  const reason = !isCallable ? "Only a test can call it until it is published" : tool.policy === "block" ? "A rule blocks its calls" : null
  return reason === null ? (
    <LinkButton to="/playground" search={{ tab: "form", tool: pathOf(tool) }}>
      Try
    </LinkButton>
  ) : (
    <Button reason={reason}>Try</Button>
  )
}
