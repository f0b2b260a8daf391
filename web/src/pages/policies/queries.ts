// What the page Policies asks the API for.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import type { BacktestRule, PatternCount, PolicyView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { rolesQuery } from "../../api/people.ts"
import type { Filters } from "../../app/search.ts"

/** `rule`: the id of the one that is edited, or `new`. */
export type PolicyFilters = Filters<"rule" | "pattern" | "tab" | "address">

export const policiesQuery = queryOptions({ queryKey: ["policies", "list"], queryFn: () => client.policies.list() })

/** As many as one request takes. */
const patternsMax = 100

export const matchesQuery = (patterns: readonly string[]) =>
  queryOptions({
    queryKey: ["policies", "matches", patterns],
    queryFn: async ({ signal }) => {
      const counted: PatternCount[] = []
      for (let at = 0; at < patterns.length; at += patternsMax)
        counted.push(...(await client.policies.matches(patterns.slice(at, at + patternsMax), { signal })))
      return counted
    },
    enabled: patterns.length > 0,
    placeholderData: keepPreviousData,
  })

const rowsMax = 20

export const backtestQuery = (rules: readonly BacktestRule[], isAsked: boolean) =>
  queryOptions({
    queryKey: ["policies", "backtest", rules],
    queryFn: () => client.policies.backtest({ rules, changedOnly: true, limit: rowsMax }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })

export const roleNamesQuery = queryOptions({
  ...rolesQuery,
  select: (roles) => roles.map(({ id, name }): readonly [string, string] => [id, name]),
})

/** A stored rule as a back-test takes it. */
export const toBacktestRule = ({ id, owner, pattern, action, when, position, role }: PolicyView): BacktestRule => ({
  id,
  owner,
  pattern,
  action,
  when,
  position,
  ...(role === undefined ? {} : { role }),
})
