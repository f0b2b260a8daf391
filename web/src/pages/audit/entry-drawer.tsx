// One entry of the audit with everything that was recorded.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { AuditView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { CopyButton } from "../../ui/text/copy.tsx"
import { Drawer } from "../../ui/dialogs/dialog.tsx"
import { Json } from "../../ui/text/json.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Mono, safeLine } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"

type EntryDrawerProps = {
  readonly id: string | undefined
  /** As the list has it, if it does. */
  readonly listed: AuditView | undefined
  readonly onClose: () => void
}

/** A link leads to its entry, wherever that stands in the list, and whether or not the filters let it through. */
export function EntryDrawer({ id, listed, onClose }: EntryDrawerProps): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ["audit", "entry", id],
    queryFn: async () => (await client.audit.list({ id: id ?? "", limit: 1 })).items[0] ?? null,
    enabled: id !== undefined && listed === undefined,
  })
  const entry = listed ?? data
  return (
    <Drawer
      isOpen={id !== undefined}
      title={entry == null ? "Entry" : safeLine(entry.action)}
      {...(entry == null ? {} : { about: <Mono className="break-all">{entry.subject}</Mono> })}
      onClose={onClose}
    >
      {entry != null ? (
        <Entry entry={entry} />
      ) : error !== null ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : entry === undefined ? (
        <Skeleton />
      ) : (
        <Empty title="There is no such entry">
          It was deleted for its age, or tells what somebody else did. The right auditor reads everything.
        </Empty>
      )}
    </Drawer>
  )
}

function Entry({ entry }: { readonly entry: AuditView }): ReactNode {
  const { principal, executionId, rule } = entry
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1.5">
        <Fact name="Time">
          <Time at={entry.at} /> <span className="text-tertiary">({entry.at})</span>
        </Fact>
        <Fact name="Who">
          <Mono>{whoOf(entry)}</Mono> <span className="text-tertiary">as {principal.kind}</span>
        </Fact>
        <Fact name="Outcome">
          <Mono>{entry.outcome}</Mono>
        </Fact>
        <Fact name="Decision">
          <Mono>{entry.decision ?? "none"}</Mono>
        </Fact>
        <Fact name="Rule">
          {rule === null ? (
            "none"
          ) : (
            <Link to="/policies" search={{ rule }}>
              <Mono className="break-all">{rule}</Mono>
            </Link>
          )}
        </Fact>
        <Fact name="Execution">
          {executionId === null ? (
            "none"
          ) : (
            <Link to="/executions/$id" params={{ id: executionId }}>
              <Mono className="break-all">{executionId}</Mono>
            </Link>
          )}
        </Fact>
        <Fact name="Entry">
          <span className="flex items-center">
            <Mono className="break-all">{entry.id}</Mono>
            <CopyButton text={entry.id} label="Copy the entry's id" />
          </span>
        </Fact>
        <Fact name="Place in the chain">{entry.position === null ? "not sealed yet" : entry.position.toLocaleString("en")}</Fact>
        {entry.hash === null ? null : (
          <Fact name="Hash">
            <Mono className="break-all">{entry.hash}</Mono>
          </Fact>
        )}
      </dl>
      <Json value={entry.details} label="Details" />
    </div>
  )
}

/** The token of this machine's own human is called like the human. */
export const whoOf = ({ principal }: AuditView): string =>
  principal.tokenName == null || principal.tokenName === principal.user ? principal.user : `${principal.user} (${principal.tokenName})`

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode => (
  <>
    <dt className="text-secondary">{name}</dt>
    <dd>{children}</dd>
  </>
)
