// What stands around a call: where it goes, with which account, who asks and why.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import type { ApprovalView } from "toolplane/client"
import { ToolAddress } from "toolplane/client"
import { Badge } from "../../ui/badge.tsx"
import type { Tone } from "../../ui/badge.tsx"
import { Line, Mono, safeLine } from "../../ui/text.tsx"
import { Time } from "../../ui/time.tsx"

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

/** With the step of its run that asks. */
export const agentText = ({ slug, version, step }: NonNullable<ApprovalView["agent"]>): string =>
  `${slug} ${version}, ${step === undefined ? "before it begins" : `step ${step} of its run`}`

export const Facts = ({ one }: { readonly one: ApprovalView }): ReactNode => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
    {one.request === undefined ? null : (
      <Fact name="Request">
        <span className="font-mono text-sm break-all">
          {safeLine(one.request.method)} <RequestUrl text={one.request.url} />
        </span>
      </Fact>
    )}
    <Fact name="Account">
      <Account address={one.address} />
    </Fact>
    <Fact name="Asked by">
      <Line>{askedBy(one)}</Line>
      {one.executionId === null || !one.isOwn ? null : (
        <>
          {" · "}
          <Link to="/executions/$id" params={{ id: one.executionId }}>
            {one.executionId}
          </Link>
        </>
      )}
    </Fact>
    {one.agent === undefined ? null : (
      <Fact name="Agent">
        <Line>{agentText(one.agent)}</Line>
      </Fact>
    )}
    {one.via === undefined ? null : (
      <Fact name="Through">
        {(one.path ?? []).slice(0, -1).map((tool, at) => (
          <span key={at}>
            <Mono>{tool}</Mono> ▸{" "}
          </span>
        ))}
        The tool <Mono>{one.via}</Mono>, whose own code makes this call
      </Fact>
    )}
    <Fact name="Why">
      <Line>{one.reason}</Line>
      {one.rule === undefined ? null : (
        <>
          {" · "}
          <Link to="/policies" search={{ rule: one.rule.id }}>
            Open the rule
          </Link>
        </>
      )}
    </Fact>
    <Fact name="Waits">
      since <Time at={one.createdAt} />, expires <Time at={one.expiresAt} />
    </Fact>
  </dl>
)

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
