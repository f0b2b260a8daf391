// As whom Executor asks the provider: a client that is there, one that it registers by itself, or one that a person enters.
import type { FormEvent, ReactNode } from "react"
import { useState } from "react"
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query"
import { allPages } from "../../../api/all-pages.ts"
import { client } from "../../../api/client.ts"
import { queryClient } from "../../../api/query.ts"
import { Button } from "../../../ui/button.tsx"
import { CopyLine } from "../../../ui/text/copy-line.tsx"
import { Field, Input } from "../../../ui/field.tsx"
import { Problem } from "../../../ui/notice.tsx"
import { Failure, Skeleton } from "../../../ui/states.tsx"
import { Line } from "../../../ui/text/text.tsx"
import { toast } from "../../../ui/toast.tsx"

/** Live updates of connections refresh it. */
const clientsQuery = queryOptions({
  queryKey: ["connections", "oauth clients"],
  queryFn: () => allPages((page) => client.oauth.clients.list(page)),
})

const probeQuery = (slug: string) =>
  queryOptions({ queryKey: ["oauth probe", slug], queryFn: () => client.oauth.probe({ integration: slug }), retry: false })

type SetupProps = { readonly slug: string; readonly chosen: string | null; readonly onSaved: (id: string) => void }

export function ClientSetup({ slug, chosen, onSaved }: SetupProps): ReactNode {
  const clients = useQuery(clientsQuery)
  const probe = useQuery(probeQuery(slug))
  const [isOpen, setOpen] = useState(false)
  if (clients.error !== null) return <Failure error={clients.error} onRetry={() => void clients.refetch()} />
  if (clients.data === undefined || probe.isPending) return <Skeleton rows={2} />
  const own =
    clients.data.find(({ id }) => id === chosen) ?? clients.data.find(({ kind, integration }) => kind === "manual" && integration === slug)
  const registers = probe.data?.servers.some(({ supportsRegistration }) => supportsRegistration) ?? false
  const redirectUri = own?.redirectUri ?? probe.data?.redirectUri ?? clients.data[0]?.redirectUri ?? null
  const needsClient = own === undefined && !registers
  return (
    <section aria-label="OAuth client" className="flex flex-col gap-2 rounded-card border border-line p-3">
      <p>
        {own !== undefined ? (
          <>
            Asks as the OAuth client <Line className="font-medium">{own.name}</Line>.
          </>
        ) : registers ? (
          "Executor registers itself at this provider; nothing needs to be entered."
        ) : (
          "This provider lets nobody register by itself. Create an OAuth client there, with the redirect URI below, and enter it here."
        )}
      </p>
      {probe.data?.problems.map((problem, at) => (
        <Line key={at} className="text-sm text-warn">
          {problem}
        </Line>
      ))}
      {redirectUri === null ? null : (
        <div className="flex flex-col gap-1">
          <span className="text-sm text-secondary">Redirect URI</span>
          <CopyLine text={redirectUri} label="Redirect URI" />
        </div>
      )}
      {needsClient || isOpen ? (
        <ClientForm
          slug={slug}
          isKnown={(probe.data?.servers.length ?? 0) > 0}
          onSaved={(id) => {
            setOpen(false)
            onSaved(id)
          }}
        />
      ) : (
        <div>
          <Button onClick={() => setOpen(true)}>{own === undefined ? "Enter a client instead" : "Enter another client"}</Button>
        </div>
      )}
    </section>
  )
}

const none = { clientId: "", clientSecret: "", issuer: "" }

type ClientProps = { readonly slug: string; readonly isKnown: boolean; readonly onSaved: (id: string) => void }

/** `isKnown`: the integration's source names the provider. */
function ClientForm({ slug, isKnown, onSaved }: ClientProps): ReactNode {
  const [fields, setFields] = useState(none)
  const save = useMutation({
    mutationFn: async () => {
      const { clientId, clientSecret, issuer } = fields
      return client.oauth.clients.create({
        clientId,
        integration: slug,
        ...(clientSecret === "" ? {} : { clientSecret }),
        ...(issuer === "" ? {} : { issuer }),
      })
    },
    onSuccess: async ({ id, name }) => {
      toast(`${name} is saved`)
      setFields(none)
      onSaved(id)
      await queryClient.invalidateQueries(clientsQuery)
    },
    gcTime: 0,
  })
  const reason = fields.clientId === "" ? "Enter the client id" : null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (reason === null && !save.isPending) save.mutate()
  }
  const input = (name: keyof typeof none, rest: { readonly type?: string; readonly placeholder?: string } = {}) =>
    function Control(ids: object): ReactNode {
      return (
        <Input
          {...ids}
          {...rest}
          autoComplete="off"
          spellCheck={false}
          value={fields[name]}
          onChange={(event) => setFields({ ...fields, [name]: event.target.value.trim() })}
        />
      )
    }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <Field label="Client id">{input("clientId")}</Field>
      <Field label="Client secret" hint="Kept encrypted, and sent to the provider alone. Left empty for a public client.">
        {input("clientSecret", { type: "password" })}
      </Field>
      <Field
        label="Issuer"
        hint={isKnown ? "Left empty, the provider that the integration names." : "The provider's address, which names its endpoints."}
      >
        {input("issuer", { type: "url", placeholder: "https://login.example.com" })}
      </Field>
      <Problem error={save.error} title="The client was not saved" />
      <div>
        <Button type="submit" isBusy={save.isPending} reason={reason}>
          Save the client
        </Button>
      </div>
    </form>
  )
}
