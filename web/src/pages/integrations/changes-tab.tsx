// Tools that differ from the version a person accepted: what changed, and accepting it.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQuery } from "@tanstack/react-query"
import type { ConnectionView, ToolSchemaView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { lazily } from "../../ui/lazily.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Mono, safeJson, safeText } from "../../ui/text/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"
import { ChangeUsage } from "../../ui/tool-usage.tsx"
import { counted, refreshCatalog } from "../../api/catalog.ts"
import { connectionPath } from "../../api/connection-path.ts"

const ChangeDiff = lazily(() => import("./change-diff.tsx").then((part) => part.ChangeDiff), 2)

type ToolChange = NonNullable<ToolSchemaView["change"]>

export function ChangesTab({ connections }: { readonly connections: readonly ConnectionView[] }): ReactNode {
  const changed = connections.filter(({ changedTools }) => changedTools.length > 0)
  if (changed.length === 0) return <Empty title="Nothing changed">Every tool is as somebody accepted it.</Empty>
  return (
    <div className="flex flex-col gap-6">
      <p className="max-w-3xl text-secondary">
        These tools are not what they were when somebody accepted them. Until they are accepted again, each of their calls asks for
        approval.
      </p>
      {changed.map((connection) => (
        <ConnectionChanges key={connection.address} connection={connection} />
      ))}
    </div>
  )
}

function ConnectionChanges({ connection }: { readonly connection: ConnectionView }): ReactNode {
  const missing = useMissingRight("connections.org")
  const reason = connection.owner === "org" ? missing : null
  const accept = useMutation({
    mutationFn: (tools: readonly string[]) => client.connections.update(connection, { acceptTools: tools }),
    onSuccess: (_after, tools) => {
      toast(`Accepted ${counted(tools.length, "changed tool")}`)
      return refreshCatalog()
    },
    onError: toastError,
  })
  const path = connectionPath(connection)
  return (
    <section aria-label={`Changes of ${path}`} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">
          <Mono className="!text-base">{path}</Mono>
        </h2>
        <Button isBusy={accept.isPending} reason={reason} onClick={() => accept.mutate(connection.changedTools)}>
          {connection.changedTools.length === 1 ? "Accept it" : `Accept all ${connection.changedTools.length}`}
        </Button>
      </div>
      <ul className="flex flex-col gap-2">
        {connection.changedTools.map((tool) => (
          <li key={tool} className="rounded-card border border-line">
            <Change
              address={`${connection.address}.${tool}`}
              tool={tool}
              isBusy={accept.isPending}
              reason={reason}
              onAccept={() => accept.mutate([tool])}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

type ChangeProps = {
  readonly address: string
  readonly tool: string
  readonly isBusy: boolean
  readonly reason: string | null
  readonly onAccept: () => void
}

/** Asked for when it is opened: there may be thousands. */
function Change({ address, tool, isBusy, reason, onAccept }: ChangeProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const schema = useQuery({ queryKey: ["tools", "schema", address], queryFn: () => client.tools.schema(address), enabled: isOpen })
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer px-3 py-2">
        <Mono>{tool}</Mono>
      </summary>
      <div className="flex flex-col gap-3 border-t border-line p-3">
        {schema.error === null ? null : <Failure error={schema.error} onRetry={() => void schema.refetch()} />}
        {schema.isPending ? <Skeleton rows={2} /> : null}
        {isOpen ? <ChangeUsage address={address} /> : null}
        {schema.data === undefined ? null : <ChangeView change={schema.data?.change ?? null} />}
        <div className="flex justify-end">
          <Button kind="primary" isBusy={isBusy} reason={reason} onClick={onAccept}>
            Accept this version
          </Button>
        </div>
      </div>
    </details>
  )
}

const fieldLabels: Readonly<Record<ToolChange["fields"][number], string>> = {
  title: "Title",
  description: "Description",
  effect: "Effect",
  requiresApproval: "Requires approval",
  inputSchema: "Input",
  outputSchema: "Output",
}

function ChangeView({ change }: { readonly change: ToolChange | null }): ReactNode {
  if (change === null) return <p className="text-secondary">The source no longer has this tool.</p>
  const { accepted, current, fields } = change
  return (
    <div className="flex flex-col gap-3">
      {accepted === null ? (
        <p className="text-secondary">This tool is new: nobody has accepted it yet.</p>
      ) : (
        <ChangeDiff accepted={accepted} current={current} />
      )}
      <details open={accepted === null}>
        <summary className="control-height cursor-pointer py-1 text-secondary">In full</summary>
        <div className="flex flex-col gap-3 pt-2">
          {fields.map((field) => (
            <div key={field} className="flex flex-col gap-1">
              <h3 className="flex items-center gap-2 font-medium">
                {fieldLabels[field]}
                {field === "effect" ? <Badge tone="danger">what its calls do changed</Badge> : null}
              </h3>
              <div className="grid gap-2 min-[900px]:grid-cols-2">
                {accepted === null ? null : <Side label="Accepted" sign="−" look="tint-danger" value={accepted[field]} />}
                <Side label="Now" sign="+" look="tint-ok" value={current[field]} />
              </div>
            </div>
          ))}
        </div>
      </details>
    </div>
  )
}

type SideProps = { readonly label: string; readonly sign: string; readonly look: string; readonly value: unknown }

const Side = ({ label, sign, look, value }: SideProps): ReactNode => (
  <div
    role="region"
    aria-label={label}
    tabIndex={0}
    className={`stranger max-h-80 min-w-0 overflow-auto rounded-control px-2 py-1 font-mono text-sm break-words whitespace-pre-wrap ${look}`}
  >
    <span className="font-sans font-medium">
      {sign} {label}:{" "}
    </span>
    {typeof value === "string" ? safeText(value) : safeJson(value, 2)}
  </div>
)
