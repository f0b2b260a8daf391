// One passkey: its name, when it was used, and its removal after what that means was read.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { queryClient } from "../../api/query.ts"
import { Button } from "../../ui/button.tsx"
import { Confirm } from "../../ui/dialogs/confirm.tsx"
import { Field, Input } from "../../ui/field.tsx"
import { asCalledHere } from "../../ui/text/own-command.ts"
import { safeLine } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { toast, toastError } from "../../ui/toast.tsx"

type Passkey = Awaited<ReturnType<typeof client.passkeys.list>>[number]
type RowProps = { readonly passkey: Passkey; readonly isOnly: boolean; readonly providers: readonly string[] }

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["passkeys"] })

export function PasskeyRow({ passkey, isOnly, providers }: RowProps): ReactNode {
  const [name, setName] = useState(passkey.name)
  const [isAsking, setAsking] = useState(false)
  const rename = useMutation({
    mutationFn: () => client.passkeys.rename(passkey.id, name.trim()),
    onSuccess: () => toast("The passkey is renamed"),
    onError: toastError,
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: () => client.passkeys.remove(passkey.id),
    onSuccess: () => toast("The passkey is removed"),
    onError: toastError,
    onSettled: () => {
      setAsking(false)
      return refresh()
    },
  })
  const isSame = name.trim() === "" || name.trim() === passkey.name
  return (
    <li className="flex flex-col gap-2 rounded-card border border-line p-3">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-48 flex-1">
          <Field label="Name" hint={<Used passkey={passkey} />}>
            {(ids) => <Input {...ids} value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />}
          </Field>
        </div>
        <div className="flex gap-2 min-[480px]:pt-6">
          <Button isBusy={rename.isPending} reason={isSame ? "Type another name first" : null} onClick={() => rename.mutate()}>
            Rename
          </Button>
          <Button onClick={() => setAsking(true)}>Remove…</Button>
        </div>
      </div>
      {isAsking ? (
        <Confirm
          title={`Remove ${safeLine(passkey.name)}?`}
          action="Remove this passkey"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          {isOnly ? lossOfOnly(providers) : "It will not sign you in any more. Your other passkeys still do."}
        </Confirm>
      ) : null}
    </li>
  )
}

const Used = ({ passkey: { createdAt, lastUsedAt, isSynced } }: Pick<RowProps, "passkey">): ReactNode => (
  <>
    Added <Time at={createdAt} /> ·{" "}
    {lastUsedAt === null ? (
      "never used"
    ) : (
      <>
        last used <Time at={lastUsedAt} />
      </>
    )}{" "}
    · {isSynced ? "on all your devices" : "on one device"}
  </>
)

/** What its owner should know before the only one is removed. */
const lossOfOnly = (providers: readonly string[]): string =>
  providers.length > 0
    ? `This is your only passkey. Without it you sign in with ${safeLine(providers.join(" or "))}, if you have an account there.`
    : `This is your only passkey, and there is no other way to sign in but ${asCalledHere("executor web")} on the machine where Executor runs, or a new invitation from an admin. Add another passkey first.`
