// Which approvals are listed: those for the reader, those for others, or those of one execution.
import type { ReactNode } from "react"
import { Mono } from "../../ui/text/text.tsx"
import { Button } from "../../ui/button.tsx"
import type { Tab } from "./queries.ts"

type ScopeProps = { readonly tab: Tab; readonly execution: string | undefined; readonly onTab: (tab: Tab) => void }

export const Scope = ({ tab, execution, onTab }: ScopeProps): ReactNode =>
  execution === undefined ? (
    <div className="flex gap-1" role="group" aria-label="For whom">
      {(["me", "others"] as const).map((one) => (
        <Button key={one} kind={one === tab ? "secondary" : "quiet"} aria-pressed={one === tab} onClick={() => onTab(one)}>
          {one === "me" ? "For you" : "For others"}
        </Button>
      ))}
    </div>
  ) : (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-secondary">
      <span>
        Only the execution <Mono>{execution}</Mono>
      </span>
      <Button onClick={() => onTab("me")}>Show all that waits</Button>
    </div>
  )
