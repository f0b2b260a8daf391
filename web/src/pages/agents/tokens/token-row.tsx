// One token of an agent: whose it is, what it may use, and when it was last used.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import type { TokenView } from "toolplane/client"
import { Badge } from "../../../ui/badge.tsx"
import { Button } from "../../../ui/button.tsx"
import { Line, Mono, safeLine } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { lastRunQuery } from "./queries.ts"

const patternsShown = 5

export function TokenRow({ token, onRevoke }: { readonly token: TokenView; readonly onRevoke: () => void }): ReactNode {
  const { name, user, client, createdAt, createdBy, expiresAt, debug, elicitation } = token
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  return (
    <li className="flex items-start justify-between gap-3 border-b border-line px-3 py-2 last:border-b-0">
      <div className="flex min-w-0 flex-col gap-0.5">
        <span className="flex flex-wrap items-center gap-2">
          <Line className="font-medium break-all">{name}</Line>
          <Badge tone={client === null ? "neutral" : "info"}>{client === null ? "Token" : "Consent"}</Badge>
          {isOver ? <Badge tone="danger">Expired</Badge> : null}
          {debug ? <Badge tone="warn">Debug mode</Badge> : null}
        </span>
        <span className="text-secondary">
          Acts for <Line>{user}</Line>
          {createdBy === null ? null : (
            <>
              , made by <Line>{createdBy}</Line>
            </>
          )}
          {client === null ? null : (
            <>
              , through <Mono className="break-all">{client}</Mono>
            </>
          )}
        </span>
        <Reach token={token} />
        <span className="flex flex-wrap gap-x-3 text-sm text-tertiary">
          <span>
            Made <Time at={createdAt} />
          </span>
          <span>
            {expiresAt === null ? (
              "Never ends"
            ) : (
              <>
                {isOver ? "Ended" : "Ends"} <Time at={expiresAt} />
              </>
            )}
          </span>
          <LastRun id={token.id} />
          <span>Asks by {elicitation.join(", ")}</span>
        </span>
      </div>
      <Button aria-label={`Revoke ${safeLine(name)}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  )
}

function Reach({ token: { patterns, user } }: { readonly token: TokenView }): ReactNode {
  if (patterns === null)
    return (
      <span className="text-secondary">
        Uses everything that <Line>{user}</Line> can
      </span>
    )
  return (
    <span className="text-secondary">
      Uses only <Mono className="break-all">{patterns.slice(0, patternsShown).join(", ")}</Mono>
      {patterns.length > patternsShown ? ` and ${patterns.length - patternsShown} more` : ""}
    </span>
  )
}

function LastRun({ id }: { readonly id: string }): ReactNode {
  const { data } = useQuery(lastRunQuery(id))
  if (data === undefined) return null
  return data === null ? (
    <span>No execution yet</span>
  ) : (
    <span>
      Last execution{" "}
      <Link to="/executions/$id" params={{ id: data.executionId }}>
        <Time at={data.createdAt} />
      </Link>
    </span>
  )
}
