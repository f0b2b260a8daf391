// Filters live in the address: every search parameter of the console is a text.
import { useNavigate, useRouterState } from "@tanstack/react-router"

export type Filters<Name extends string> = { readonly [name in Name]?: string }

/** Keeps the parameters that a page knows. */
export const filters =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): Filters<Name> =>
    // Built from the names alone.
    Object.fromEntries(
      names.flatMap((name) => (typeof search[name] === "string" && search[name] !== "" ? [[name, search[name]]] : [])),
    ) as Filters<Name>

export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (typeof value === "string" && value !== "") params.set(name, value)
  return params.size === 0 ? "" : `?${params}`
}

type SetFilters<Name extends string> = (
  change: { readonly [name in Name]?: string | undefined },
  options?: { readonly isStep?: boolean },
) => void

/** The filters of the page at this address, and a way to change some of them. `isStep`: the Back button returns to before it. */
export function useFilters<Name extends string>(): readonly [Filters<Name>, SetFilters<Name>] {
  // The route's `filters` made it so.
  const search = parseSearch(useRouterState({ select: ({ location }) => location.searchStr })) as Filters<Name>
  const navigate = useNavigate()
  const set: SetFilters<Name> = (change, { isStep = false } = {}) =>
    void navigate({ to: ".", search: (before: Record<string, unknown>) => ({ ...before, ...change }), replace: !isStep } as never) // any page's own names
  return [search, set]
}
