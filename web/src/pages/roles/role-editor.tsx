// One role: its patterns with the tools they match, its rights, and who has it. Built-in ones that cannot change say so.
import type { ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { RoleView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { usePeopleChange } from "../../api/people.ts"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { Field, Input } from "../../ui/field.tsx"
import { FormError } from "../../ui/form-error.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Mono, safeLine } from "../../ui/text/text.tsx"
import { toast } from "../../ui/toast.tsx"
import { ToolPicker } from "../../ui/tool-picker/tool-picker.tsx"
import { roleEntryOf } from "../../ui/tool-picker/selection.ts"
import { MatchedTools } from "./matched-tools.tsx"
import { roleQuery } from "./queries.ts"
import type { RoleFilters } from "./queries.ts"
import { RemoveRole } from "./remove-role.tsx"
import { RightsField } from "./rights-field.tsx"
import { RolePeople } from "./role-people.tsx"

type EditorProps = {
  /** Null: a new one. */
  readonly id: string | null
  readonly onGone: () => void
}

export function RoleEditor({ id, onGone }: EditorProps): ReactNode {
  const missing = useMissingRight("admin")
  const role = useQuery({ ...roleQuery(id ?? ""), enabled: id !== null })
  if (id === null)
    return missing === null ? (
      <RoleForm role={null} locked={null} onGone={onGone} />
    ) : (
      <Empty title="Roles are made by admins">{missing}. Ask an admin of your organization.</Empty>
    )
  if (role.error !== null) return <Failure error={role.error} onRetry={() => void role.refetch()} />
  if (role.data === undefined) return <Skeleton />
  const locked = id === adminId ? "The role admin is built in and cannot be changed; make another role" : missing
  // What somebody else saved meanwhile does not replace what is being written here.
  return <RoleForm key={role.data.id} role={role.data} locked={locked} onGone={onGone} />
}

const adminId = "admin"
const builtInIds = [adminId, "member"]

type Draft = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly patterns: readonly string[]
  readonly rights: readonly string[]
}

type FormProps = { readonly role: RoleView | null; readonly locked: string | null; readonly onGone: () => void }

function RoleForm({ role, locked, onGone }: FormProps): ReactNode {
  const [draft, setDraft] = useState<Draft>(() => draftOf(role))
  const [, set] = useFilters<keyof RoleFilters>()
  const save = usePeopleChange(
    () => {
      const { id, ...fields } = draft
      return role === null ? client.roles.create({ id: id.trim(), ...fields }) : client.roles.update(role.id, fields)
    },
    {
      onDone: (saved) => {
        toast(`The role ${safeLine(saved.name)} is saved`)
        setDraft(draftOf(saved))
        if (role === null) set({ add: undefined, role: saved.id })
      },
    },
  )
  const isSame = role !== null && JSON.stringify(draft) === JSON.stringify(draftOf(role))
  const reason = locked ?? problemOf(draft, role === null) ?? (isSame ? "Nothing is changed" : null)
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part })
  return (
    <form
      aria-label={role === null ? "New role" : `Role ${safeLine(role.name)}`}
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === null && !save.isPending) save.mutate(undefined)
      }}
    >
      {locked === null ? null : <p className="tint-info rounded-control px-2 py-1">{locked}.</p>}
      <div className="grid gap-4 min-[900px]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,2fr)]">
        <Field label="Id" hint={role === null ? "Lower-case letters, digits, dots and hyphens. It stays." : "It stays."}>
          {(ids) =>
            role === null ? (
              <Input
                {...ids}
                value={draft.id}
                placeholder="developer"
                spellCheck={false}
                className="font-mono text-sm"
                onChange={({ target }) => change({ id: target.value })}
              />
            ) : (
              <Input {...ids} value={safeLine(draft.id)} readOnly className="font-mono text-sm" />
            )
          }
        </Field>
        <Field label="Name">
          {(ids) => (
            <Input
              {...ids}
              value={draft.name}
              placeholder="Developer"
              disabled={locked !== null}
              onChange={({ target }) => change({ name: target.value })}
            />
          )}
        </Field>
        <Field label="Description" hint={safeLine(draft.description) === draft.description ? "" : `Reads: ${safeLine(draft.description)}`}>
          {(ids) => (
            <Input
              {...ids}
              value={locked === null ? draft.description : safeLine(draft.description)}
              disabled={locked !== null}
              onChange={({ target }) => change({ description: target.value })}
            />
          )}
        </Field>
      </div>
      <div className="grid gap-x-6 gap-y-4 min-[1200px]:grid-cols-[minmax(0,3fr)_minmax(0,1fr)]">
        <section aria-label="Patterns" className="flex min-w-0 flex-col gap-2">
          <h2 className="text-lg font-semibold">Tools</h2>
          <ToolPicker value={draft.patterns} onChange={(patterns) => change({ patterns })} reason={locked} entryOf={roleEntryOf} />
        </section>
        <MatchedTools patterns={draft.patterns} />
      </div>
      <RightsField value={draft.rights} onChange={(rights) => change({ rights })} reason={locked} />
      <FormError error={save.error} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" isBusy={save.isPending} reason={reason}>
          {role === null ? "Create the role" : "Save the role"}
        </Button>
        {role === null ? null : (
          <RemoveRole
            role={role}
            locked={builtInIds.includes(role.id) ? `The role ${role.id} is built in and cannot be removed` : locked}
            onGone={onGone}
          />
        )}
      </div>
      {role === null ? null : <RolePeople role={role} />}
      {role === null ? null : (
        <p className="text-sm text-tertiary">
          Changes count from the next call of everybody who has it. On the command line: <Mono>{`roles show ${role.id}`}</Mono>
        </p>
      )}
    </form>
  )
}

const draftOf = (role: Omit<RoleView, "people"> | null): Draft => ({
  id: role?.id ?? "",
  name: role?.name ?? "",
  description: role?.description ?? "",
  patterns: role?.patterns ?? [],
  rights: role?.rights ?? [],
})

function problemOf({ id, name }: Draft, isNew: boolean): string | null {
  if (isNew && id.trim() === "") return "Write an id first"
  return name.trim() === "" ? "Write a name first" : null
}
