// What the palette can do with the tool or the execution that is open, or with the tool that was found first.
import type { UseNavigateResult } from "@tanstack/react-router"
import { useRouterState } from "@tanstack/react-router"
import type { LucideIcon } from "lucide-react"
import { Copy, ShieldPlus } from "lucide-react"
import { safeLine } from "../ui/text/text.tsx"
import { toast, toastError } from "../ui/toast.tsx"
import { parseSearch } from "./search.ts"

export type PaletteAction = {
  readonly label: string
  readonly icon: LucideIcon
  readonly act: (navigate: UseNavigateResult<string>) => void
}

/** What the address names. */
export function useOpenSubject(): { readonly tool: string | null; readonly execution: string | null } {
  const { pathname, searchStr } = useRouterState({ select: ({ location }) => location })
  const { tool } = parseSearch(searchStr)
  const [, page, id] = pathname.split("/")
  return {
    tool: tool !== undefined && tool !== "" && (page === "registry" || page === "playground") ? tool : null,
    execution: page === "executions" && id !== undefined ? decodeURIComponent(id) : null,
  }
}

export const toolActions = (path: string): readonly PaletteAction[] => [
  {
    label: `New policy for ${safeLine(path)}`,
    icon: ShieldPlus,
    act: (navigate) => void navigate({ to: "/policies", search: { rule: "new", pattern: path } }),
  },
  { label: `Copy the path ${safeLine(path)}`, icon: Copy, act: () => copy(path) },
]

export const executionActions = (id: string): readonly PaletteAction[] => [
  { label: `Copy the id ${safeLine(id)}`, icon: Copy, act: () => copy(id) },
]

const copy = (text: string): void => void navigator.clipboard.writeText(text).then(() => toast(`Copied ${safeLine(text)}`), toastError)
