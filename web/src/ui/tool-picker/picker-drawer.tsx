// The details of one tool, while others are being chosen.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { ToolView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { Drawer } from "../dialogs/dialog.tsx"
import { Json } from "../text/json.tsx"
import { Failure, Skeleton } from "../states.tsx"
import { Mono, Prose, safeLine } from "../text/text.tsx"
import { BucketBadge, StatusBadge, SubtypeBadge, VersionBadge } from "../tool-badges.tsx"

type PickerDrawerProps = { readonly tool: ToolView; readonly onClose: () => void }

export function PickerDrawer({ tool, onClose }: PickerDrawerProps): ReactNode {
  const schema = useQuery({
    queryKey: ["tools", "schema", tool.address],
    queryFn: () => client.tools.schema(tool.address),
  })
  return (
    <Drawer
      title={safeLine(tool.title === "" ? tool.name : tool.title)}
      about={<Mono className="break-all">{tool.address}</Mono>}
      isOpen
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap gap-1.5">
          <BucketBadge tool={tool} />
          <SubtypeBadge tool={tool} />
          <StatusBadge tool={tool} />
          <VersionBadge tool={tool} />
        </div>
        {tool.description === "" ? null : <Prose>{tool.description}</Prose>}
        {schema.error !== null ? (
          <Failure error={schema.error} onRetry={() => void schema.refetch()} />
        ) : schema.data === undefined ? (
          <Skeleton rows={3} />
        ) : schema.data === null ? (
          <p className="text-secondary">It cannot be called now, so that its schemas are not shown.</p>
        ) : (
          <>
            <Json value={schema.data.inputSchema} label="Input" />
            {schema.data.outputSchema === null ? null : <Json value={schema.data.outputSchema} label="Output" />}
          </>
        )}
      </div>
    </Drawer>
  )
}
