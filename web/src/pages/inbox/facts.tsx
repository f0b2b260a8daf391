// What stands around a call: where it goes, with which account, who asks and why.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import type { ApprovalView } from "toolplane/client"
import { ToolAddress } from "toolplane/client"
import { Badge } from "../../ui/badge.tsx"
import type { Tone } from "../../ui/badge.tsx"
import { Line, Mono, safeLine } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"

const effects: Record<ApprovalView["effect"], readonly [Tone, string]> = {
  read: ["info", "Reads"],
  write: ["warn", "▲ Changes data"],
  destroy: ["danger", "✕ Deletes or overwrites"],
}

export function EffectBadge({ effect, effectAssumed }: Pick<ApprovalView, "effect" | "effectAssumed">): ReactNode {
  const [tone, text] = effectAssumed === true ? (["danger", "? May change anything"] as const) : effects[effect]
  return <Badge tone={tone}>{text}</Badge>
}

export const askedBy = ({ requestedBy, isOwn, principal }: ApprovalView): string =>
  isOwn || requestedBy === principal.user ? requestedBy : `${requestedBy}, for ${principal.user}`

/** Who asks, with the agent whose run it is. */
export const askerText = (one: ApprovalView): string =>
  one.agent === undefined ? askedBy(one) : `${askedBy(one)} · agent ${agentText(one.agent)}`

/** With the step of its run that asks. */
export const agentText = ({ slug, version, step }: NonNullable<ApprovalView["agent"]>): string =>
  `${slug} ${version}, ${step === undefined ? "before it begins" : `step ${step} of its run`}`

/** Where more than one calls, only what is the same for all of them is told. */
export function Facts({ items }: { readonly items: readonly [ApprovalView, ...ApprovalView[]] }): ReactNode {
  const [one] = items
  const isSame = (read: (item: ApprovalView) => unknown): boolean => new Set(items.map((item) => JSON.stringify(read(item)))).size === 1
  const told = (name: string, read: (item: ApprovalView) => unknown, children: ReactNode): ReactNode =>
    items.every((item) => read(item) === undefined) ? null : <Fact name={name}>{isSame(read) ? children : differs}</Fact>
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {told("Request", ({ request }) => request, <RequestLine one={one} />)}
      <Fact name="Account">
        <Account address={one.address} />
      </Fact>
      {told(
        "Asked by",
        askedBy,
        <>
          <Line>{askedBy(one)}</Line>
          {isSame(({ executionId }) => executionId) ? <ExecutionLink one={one} /> : null}
        </>,
      )}
      {told("Agent", ({ agent }) => agent, one.agent === undefined ? null : <Line>{agentText(one.agent)}</Line>)}
      {told("Through", ({ via, path }) => (via === undefined ? undefined : [via, path]), <Through one={one} />)}
      {told("Why", ({ reason, rule }) => [reason, rule?.id], <Why one={one} />)}
      <Fact name="Waits">
        <Waits items={items} />
      </Fact>
    </dl>
  )
}

const differs = "differs: see Details"

type OneProps = { readonly one: ApprovalView }

const RequestLine = ({ one: { request } }: OneProps): ReactNode =>
  request === undefined ? null : (
    <span className="font-mono text-sm break-all">
      {safeLine(request.method)} <RequestUrl text={request.url} />
    </span>
  )

const ExecutionLink = ({ one: { executionId, isOwn } }: OneProps): ReactNode =>
  executionId === null || !isOwn ? null : (
    <>
      {" · "}
      <Link to="/executions/$id" params={{ id: executionId }}>
        {executionId}
      </Link>
    </>
  )

const Through = ({ one }: OneProps): ReactNode => (
  <>
    {(one.path ?? []).slice(0, -1).map((tool, at) => (
      <span key={at}>
        <Mono>{tool}</Mono> ▸{" "}
      </span>
    ))}
    The tool <Mono>{one.via ?? ""}</Mono>, whose own code makes this call
  </>
)

const Why = ({ one: { reason, rule } }: OneProps): ReactNode => (
  <>
    <Line>{reason}</Line>
    {rule === undefined ? null : (
      <>
        {" · "}
        <Link to="/policies" search={{ rule: rule.id }}>
          Open the rule
        </Link>
      </>
    )}
  </>
)

function Waits({ items }: { readonly items: readonly [ApprovalView, ...ApprovalView[]] }): ReactNode {
  const first = (times: readonly [string, ...string[]]): string => times.reduce((one, other) => (other < one ? other : one))
  const [one, ...others] = items
  const asked = <Time at={first([one.createdAt, ...others.map(({ createdAt }) => createdAt)])} />
  const until = <Time at={first([one.expiresAt, ...others.map(({ expiresAt }) => expiresAt)])} />
  return others.length === 0 ? (
    <>
      asked {asked}, expires {until}
    </>
  ) : (
    <>
      first asked {asked}, first expires {until}
    </>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode => (
  <>
    <dt className="text-tertiary">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
)

/** The host stands out: it is what tells one API from another. */
function RequestUrl({ text }: { readonly text: string }): ReactNode {
  const url = URL.parse(text)
  if (url === null) return safeLine(text)
  return (
    <bdi className="stranger">
      {url.protocol}//<strong>{url.host}</strong>
      {safeLine(text.slice(url.origin.length))}
    </bdi>
  )
}

function Account({ address }: { readonly address: string }): ReactNode {
  const tool = ToolAddress.check(address)
  if (!tool.ok) return "None: the tool is part of Executor or of a plugin"
  const { integration, owner, connection } = tool.value
  return (
    <>
      <strong>{connection}</strong> of <strong>{integration}</strong>,{" "}
      {owner === "org" ? "shared by the organization" : "owned by the user who asks"}
    </>
  )
}
