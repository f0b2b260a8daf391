// The versions of a tool with how much it is used, what differs between two of them, and the way back.
import type { ReactNode } from "react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import type { ToolView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Versions } from "../../ui/lifecycle/versions.tsx"
import type { VersionRow } from "../../ui/lifecycle/versions.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { CallersNow, usageText, useToolUsage } from "../../ui/tool-usage.tsx"
import type { TabProps } from "./overview-tab.tsx"

const versionsMax = 100

type Listed = Omit<VersionRow, "note">

export function VersionsTab({ tool, made }: TabProps): ReactNode {
  const missing = useMissingRight("registry.publish")
  const queries = useQueryClient()
  const versions = useQuery({
    queryKey: ["tools", "versions", tool.address],
    queryFn: (): Promise<readonly Listed[]> => (tool.id === undefined ? importedVersions(tool) : madeVersions(tool.id)),
  })
  const usage = useToolUsage(tool.address, tool.status === "published" || tool.status === "deprecated")
  if (versions.error !== null) return <Failure error={versions.error} onRetry={() => void versions.refetch()} />
  if (versions.data === undefined) return <Skeleton />
  if (versions.data.length === 0) return <Empty title="No versions yet">Publishing the tool writes the first one.</Empty>
  const { status } = tool
  const reason = missing ?? (status === "published" || status === "draft" ? null : `A ${status} tool cannot be rolled back`)
  const refresh = (): Promise<unknown> => queries.invalidateQueries({ queryKey: ["tools"] })
  const noteOf = (version: string): string | null => {
    const row = usage.data?.find((one) => one.version === version)
    return row === undefined ? null : usageText(row)
  }
  return (
    <div className="flex flex-col gap-4">
      <Versions
        rows={versions.data.map((row) => ({ ...row, note: noteOf(row.version) }))}
        rollback={
          tool.id === undefined
            ? null
            : {
                reason,
                send: (version) => client.registry.rollback(tool.id ?? "", version),
                onDone: refresh,
                usage: <CallersNow address={tool.address} />,
              }
        }
        hasWorkingCopy={made?.hasUnpublishedChanges === true}
        diffKey={["tools", "diff", tool.address]}
        loadDiff={(between) =>
          tool.id === undefined ? client.tools.diffVersions(tool.address, between) : client.registry.diff(tool.id, between)
        }
      />
    </div>
  )
}

async function madeVersions(id: string): Promise<readonly Listed[]> {
  return (await client.registry.versions(id, { limit: versionsMax })).items
}

async function importedVersions({ address, version }: ToolView): Promise<readonly Listed[]> {
  const { items } = await client.tools.versions(address, { limit: versionsMax })
  return items.map((item) => ({ version: item.version, at: item.at, by: null, reason: null, isPublished: item.version === version }))
}
