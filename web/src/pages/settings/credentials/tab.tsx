// The section Credentials: what built-ins and registry tools send, of the whole organization. Values go in and never come out.
import type { ReactNode } from "react"
import { useState } from "react"
import { queryOptions, useQuery } from "@tanstack/react-query"
import type { TenantCredentialView } from "../../../../../src/core/registry/credential.ts"
import { allPages } from "../../../api/all-pages.ts"
import { client } from "../../../api/client.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { useFilters } from "../../../app/search.ts"
import { Badge } from "../../../ui/badge.tsx"
import { Button } from "../../../ui/button.tsx"
import { Confirm } from "../../../ui/dialogs/confirm.tsx"
import { Empty } from "../../../ui/states.tsx"
import { Line, Mono, safeLine } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { Section } from "../section.tsx"
import { useChange } from "../use-change.ts"
import { CredentialDialog } from "./form.tsx"

const credentialsQuery = queryOptions({
  queryKey: ["credentials", "list"],
  queryFn: () => allPages((page) => client.credentials.list(page)),
})

export function CredentialsTab(): ReactNode {
  const missing = useMissingRight("admin")
  const [filters, set] = useFilters<"add" | "edit">()
  const { data, error, refetch } = useQuery({ ...credentialsQuery, enabled: missing === null })
  const edited = data?.find(({ id }) => id === filters.edit)
  return (
    <Section
      about="What built-in tools and tools of the registry send. Each goes to its own address alone."
      action={
        <Button kind="primary" reason={missing} onClick={() => set({ add: "yes" }, { isStep: true })}>
          Add a credential
        </Button>
      }
      refused={missing === null ? null : { title: "Credentials are for admins", text: `${missing}. Ask an admin of your organization.` }}
      error={error}
      isLoading={data === undefined}
      onRetry={() => void refetch()}
    >
      {data?.length === 0 ? (
        <Empty title="No credentials yet" command="executor credentials add web_search --variant serper">
          Tools that search the web or call an API with a key of the organization find it here.
        </Empty>
      ) : (
        <ul aria-label="Credentials" className="flex flex-col rounded-card border border-line">
          {data?.map((one) => (
            <Row key={one.id} credential={one} onEdit={() => set({ edit: one.id }, { isStep: true })} />
          ))}
        </ul>
      )}
      {missing === null && (filters.add !== undefined || edited !== undefined) ? (
        <CredentialDialog key={edited?.id ?? "new"} credential={edited ?? null} onClose={() => set({ add: undefined, edit: undefined })} />
      ) : null}
    </Section>
  )
}

function Row({ credential, onEdit }: { readonly credential: TenantCredentialView; readonly onEdit: () => void }): ReactNode {
  const { id, label, category, providerKey, providerVariant, values, endpoint, updatedAt } = credential
  const [isRemoving, setRemoving] = useState(false)
  const remove = useChange(() => client.credentials.remove(id), {
    onDone: () => toast(`${label} is gone`),
    onError: toastError,
    touches: ["credentials"],
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 border-b border-line p-3 last:border-b-0">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-2">
          <Line className="min-w-0 font-medium break-words">{label}</Line>
          <Badge>{safeLine([category, providerKey, ...(providerVariant === null ? [] : [providerVariant])].join(" · "))}</Badge>
        </span>
        <span className="flex flex-wrap gap-x-3 text-sm text-secondary">
          {Object.keys(values).map((name) => (
            <span key={name}>
              <Mono>{name}</Mono> ••••
            </span>
          ))}
          {endpoint === null ? null : <Mono className="break-all">{endpoint}</Mono>}
          <span>
            set <Time at={updatedAt} />
          </span>
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={onEdit}>Edit</Button>
        <Button onClick={() => setRemoving(true)}>Remove…</Button>
      </div>
      {isRemoving ? (
        <Confirm
          title={`Remove ${safeLine(label)}?`}
          action={`Remove ${safeLine(label)}`}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setRemoving(false)}
        >
          Its values go with it, and tools that need them stop working.
        </Confirm>
      ) : null}
    </li>
  )
}
