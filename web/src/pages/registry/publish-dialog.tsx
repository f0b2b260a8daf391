// Publishing a tool that was made here.
import type { ReactNode } from "react"
import { useQueryClient } from "@tanstack/react-query"
import type { RegistryToolView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { PublishDialog } from "../../ui/lifecycle/publish-dialog.tsx"
import { CallersNow } from "../../ui/tool-usage.tsx"

type PublishProps = { readonly made: RegistryToolView; readonly onClose: () => void }

export function PublishTool({ made, onClose }: PublishProps): ReactNode {
  const queries = useQueryClient()
  return (
    <PublishDialog
      noun="tool"
      name={made.name}
      isFirst={made.publishedVersion === null}
      usage={<CallersNow address={made.address} />}
      diffKey={["tools", "diff", made.id]}
      loadDiff={() => client.registry.diff(made.id, {})}
      publish={(reason) => client.registry.publish(made.id, { reason })}
      onPublished={() => queries.invalidateQueries({ queryKey: ["tools"] })}
      isOpen
      onClose={onClose}
    />
  )
}
