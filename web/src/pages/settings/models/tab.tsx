// The section Models: where the models of agents are asked, with a try, prices and keys.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { useMissingRight } from "../../../api/rights.ts"
import { useFilters } from "../../../app/search.ts"
import { Button } from "../../../ui/button.tsx"
import { Empty } from "../../../ui/states.tsx"
import { Section } from "../section.tsx"
import { ProviderDialog } from "./form.tsx"
import { providersQuery } from "./queries.ts"
import { ProviderRow } from "./row.tsx"

export function ModelsTab(): ReactNode {
  const missing = useMissingRight("admin")
  const missingWrite = useMissingRight("registry.write")
  const missingPublish = useMissingRight("registry.publish")
  const missingRead = missingPublish === null ? null : missingWrite
  const [filters, set] = useFilters<"add" | "edit">()
  const { data, error, refetch } = useQuery({ ...providersQuery, enabled: missingRead === null })
  const edited = data?.find(({ id }) => id === filters.edit)
  const close = (): void => set({ add: undefined, edit: undefined })
  return (
    <Section
      about="Where the models of agents are asked. A key is sent to its provider's address alone."
      action={
        <Button kind="primary" reason={missing} onClick={() => set({ add: "yes" }, { isStep: true })}>
          Add a provider
        </Button>
      }
      refused={missingRead === null ? null : { title: "Models are for whoever makes agents", text: `${missingRead}. Ask an admin for it.` }}
      error={error}
      isLoading={data === undefined}
      onRetry={() => void refetch()}
    >
      {data?.length === 0 ? (
        <Empty title="No models yet" command="executor models add openai">
          Agents need a model. Add a provider with its key, or a model server of your own.
        </Empty>
      ) : (
        <ul aria-label="Model providers" className="flex flex-col rounded-card border border-line">
          {data?.map((one) => (
            <ProviderRow key={one.id} provider={one} onEdit={() => set({ edit: one.id }, { isStep: true })} />
          ))}
        </ul>
      )}
      {missing === null && (filters.add !== undefined || edited !== undefined) ? (
        <ProviderDialog key={edited?.id ?? "new"} provider={edited ?? null} onClose={close} />
      ) : null}
    </Section>
  )
}
