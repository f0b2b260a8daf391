// One entry of the audit with everything that was recorded.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import type { AuditView } from "toolplane/client"
import { CopyButton } from "../../ui/copy.tsx"
import { Drawer } from "../../ui/dialog.tsx"
import { Json } from "../../ui/json.tsx"
import { Empty } from "../../ui/states.tsx"
import { Mono, safeLine } from "../../ui/text.tsx"
import { Time } from "../../ui/time.tsx"

type EntryDrawerProps = { readonly id: string | undefined; readonly entry: AuditView | undefined; readonly onClose: () => void }

export const EntryDrawer = ({ id, entry, onClose }: EntryDrawerProps): ReactNode => (
  <Drawer
    isOpen={id !== undefined}
    title={entry === undefined ? "Entry" : safeLine(entry.action)}
    {...(entry === undefined ? {} : { about: <Mono className="break-all">{entry.subject}</Mono> })}
    onClose={onClose}
  >
    {entry === undefined ? (
      <Empty title="This entry is not among those that are loaded" command="executor audit list">
        Filter for it, or scroll further down in the list.
      </Empty>
    ) : (
      <Entry entry={entry} />
    )}
  </Drawer>
)

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

export const whoOf = ({ principal }: AuditView): string =>
  principal.tokenName == null ? principal.user : `${principal.user} (${principal.tokenName})`

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode => (
  <>
    <dt className="text-secondary">{name}</dt>
    <dd>{children}</dd>
  </>
)
