// The types of the integrations that the code names, loaded behind its back.
import { useEffect, useRef, useState } from "react"
import { client } from "../../../api/client.ts"
import { useSettled } from "../../../ui/lists/use-settled.ts"
import { openTypes } from "./types-client.ts"
import type { TypesClient } from "./types-client.ts"

export type TypesState = "loading" | "ready" | "failed"

/** Declarations of more are not worth their memory. */
const integrationsMax = 20
/** Executor's own tools, whose file also has what finds tools. */
const always = "builtin"

export function useTypes(code: string): { readonly types: TypesClient | null; readonly state: TypesState; readonly version: number } {
  const [types, setTypes] = useState<TypesClient | null>(null)
  const [state, setState] = useState<TypesState>("loading")
  const [version, setVersion] = useState(0)
  const loaded = useRef(new Set<string>())
  useEffect(() => {
    const known = new Set<string>()
    loaded.current = known
    const opened = openTypes(() => setState("failed"))
    setTypes(opened)
    return () => opened.close()
  }, [])
  const named = namedIn(useSettled(code)).join(" ")
  useEffect(() => {
    if (types === null) return
    const known = loaded.current
    const fresh = [always, ...named.split(" ")].filter((name) => name !== "" && !known.has(name)).slice(0, integrationsMax - known.size)
    if (fresh.length === 0) return
    setState((before) => (before === "failed" ? before : "loading"))
    for (const name of fresh) known.add(name)
    const declare = async (integration: string): Promise<void> => {
      const text = await client.tools.types({ integration })
      await types.ask("declare", { integration, text })
    }
    void Promise.allSettled(fresh.map(declare)).then((results) => {
      results.forEach(({ status }, at) => (status === "rejected" ? known.delete(fresh[at] ?? "") : undefined))
      setVersion((before) => before + 1)
      setState((before) => (before === "failed" ? before : results.some(({ status }) => status === "rejected") ? "failed" : "ready"))
    })
  }, [types, named])
  return { types, state, version }
}

/** Of Executor itself, in every file. */
const ours = new Set(["search", "describe", "discover", "catalog", "executor"])

export function namedIn(code: string): readonly string[] {
  const names = [...code.matchAll(/\btools\s*(?:\.\s*|\[\s*["'`](?:tools\.)?)([a-z][a-z0-9_]{0,62})\b/g)].map(([, name = ""]) => name)
  return [...new Set(names)].filter((name) => !ours.has(name)).toSorted()
}
