// The page Agents: the agents that run here, and the tokens of those that run elsewhere.
import type { ReactNode } from "react"
import { useNavigate } from "@tanstack/react-router"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { AgentList } from "./list.tsx"
import { NewAgent } from "./new-agent.tsx"
import { TokensSection } from "./tokens/section.tsx"

export type AgentsFilters = "tab" | "new" | "token"

const tabs = [
  ["agents", "Agents"],
  ["tokens", "Tokens of external agents"],
] as const

export function Page(): ReactNode {
  const [{ tab, new: isNew }, set] = useFilters<AgentsFilters>()
  const navigate = useNavigate()
  const missing = useMissingRight("registry.write")
  const isTokens = tab === "tokens"
  return (
    <PageFrame
      title="Agents"
      actions={
        isTokens ? (
          <Button kind="primary" onClick={() => set({ token: "new" }, { isStep: true })}>
            New token
          </Button>
        ) : (
          <Button kind="primary" reason={missing} onClick={() => set({ new: "agent" }, { isStep: true })}>
            New agent
          </Button>
        )
      }
    >
      <div className="flex flex-wrap gap-1" role="group" aria-label="What is shown">
        {tabs.map(([id, label]) => (
          <Button
            key={id}
            kind={isTokens === (id === "tokens") ? "secondary" : "quiet"}
            aria-pressed={isTokens === (id === "tokens")}
            onClick={() => set({ tab: id === "agents" ? undefined : id, new: undefined, token: undefined })}
          >
            {label}
          </Button>
        ))}
      </div>
      {isTokens ? <TokensSection /> : <AgentList onNew={() => set({ new: "agent" }, { isStep: true })} />}
      <NewAgent
        isOpen={isNew !== undefined && !isTokens}
        missing={missing}
        onClose={() => set({ new: undefined })}
        onMade={(slug) => void navigate({ to: "/agents/$slug", params: { slug } })}
      />
    </PageFrame>
  )
}
