// The code that asks, with its line: of one call, or of several that come from the same place.
import type { ReactNode } from "react"
import type { ApprovalView } from "toolplane/client"
import { CodeLines } from "../../ui/text/code-lines.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import { agentText } from "./facts.tsx"

const asksText = ({ agent, line }: ApprovalView): string =>
  agent !== undefined ? `The agent that asks: ${safeLine(agentText(agent))}` : line === undefined ? "What asks" : `What asks, line ${line}`

export const CodeOf = ({ one }: { readonly one: ApprovalView }): ReactNode =>
  one.code === undefined ? null : (
    <section aria-label="Code that asks">
      <h3 className="pb-1 font-medium">{asksText(one)}</h3>
      <CodeLines code={one.code} marks={new Map(one.line === undefined ? [] : [[one.line, { tone: "waiting", note: "This line asks" }]])} />
    </section>
  )

/** Calls of one line of one execution show it once. */
export function CodeOfAll({ items }: { readonly items: readonly [ApprovalView, ...ApprovalView[]] }): ReactNode {
  const [one] = items
  const places = new Set(items.map(({ executionId, line, code, agent }) => JSON.stringify([executionId, line, code, agent])))
  if (places.size === 1) return <CodeOf one={one} />
  if (items.every(({ code }) => code === undefined)) return null
  return (
    <section aria-label="Code that asks">
      <h3 className="pb-1 font-medium">What asks</h3>
      <p className="text-secondary">
        The ticked calls come from {places.size} places in code. <strong className="font-medium text-text">Details</strong> in a row shows
        its own, with the line.
      </p>
    </section>
  )
}
