// The fields of a rule.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { PatternCount } from "toolplane/client"
import { policyActions } from "../../../../src/core/policy.ts"
import { Checkbox, Field, Input, Select } from "../../ui/field.tsx"
import { Mono, safeLine } from "../../ui/text/text.tsx"
import { ConditionsField } from "./conditions-field.tsx"
import type { Draft } from "./draft.ts"
import { roleNamesQuery } from "./queries.ts"
import { toolCount } from "./rule-list.tsx"

const actionWords = { allow: "Allow: it runs at once", require_approval: "Ask: somebody approves it first", block: "Block: it is refused" }

type RuleFieldsProps = {
  readonly draft: Draft
  readonly isNew: boolean
  readonly match: PatternCount | undefined
  readonly patternError: string | null
  /** Why rules for everybody cannot be made. */
  readonly missing: string | null
  readonly onChange: (draft: Draft) => void
}

export function RuleFields({ draft, isNew, match, patternError, missing, onChange }: RuleFieldsProps): ReactNode {
  const change = (part: Partial<Draft>): void => onChange({ ...draft, ...part })
  const hint = isNew ? (missing ?? "Cannot be changed later.") : "Cannot be changed: make a new rule instead."
  return (
    <>
      <Field
        label="Pattern"
        error={patternError}
        hint={match === undefined ? "Such as github.issues.*; * is one part of a name, ** any number of them." : <Matches match={match} />}
      >
        {(ids) => (
          <Input
            {...ids}
            value={draft.pattern}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change({ pattern: event.target.value })}
            className="font-mono text-sm"
          />
        )}
      </Field>
      <div className="grid gap-4 min-[900px]:grid-cols-3">
        <Field label="Action">
          {(ids) => (
            <Select
              {...ids}
              value={draft.action}
              onChange={(event) => change({ action: policyActions.find((one) => one === event.target.value) ?? draft.action })}
            >
              {policyActions.map((action) => (
                <option key={action} value={action}>
                  {actionWords[action]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Applies to" hint={hint}>
          {(ids) => (
            <Select
              {...ids}
              disabled={!isNew}
              value={draft.owner}
              onChange={(event) => change({ owner: event.target.value === "org" ? "org" : "user" })}
            >
              <option value="org" disabled={missing !== null}>
                Everybody
              </option>
              <option value="user">Only me and my agents</option>
            </Select>
          )}
        </Field>
        <RoleField label="Only for the role" none="Every role" value={draft.role} onChange={(role) => change({ role })} />
      </div>
      <ConditionsField value={draft.when} onChange={(when) => change({ when })} />
      {draft.action === "require_approval" ? (
        <div className="grid items-start gap-4 min-[900px]:grid-cols-2">
          <RoleField
            label="Answered by the role"
            none="Anybody who may answer"
            value={draft.byRole}
            onChange={(byRole) => change({ byRole })}
          />
          <Checkbox
            label="Never by whoever asked (four eyes)"
            checked={draft.notRequester}
            onChange={(event) => change({ notRequester: event.target.checked })}
            className="min-[900px]:mt-6"
          />
        </div>
      ) : null}
    </>
  )
}

const Matches = ({ match }: { readonly match: PatternCount }): ReactNode => (
  <span className={match.count === 0 ? "text-warn" : ""}>
    Matches {toolCount(match.count)} now{match.readAs === match.pattern ? "" : ", read as "}
    {match.readAs === match.pattern ? null : <Mono className="break-all">{match.readAs}</Mono>}
    {match.count === 0 ? ". Look at the name of the tool." : ": "}
    {match.tools.slice(0, 3).map((tool, at) => (
      <span key={tool}>
        {at === 0 ? "" : ", "}
        <Mono className="break-all">{tool}</Mono>
      </span>
    ))}
    {match.count > 3 ? " …" : ""}
  </span>
)

type RoleFieldProps = {
  readonly label: string
  readonly none: string
  readonly value: string
  readonly onChange: (role: string) => void
}

/** A role that is gone, or that this person does not see, stays as it is. */
function RoleField({ label, none, value, onChange }: RoleFieldProps): ReactNode {
  const { data: roles = [] } = useQuery(roleNamesQuery)
  const options = value === "" || roles.some(([id]) => id === value) ? roles : [...roles, [value, value] as const]
  return (
    <Field label={label}>
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{none}</option>
          {options.map(([id, name]) => (
            <option key={id} value={id}>
              {safeLine(name)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
