// Which version of the server this is, where it keeps its data, and where its API is described.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { healthQuery } from "../../api/query.ts"
import { Status } from "../../ui/badge.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Mono } from "../../ui/text/text.tsx"

const stores: Readonly<Record<string, string>> = { sqlite: "SQLite", postgres: "PostgreSQL" }

export function VersionsTab(): ReactNode {
  const { data, error, refetch } = useQuery(healthQuery)
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={3} />
  const isOk = data.status === "ok"
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <dl className="grid grid-cols-[120px_1fr] gap-x-3 gap-y-2">
        <dt className="text-secondary">Server</dt>
        <dd>
          <Mono>{data.version}</Mono>
        </dd>
        <dt className="text-secondary">Health</dt>
        <dd>
          <Status tone={isOk ? "ok" : "danger"}>{isOk ? "Healthy" : data.status}</Status>
        </dd>
        <dt className="text-secondary">Data</dt>
        <dd>{stores[data.store] ?? data.store}</dd>
      </dl>
      <p>
        {/* The server's own page, which is not one of the console's. */}
        <a href="/api/docs" className="text-accent underline">
          API reference
        </a>{" "}
        of this version, made from what the server accepts.
      </p>
    </div>
  )
}
