// What the rules as they are being written would have decided about the latest calls.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { Backtest, BacktestRule } from "toolplane/client"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { backtestQuery } from "./queries.ts"
import { ActionBadge } from "./rule-text.tsx"

type BacktestProps = {
  /** Null: the draft is not complete. */
  readonly rules: readonly BacktestRule[] | null
  /** Why it cannot be tested. */
  readonly missing: string | null
}

export function BacktestStrip({ rules, missing }: BacktestProps): ReactNode {
  const test = useQuery(backtestQuery(rules ?? [], rules !== null && missing === null))
  return (
    <section
      aria-label="Back-test"
      aria-busy={test.isFetching}
      className="flex flex-col gap-2 rounded-card border border-line bg-surface p-3"
    >
      <h3 className="font-semibold">What the rules would then have decided</h3>
      {missing !== null ? (
        <p className="text-secondary">{missing}: whoever has it can test rules on the calls that were made.</p>
      ) : rules === null ? (
        <p className="text-secondary">Write the rule, and it is tested on the latest calls that were made. Nothing is called.</p>
      ) : test.error !== null ? (
        <Failure error={test.error} onRetry={() => void test.refetch()} />
      ) : test.data === undefined ? (
        <Skeleton rows={2} />
      ) : (
        <Answer test={test.data} />
      )}
    </section>
  )
}

function Answer({ test }: { readonly test: Backtest }): ReactNode {
  const total = Object.values(test.changed).reduce((sum, count) => sum + count, 0)
  return (
    <>
      <p role="status">{summaryOf(test)}</p>
      {test.rows.length === 0 ? null : (
        <ul aria-label="Calls that it would have decided otherwise" className="divide-y divide-line">
          {test.rows.map(({ executionId, callKey, path, time, principal, was, would }) => (
            <li key={`${executionId} ${callKey}`}>
              <Link
                to="/executions/$id"
                params={{ id: executionId }}
                search={{ call: callKey }}
                className="control-height flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-1 py-1 text-text no-underline hover:bg-hover"
              >
                <span className="flex items-center gap-1">
                  <ActionBadge action={was} />
                  <span aria-label="becomes">→</span>
                  <ActionBadge action={would} />
                </span>
                <Mono className="min-w-0 basis-full break-all min-[900px]:flex-1 min-[900px]:basis-0">{path}</Mono>
                <span className="text-sm text-secondary">
                  <Line>{principal.tokenName ?? principal.user}</Line>
                </span>
                <span className="text-sm text-tertiary">
                  <Time at={time} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {total > test.rows.length ? (
        <p className="text-sm text-tertiary">
          The latest {test.rows.length} of {total.toLocaleString("en")}.
        </p>
      ) : null}
    </>
  )
}

export function summaryOf({ calls, changed }: Pick<Backtest, "calls" | "changed">): string {
  if (calls === 0) return "No call was made yet that it could be tested on."
  const count = (...names: string[]): string => names.reduce((sum, name) => sum + (changed[name] ?? 0), 0).toLocaleString("en")
  const freed = [
    ...(changed["block→allow"] === undefined ? [] : [`allowed ${count("block→allow")} that were blocked`]),
    ...(changed["block→ask"] === undefined ? [] : [`asked ${count("block→ask")} that were blocked`]),
  ]
  const parts = [
    `allowed ${count("ask→allow")} that asked`,
    `asked ${count("allow→ask")} that ran`,
    `blocked ${count("allow→block", "ask→block")}`,
    ...freed,
  ]
  return `Of the last ${calls === 1 ? "call" : `${calls.toLocaleString("en")} calls`} this would have ${parts.join(", ")}.`
}
