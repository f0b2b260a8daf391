// The first steps, shown until an API is there, something has run, and an agent has its way in.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { LinkButton } from "../../ui/button.tsx"
import { Command } from "../../ui/states.tsx"
import { Section } from "./page.tsx"

const firstOf = { limit: 1 } as const

export function FirstSteps(): ReactNode {
  const integrations = useQuery({ queryKey: ["integrations", "home"], queryFn: () => client.integrations.list(firstOf) })
  const executions = useQuery({ queryKey: ["executions", "first"], queryFn: () => client.executions.list(firstOf) })
  const hasApi = (integrations.data?.items.length ?? 0) > 0
  const hasRun = (executions.data?.items.length ?? 0) > 0
  return (
    <>
      {integrations.data === undefined || executions.data === undefined || (hasApi && hasRun) ? null : (
        <Section title="First steps">
          <ol className="flex list-decimal flex-col gap-3 pl-5">
            <Step
              isDone={hasApi}
              text="Add an API: by its name, a URL or a file. The demo comes with a small one, which you start in another terminal."
            >
              <AddButton />
              <Command text="executor demo --api" />
              <Command text="executor integrations add http://127.0.0.1:4790/openapi.json" />
            </Step>
            <Step isDone={hasRun} text="Find a tool and call it.">
              <LinkButton kind={hasApi ? "primary" : "secondary"} to="/playground">
                Open the playground
              </LinkButton>
              <Command text={'executor tools search "which products run low"'} />
              <Command text="executor call shop.products.list stockMax=5" />
            </Step>
          </ol>
        </Section>
      )}
      <Section title="Connect an agent">
        <p className="text-secondary">
          Give your MCP client this address. It opens a page here on which you sign in and choose what it may use.
        </p>
        <Command text={`${location.origin.replace("//localhost", "//127.0.0.1")}/mcp`} />
        <p className="text-secondary">
          Programs use the <a href="/api/docs">API</a>. Your <Link to="/passkeys">passkeys</Link> have a page of their own.
        </p>
      </Section>
    </>
  )
}

function AddButton(): ReactNode {
  const missing = useMissingRight("connections.org")
  return (
    <LinkButton kind="primary" to="/integrations" search={{ add: "presets" }} reason={missing}>
      Add integration
    </LinkButton>
  )
}

type StepProps = { readonly isDone: boolean; readonly text: string; readonly children: ReactNode }

const Step = ({ isDone, text, children }: StepProps): ReactNode => (
  <li>
    <p className={isDone ? "text-tertiary line-through" : ""}>
      {isDone ? <span className="sr-only">Done: </span> : null}
      {text}
    </p>
    {isDone ? null : <div className="flex flex-col items-start gap-2 pt-2">{children}</div>}
  </li>
)
