// The dialog in which a rule is written, with what it matches now and what it would have decided.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { PolicyView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Button } from "../../ui/button.tsx"
import { Dialog, DialogActions } from "../../ui/dialogs/dialog.tsx"
import { FormError } from "../../ui/form-error.tsx"
import { Empty, messageOf } from "../../ui/states.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import { toast } from "../../ui/toast.tsx"
import { useSettled } from "../../ui/lists/use-settled.ts"
import { BacktestStrip } from "./backtest.tsx"
import { draftOf, emptyDraft, problemOf, rulesWith, toCreate, toUpdate } from "./draft.ts"
import type { Draft } from "./draft.ts"
import { matchesQuery } from "./queries.ts"
import { RuleFields } from "./rule-fields.tsx"
import { shortPattern } from "./rule-text.tsx"

type RuleDialogProps = {
  /** Of the rule that is edited, or `new`. */
  readonly id: string
  /** What a new rule is for, as far as its link says. */
  readonly pattern: string
  readonly rules: readonly PolicyView[]
  readonly onClose: () => void
}

export function RuleDialog({ id, pattern, rules, onClose }: RuleDialogProps): ReactNode {
  const edited = rules.find((rule) => rule.id === id) ?? null
  const missing = useMissingRight("policies.edit")
  return (
    <Dialog
      isOpen
      isWide
      title={edited === null ? (id === "new" ? "New rule" : "Rule") : `Edit ${safeLine(shortPattern(edited.pattern))}`}
      about="It applies from the next call on."
      onClose={onClose}
    >
      {edited === null && id !== "new" ? (
        <Empty title="There is no such rule" command="executor policies list">
          It was removed, or it is not one that you may see.
        </Empty>
      ) : (
        <RuleForm edited={edited} linked={pattern} rules={rules} missing={missing} onClose={onClose} />
      )}
    </Dialog>
  )
}

type RuleFormProps = {
  readonly edited: PolicyView | null
  readonly linked: string
  readonly rules: readonly PolicyView[]
  /** Why the rules for everybody cannot be changed. */
  readonly missing: string | null
  readonly onClose: () => void
}

function RuleForm({ edited, linked, rules, missing, onClose }: RuleFormProps): ReactNode {
  const [draft, setDraft] = useState<Draft>(() =>
    edited === null ? { ...emptyDraft(missing === null ? "org" : "user"), pattern: linked } : draftOf(edited),
  )
  // Tested a moment after the last letter; the text stands for the whole draft.
  const settled = JSON.parse(useSettled(JSON.stringify(draft))) as Draft // written in the line before
  const problem = problemOf(settled)
  const pattern = settled.pattern.trim()
  const matches = useQuery(matchesQuery(pattern === "" ? [] : [pattern]))
  const match = matches.data?.find((one) => one.pattern === pattern)
  const tested = problem === null && match !== undefined ? rulesWith(settled, edited, rules, match.readAs) : null
  const save = useSave(edited, onClose)
  const locked = draft.owner === "org" ? missing : null
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (problemOf(draft) === null && locked === null && !save.isPending) save.mutate(draft)
      }}
    >
      <RuleFields
        draft={draft}
        isNew={edited === null}
        match={pattern === "" ? undefined : match}
        patternError={pattern === "" || matches.error === null ? null : messageOf(matches.error)}
        missing={missing}
        onChange={setDraft}
      />
      <BacktestStrip rules={tested} missing={missing} />
      <FormError error={save.error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={save.isPending} reason={locked ?? problemOf(draft)}>
          {edited === null ? "Create the rule" : "Save the rule"}
        </Button>
      </DialogActions>
    </form>
  )
}

function useSave(edited: PolicyView | null, done: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (draft: Draft) =>
      edited === null ? client.policies.create(toCreate(draft)) : client.policies.update(edited.id, toUpdate(draft)),
    onSuccess: async ({ warning }) => {
      toast(warning ?? (edited === null ? "The rule is created" : "The rule is saved"))
      done()
      await queries.invalidateQueries({ queryKey: ["policies"] })
    },
  })
}
