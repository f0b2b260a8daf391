// One pipeline: its documents, a query to try, and its settings.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Drawer } from "../../ui/dialogs/dialog.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { Mono, safeLine } from "../../ui/text/text.tsx"
import { DocumentsTab } from "./documents-tab.tsx"
import { IndexProgress } from "./index-state.tsx"
import { counted, pipelineQuery } from "./queries.ts"
import type { KnowledgeFilters } from "./queries.ts"
import { QueryTab } from "./query-tab.tsx"
import { SettingsTab } from "./settings-tab.tsx"

export type SetFilters = (change: { [name in keyof KnowledgeFilters]?: string | undefined }) => void

type DrawerProps = {
  /** The id or the slug. */
  readonly id: string
  readonly filters: KnowledgeFilters
  readonly onFilters: SetFilters
  readonly onClose: () => void
}

export function PipelineDrawer({ id, filters, onFilters, onClose }: DrawerProps): ReactNode {
  const { data: pipeline, error, refetch } = useQuery(pipelineQuery(id))
  const tabs =
    pipeline === undefined
      ? []
      : [
          {
            id: "documents",
            label: "Documents",
            content: <DocumentsTab pipeline={pipeline} find={filters.find} onFind={(find) => onFilters({ find })} />,
          },
          {
            id: "query",
            label: "Try a query",
            content: <QueryTab pipeline={pipeline} ask={filters.ask} onAsk={(ask) => onFilters({ ask })} />,
          },
          { id: "settings", label: "Settings", content: <SettingsTab pipeline={pipeline} onRemoved={onClose} /> },
        ]
  return (
    <Drawer
      isOpen
      title={pipeline === undefined ? "Pipeline" : safeLine(pipeline.name)}
      {...(pipeline === undefined
        ? {}
        : {
            about: (
              <>
                <Mono className="break-all">{pipeline.slug}</Mono>, {counted(pipeline.documents, "document")},{" "}
                {counted(pipeline.chunks, "chunk")}
              </>
            ),
          })}
      onClose={onClose}
    >
      {pipeline !== undefined ? (
        <div className="flex flex-col">
          <IndexProgress pipeline={pipeline} />
          <Tabs
            label="Pipeline"
            tabs={tabs}
            open={tabs.some((tab) => tab.id === filters.tab) ? (filters.tab ?? "documents") : "documents"}
            onOpen={(tab) => onFilters({ tab })}
          />
        </div>
      ) : error === null ? (
        <Skeleton />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
    </Drawer>
  )
}
