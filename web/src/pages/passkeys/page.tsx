// Passkeys: those of whoever is signed in, with their names, a way to add one, and what is lost with each.
import type { ReactNode } from "react"
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { meQuery, queryClient } from "../../api/query.ts"
import { sessionHeaders } from "../../api/session.ts"
import { askPasskey, thisDevice } from "../../outside/passkey.ts"
import { read } from "../../outside/send.ts"
import type { Offer } from "../../outside/sign-in/methods.tsx"
import { Button } from "../../ui/button.tsx"
import { FormError } from "../../ui/form-error.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { PasskeyPlace } from "../../ui/passkey-place.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { toast } from "../../ui/toast.tsx"
import { PasskeyRow } from "./row.tsx"

const passkeysQuery = queryOptions({ queryKey: ["passkeys"], queryFn: () => client.passkeys.list() })

/** Where passkeys work, and where else one can sign in. */
const methodsQuery = (tenant: string) =>
  queryOptions({
    queryKey: ["signin", "methods", tenant],
    queryFn: () => read<Offer>(`/api/signin/methods?tenant=${encodeURIComponent(tenant)}`),
  })

export function Page(): ReactNode {
  const passkeys = useQuery(passkeysQuery)
  const { data: me } = useQuery(meQuery)
  const methods = useQuery({ ...methodsQuery(me?.tenant ?? ""), enabled: me !== undefined })
  const add = useMutation({
    mutationFn: () => askPasskey({ kind: "create", path: "/passkeys", more: { name: thisDevice() }, headers: sessionHeaders() }),
    onSuccess: () => toast("The passkey is added"),
    onSettled: () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  })
  const error = passkeys.error ?? methods.error
  if (error !== null)
    return (
      <PageFrame title="Passkeys">
        <Failure error={error} onRetry={() => void Promise.all([passkeys.refetch(), methods.refetch()])} />
      </PageFrame>
    )
  const [rows, offer] = [passkeys.data, methods.data]
  if (rows === undefined || offer === undefined)
    return (
      <PageFrame title="Passkeys">
        <Skeleton rows={2} />
      </PageFrame>
    )
  const button =
    offer.passkeys.kind === "works" ? (
      <Button kind="primary" isBusy={add.isPending} onClick={() => add.mutate()}>
        Add a passkey
      </Button>
    ) : null
  return (
    <PageFrame title="Passkeys" actions={rows.length === 0 ? null : button}>
      <p className="max-w-2xl text-secondary">
        With a passkey you sign in by your fingerprint, your face or a security key, without a password.
      </p>
      <div className="max-w-2xl empty:hidden">
        <PasskeyPlace offer={offer.passkeys} path="/passkeys" />
        {offer.passkeys.kind === "off" ? (
          <p className="tint-warn rounded-control px-2 py-1">Signing in with passkeys is turned off here.</p>
        ) : null}
      </div>
      <FormError error={add.error} />
      {rows.length === 0 ? <Empty title="You have no passkeys yet" action={button} /> : null}
      <ul aria-label="Passkeys" className="flex max-w-2xl flex-col gap-3 empty:hidden">
        {rows.map((one) => (
          <PasskeyRow key={one.id} passkey={one} isOnly={rows.length === 1} providers={offer.providers.map(({ name }) => name)} />
        ))}
      </ul>
      {rows.length === 1 && offer.passkeys.kind !== "off" ? (
        <p className="text-secondary">Add a second one, on another device, in case you lose the first.</p>
      ) : null}
    </PageFrame>
  )
}
