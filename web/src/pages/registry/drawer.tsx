// A tool beside the list; which one and which tab is in the address.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Drawer } from "../../ui/dialogs/dialog.tsx"
import { lazily } from "../../ui/lazily.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Mono, safeLine } from "../../ui/text/text.tsx"
import { NoTool } from "./no-tool.tsx"
import { toolQuery } from "./queries.ts"
import { pathOf } from "./path.ts"

const ToolDetails = lazily(() => import("./details.tsx").then((part) => part.ToolDetails))

type ToolDrawerProps = {
  readonly address: string | undefined
  readonly tab: string | undefined
  readonly onTab: (tab: string) => void
  readonly onClose: () => void
}

export function ToolDrawer({ address, tab, onTab, onClose }: ToolDrawerProps): ReactNode {
  const found = useQuery({ ...toolQuery(address ?? ""), enabled: address !== undefined })
  const tool = found.data
  return (
    <Drawer
      title={tool == null ? "Tool" : safeLine(tool.title === "" ? tool.name : tool.title)}
      {...(tool == null ? {} : { about: <Mono className="break-all">{pathOf(tool)}</Mono> })}
      isOpen={address !== undefined}
      onClose={onClose}
    >
      {found.error !== null ? (
        <Failure error={found.error} onRetry={() => void found.refetch()} />
      ) : tool === undefined ? (
        <Skeleton />
      ) : tool === null ? (
        <NoTool />
      ) : (
        <ToolDetails tool={tool} tab={tab} onTab={onTab} onGone={onClose} />
      )}
    </Drawer>
  )
}
