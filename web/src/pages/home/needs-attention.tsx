// What is wrong with connections, each problem with the way to it.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import { connectionsQuery } from "../../api/catalog.ts"
import { Failure } from "../../ui/states.tsx"
import { Line } from "../../ui/text/text.tsx"
import { Section } from "./page.tsx"
import { problemsOf } from "./problems.ts"

export function NeedsAttention(): ReactNode {
  const { data, error, refetch } = useQuery(connectionsQuery())
  const problems = problemsOf(data ?? [])
  return (
    <Section title="Needs attention">
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data !== undefined && problems.length === 0 ? (
        <p className="text-secondary">
          {data.length === 0 ? "Nothing is connected yet." : "All connections work, and no tool has changed."}
        </p>
      ) : null}
      <ul className="flex flex-col gap-1">
        {problems.map(({ key, connection, text }) => (
          <li key={key}>
            <Link to="/connections" search={{ connection }} className="tint-warn block rounded-control px-3 py-1.5 no-underline">
              <Line>{text}</Line>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
