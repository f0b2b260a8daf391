// What a tool does, how code calls it, and what the policies decide about its calls.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { RegistryToolView, ToolView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { CopyButton } from "../../ui/text/copy.tsx"
import { Line, Mono, Prose, safeText } from "../../ui/text/text.tsx"
import { waitingChange } from "../../ui/tool-badges.tsx"
import { schemaQuery } from "./queries.ts"
import { pathOf } from "./path.ts"

export type TabProps = {
  readonly tool: ToolView
  /** As it is edited, of a tool that was made here. */
  readonly made: RegistryToolView | undefined
}

const verdicts = {
  allow: "Calls run at once.",
  require_approval: "Calls wait for a human's approval.",
  block: "Calls are blocked.",
} as const

export function OverviewTab({ tool, made }: TabProps): ReactNode {
  const isCallable = tool.status === "published" || tool.status === "deprecated"
  const schema = useQuery({ ...schemaQuery(tool.address), enabled: isCallable && tool.policy !== "block" })
  const explained = useQuery({
    queryKey: ["policies", "explain", tool.address],
    queryFn: () => client.policies.explain({ address: tool.address }),
    enabled: isCallable,
  })
  const waits = waitingChange(tool)
  return (
    <div className="flex flex-col gap-4">
      {waits === null ? null : <p className="tint-warn rounded-control px-2 py-1">{waits}.</p>}
      {tool.description === "" ? <p className="text-tertiary">It has no description.</p> : <Prose>{tool.description}</Prose>}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2">
        <Fact label="Path">
          <span className="flex items-center gap-1">
            <Mono className="break-all">{pathOf(tool)}</Mono>
            <CopyButton text={pathOf(tool)} label="Copy the path" />
          </span>
        </Fact>
        {made === undefined ? (
          <Fact label="From">
            <Line>{tool.integration}</Line>
          </Fact>
        ) : (
          <Fact label="Made by">
            <Line>{made.createdBy}</Line>
          </Fact>
        )}
        {made?.replacedBy == null ? null : (
          <Fact label="Use instead">
            <Link to="/registry" search={{ tool: `registry.org.main.${made.replacedBy}` }}>
              <Mono>{made.replacedBy}</Mono>
            </Link>
          </Fact>
        )}
        <Fact label="Policy">
          {isCallable ? verdicts[tool.policy] : "Only a test can call it until it is published."}
          {explained.data === undefined ? null : <Line className="block text-secondary">{explained.data.message}</Line>}
        </Fact>
      </dl>
      {schema.data === undefined || schema.data === null ? null : (
        <section className="flex flex-col gap-1">
          <h3 className="font-semibold">In code</h3>
          <pre
            tabIndex={0}
            role="region"
            aria-label="Signature"
            className="stranger max-h-80 overflow-auto rounded-control border border-line bg-surface p-2 font-mono text-sm break-words whitespace-pre-wrap"
          >
            {safeText(`tools.${pathOf(tool)}(input: ${schema.data.inputTypeScript}): ${schema.data.outputTypeScript}`)}
          </pre>
        </section>
      )}
    </div>
  )
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode => (
  <>
    <dt className="text-secondary">{label}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
)
