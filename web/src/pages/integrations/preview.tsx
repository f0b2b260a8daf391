// What adding an integration would bring: its tools, the hosts it calls, and how it authenticates.
import type { ReactNode } from "react"
import type { IntegrationPreview } from "toolplane/client"
import { Badge } from "../../ui/badge.tsx"
import { DataTable } from "../../ui/lists/data-table.tsx"
import type { Column } from "../../ui/lists/data-table.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import { Warnings, wayText } from "./facts.tsx"
import { counted } from "../../api/catalog.ts"

type PreviewTool = IntegrationPreview["tools"][number]

const columns: readonly Column<PreviewTool>[] = [
  { id: "name", label: "Tool", width: "minmax(120px, 1fr)", cell: ({ name }) => <Mono>{name}</Mono> },
  {
    id: "description",
    label: "Description",
    width: "minmax(0, 2fr)",
    isWideOnly: true,
    cell: ({ description }) => <Line className="text-secondary">{description}</Line>,
  },
  {
    id: "approval",
    label: "Approval",
    width: "80px",
    cell: ({ requiresApproval }) => (requiresApproval ? <Badge tone="waiting">asks</Badge> : <span className="text-tertiary">–</span>),
  },
]

export const PreviewView = ({ preview: { facts, tools } }: { readonly preview: IntegrationPreview }): ReactNode => (
  <section aria-label="Preview" className="flex flex-col gap-2">
    <h3 className="font-semibold">
      {tools.length === 0 ? "Its tools are known once it is connected" : `Brings ${counted(tools.length, "tool")}`}
    </h3>
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      <dt className="text-secondary">Calls</dt>
      <dd>
        {facts.origins.length === 0
          ? "No host is known"
          : facts.origins.map((origin) => (
              <Mono key={origin} className="mr-3">
                {origin}
              </Mono>
            ))}
      </dd>
      <dt className="text-secondary">Authentication</dt>
      <dd>{facts.auth.length === 0 ? "None stated" : <Line>{facts.auth.map(wayText).join(", ")}</Line>}</dd>
    </dl>
    {tools.length === 0 ? null : (
      <div className="flex h-56 flex-col">
        <DataTable
          label="Tools of the preview"
          columns={columns}
          rowCount={tools.length}
          rowAt={(index) => tools[index]}
          rowKey={({ name }) => name}
        />
      </div>
    )}
    <Warnings warnings={facts.warnings} />
  </section>
)
