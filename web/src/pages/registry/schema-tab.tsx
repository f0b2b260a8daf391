// The schemas of a tool's input and output.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Json } from "../../ui/text/json.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import type { TabProps } from "./overview-tab.tsx"
import { schemaQuery } from "./queries.ts"

export function SchemaTab({ tool, made }: TabProps): ReactNode {
  const found = useQuery({ ...schemaQuery(tool.address), enabled: tool.id === undefined })
  if (found.error !== null) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (made !== undefined) return <Schemas input={made.schema.input} output={made.schema.output ?? null} definitions={{}} />
  if (found.data === undefined) return <Skeleton />
  if (found.data === null) return <p className="text-secondary">The tool is gone, or you may not call it.</p>
  return <Schemas input={found.data.inputSchema} output={found.data.outputSchema} definitions={found.data.schemaDefinitions} />
}

type SchemasProps = { readonly input: unknown; readonly output: unknown; readonly definitions: Readonly<Record<string, unknown>> }

const Schemas = ({ input, output, definitions }: SchemasProps): ReactNode => (
  <div className="flex flex-col gap-4">
    <Part title="Input" value={input} />
    {output === null ? (
      <section>
        <h3 className="font-semibold">Output</h3>
        <p className="text-secondary">It does not say what it answers.</p>
      </section>
    ) : (
      <Part title="Output" value={output} />
    )}
    {Object.keys(definitions).length === 0 ? null : <Part title="Shared definitions" value={definitions} />}
  </div>
)

export const Part = ({ title, value }: { readonly title: string; readonly value: unknown }): ReactNode => (
  <section className="flex flex-col gap-1">
    <h3 className="font-semibold">{title}</h3>
    <Json value={value} label={title} />
  </section>
)
