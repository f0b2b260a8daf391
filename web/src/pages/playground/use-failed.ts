// The line at which the shown run failed, as long as the code is the one that ran.
import { useMemo } from "react"
import { useQuery } from "@tanstack/react-query"
import { executionQuery } from "../executions/queries.ts"
import type { Failed } from "./editor/editor.tsx"

export function useFailed(id: string | undefined, code: string): Failed | null {
  const { data } = useQuery({ ...executionQuery(id ?? ""), ...(id === undefined ? { enabled: false } : {}) })
  const error = data !== undefined && data.code === code && "error" in data.structured ? data.structured.error : undefined
  const { line, name, message } = error ?? {}
  return useMemo(() => (line === undefined ? null : { line, message: `${name}: ${message}` }), [line, name, message])
}
