// What the page Policies asks the API for.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import type { BacktestRule, PolicyView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { rolesQuery } from "../../api/people.ts"
import type { Filters } from "../../app/search.ts"

/** `rule`: the id of the one that is edited, or `new`. */
export type PolicyFilters = Filters<"rule" | "tab" | "address">

export const policiesQuery = queryOptions({ queryKey: ["policies", "list"], queryFn: () => client.policies.list() })

export const matchesQuery = (patterns: readonly string[]) =>
  queryOptions({
    queryKey: ["policies", "matches", patterns],
    queryFn: () => client.policies.matches(patterns),
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
