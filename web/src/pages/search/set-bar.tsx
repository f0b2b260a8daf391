// Which evaluation set is worked on: pick, name, import, export, remove.
import type { ReactNode } from "react"
import { useRef, useState } from "react"
import { parseEvaluationCases } from "toolplane/client"
import { Button } from "../../ui/button.tsx"
import { Confirm } from "../../ui/dialogs/confirm.tsx"
import { Field, Input, Select } from "../../ui/field.tsx"
import { saveFile } from "../../ui/text/save-file.ts"
import { safeLine } from "../../ui/text/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"
import type { Sets } from "./use-sets.ts"

const nameCharsMax = 80

export function SetBar({ sets }: { readonly sets: Sets }): ReactNode {
  const { open, all } = sets
  const file = useRef<HTMLInputElement>(null)
  const [isRemoving, setRemoving] = useState(false)
  const read = async (picked: File | undefined): Promise<void> => {
    if (picked === undefined) return
    try {
      const cases = parseEvaluationCases(await picked.text())
      const name = picked.name.replace(/\.[^.]*$/, "").slice(0, nameCharsMax)
      sets.add({ name, cases })
      toast(`${cases.length} ${cases.length === 1 ? "case" : "cases"} from ${safeLine(picked.name)}`)
    } catch (error) {
      toastError(error)
    }
  }
  const exported = (): void =>
    saveFile(new Blob([JSON.stringify({ cases: open.cases }, null, 2)], { type: "application/json" }), `${open.name}.json`)
  const addNew = (): void => sets.add({ name: freeName(all.map(({ name }) => name)), cases: [] })
  return (
    <div className="flex flex-wrap items-end gap-2">
      {all.length < 2 ? null : (
        <Field label="Set">
          {(ids) => (
            <Select {...ids} value={open.name} onChange={(event) => sets.choose(event.target.value)}>
              {all.map(({ name, cases }) => (
                <option key={name} value={name}>
                  {safeLine(name)} ({cases.length})
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Field label="Name">
        {(ids) => (
          <Input
            {...ids}
            value={open.name}
            maxLength={nameCharsMax}
            onChange={({ target: { value } }) => {
              if (value !== "" && all.every(({ name }) => name !== value)) sets.change({ ...open, name: value })
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2 pb-1">
        <Button onClick={addNew} reason={open.cases.length === 0 ? "This one is empty" : null}>
          New set
        </Button>
        <Button onClick={() => file.current?.click()}>Import</Button>
        <input
          ref={file}
          type="file"
          hidden
          aria-label="File with cases"
          accept=".json,.jsonl,.ndjson,.txt"
          onChange={(event) => {
            void read(event.target.files?.[0])
            event.target.value = ""
          }}
        />
        <Button onClick={exported} reason={open.cases.length === 0 ? "There is no case to export" : null}>
          Export
        </Button>
        <Button kind="quiet" onClick={() => setRemoving(true)} reason={all.length === 0 ? "There is no set to remove" : null}>
          Remove
        </Button>
      </div>
      {isRemoving ? (
        <Confirm
          title={`Remove the set ${safeLine(open.name)}`}
          action="Remove the set"
          isBusy={false}
          onConfirm={() => {
            sets.remove()
            setRemoving(false)
          }}
          onClose={() => setRemoving(false)}
        >
          This browser keeps no copy. Export it first if you want it later.
        </Confirm>
      ) : null}
    </div>
  )
}

function freeName(taken: readonly string[]): string {
  let number = 2
  while (taken.includes(`Set ${number}`)) number += 1
  return `Set ${number}`
}
