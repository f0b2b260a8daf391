// The dialog that adds a notification or changes one. The address goes in and never comes out.
import type { FormEvent, ReactNode } from "react"
import { useState } from "react"
import type { NotificationCreated, NotificationKind, NotificationView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { Button } from "../../../ui/button.tsx"
import { Dialog, DialogActions } from "../../../ui/dialogs/dialog.tsx"
import { Checkbox, Field, Input, Select, TextArea } from "../../../ui/field.tsx"
import { FormError } from "../../../ui/form-error.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { useNotificationChange } from "./queries.ts"

type FormProps = {
  /** Null: a new one. */
  readonly notification: NotificationView | null
  readonly onClose: () => void
  readonly onSaved: (saved: NotificationCreated) => void
}

export const NotificationDialog = (props: FormProps & { readonly isOpen: boolean }): ReactNode => (
  <Dialog
    title={props.notification === null ? "Add a notification" : `Change ${safeLine(props.notification.name)}`}
    about="Approvals that begin to wait from now on are told."
    isOpen={props.isOpen}
    onClose={props.onClose}
  >
    <NotificationForm {...props} />
  </Dialog>
)

const linesOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

function NotificationForm({ notification, onClose, onSaved }: FormProps): ReactNode {
  const missing = useMissingRight("admin")
  const [kind, setKind] = useState<NotificationKind>(notification?.kind ?? "webhook")
  const [name, setName] = useState(notification?.name ?? "")
  const [url, setUrl] = useState("")
  const [patterns, setPatterns] = useState((notification?.patterns ?? []).join("\n"))
  const [includeArguments, setIncludeArguments] = useState(notification?.includeArguments ?? false)
  const save = useNotificationChange(
    () => {
      const fields = { name, patterns: linesOf(patterns), includeArguments }
      if (notification === null) return client.notifications.create({ ...fields, kind, url })
      return client.notifications.update(notification.id, { ...fields, ...(url === "" ? {} : { url }) })
    },
    { onDone: onSaved },
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (missing === null && !save.isPending) save.mutate(undefined)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {notification === null ? (
        <Field label="Receiver" hint="Slack messages are also taken by Mattermost, Rocket.Chat and others.">
          {(ids) => (
            <Select {...ids} value={kind} onChange={(event) => setKind(event.target.value === "slack" ? "slack" : "webhook")}>
              <option value="webhook">Webhook, signed</option>
              <option value="slack">Slack or compatible</option>
            </Select>
          )}
        </Field>
      ) : null}
      <Field label="Name" hint="So that people know who is told.">
        {(ids) => <Input {...ids} required value={name} placeholder="On call" onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field
        label="Address"
        hint={
          notification === null
            ? "Kept as a secret: only its host is shown afterwards."
            : `Left empty, the address at ${safeLine(notification.host)} stays.`
        }
      >
        {(ids) => (
          <Input
            {...ids}
            type="url"
            required={notification === null}
            autoComplete="off"
            spellCheck={false}
            value={url}
            placeholder={kind === "slack" ? "https://hooks.slack.com/services/…" : "https://hooks.example.com/executor"}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <Field label="Only these tools" hint="One pattern a line, such as shop.orders.* – left empty, all tools.">
        {(ids) => (
          <TextArea
            {...ids}
            rows={2}
            spellCheck={false}
            className="font-mono text-sm"
            value={patterns}
            onChange={(event) => setPatterns(event.target.value)}
          />
        )}
      </Field>
      <Checkbox
        label="Tell the arguments of calls too"
        checked={includeArguments}
        onChange={(event) => setIncludeArguments(event.target.checked)}
      />
      {includeArguments ? (
        <p className="tint-warn rounded-control px-2 py-1">Whoever reads the messages then reads what calls contain.</p>
      ) : null}
      <FormError error={save.error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={save.isPending} reason={missing}>
          {notification === null ? "Add the notification" : "Save"}
        </Button>
      </DialogActions>
    </form>
  )
}
