// How much each version of a tool was used lately: whom a change of it reaches.
import type { ReactNode } from "react"
import type { UseQueryResult } from "@tanstack/react-query"
import { useQuery } from "@tanstack/react-query"
import type { ToolVersionView } from "toolplane/client"
import { client } from "../api/client.ts"
import { safeLine } from "./text/text.tsx"

const versionsMax = 100

/** Newest first. */
export const useToolUsage = (address: string, isEnabled = true): UseQueryResult<readonly ToolVersionView[]> =>
  useQuery({
    queryKey: ["tools", "usage", address],
    queryFn: async () => (await client.tools.versions(address, { limit: versionsMax })).items,
    enabled: isEnabled,
    retry: false,
  })

/** `12 calls by 3 callers`, or that nobody called it. */
export function usageText({ callsLast30Days: calls, callersLast30Days: callers }: ToolVersionView): string {
  if (calls === 0) return "no calls in 30 days"
  return `${calls.toLocaleString("en")} ${calls === 1 ? "call" : "calls"} by ${callers.toLocaleString("en")} ${callers === 1 ? "caller" : "callers"} in 30 days`
}

/** Beside a change of what is in production: who calls it now. */
export function CallersNow({ address }: { readonly address: string }): ReactNode {
  const { data } = useToolUsage(address)
  const [now] = data ?? []
  if (now === undefined) return null
  return (
    <p className={now.callsLast30Days === 0 ? "text-secondary" : "tint-warn rounded-control px-2 py-1"}>
      In production, version {safeLine(now.version)}: {usageText(now)}.
    </p>
  )
}

/** Beside a change that waits: who calls the tool, as it was and as it is. */
export function ChangeUsage({ address }: { readonly address: string }): ReactNode {
  const { data } = useToolUsage(address)
  if (data === undefined) return null
  return (
    <p className="text-secondary">
      {data.slice(0, 2).map((row, at) => (
        <span key={row.version} className="mr-4 inline-block">
          {at === 0 ? "Now" : "Before"}, version {safeLine(row.version)}: {usageText(row)}
        </span>
      ))}
    </p>
  )
}
