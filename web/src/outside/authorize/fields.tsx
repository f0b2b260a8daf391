// The choices of the consent page: what the client may use, and how it may ask for approvals.
import type { ReactNode } from "react"
import { TextArea } from "../../ui/field.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import type { Reach, RoleChoice } from "./reach.ts"

type ChoiceProps = {
  readonly type: "radio" | "checkbox"
  readonly name: string
  readonly isChecked: boolean
  readonly isFixed?: boolean
  readonly onChange?: (isChecked: boolean) => void
  readonly children: ReactNode
}

const Choice = ({ type, name, isChecked, isFixed = false, onChange, children }: ChoiceProps): ReactNode => (
  <label className="flex items-baseline gap-2 py-0.5">
    <input
      type={type}
      name={name}
      checked={isChecked}
      disabled={isFixed}
      onChange={({ target }) => onChange?.(target.checked)}
      className="size-4 shrink-0 translate-y-0.5 accent-(--solid)"
    />
    <span className="min-w-0 break-words">{children}</span>
  </label>
)

const Legend = ({ children }: { readonly children: string }): ReactNode => <legend className="pb-1 font-medium">{children}</legend>

type ReachProps = {
  readonly roles: readonly RoleChoice[]
  /** An integration, for patterns. */
  readonly example: string
  readonly reach: Reach
  readonly onReach: (reach: Reach) => void
  readonly typed: string
  readonly onTyped: (typed: string) => void
}

export const ReachFields = ({ roles, example, reach, onReach, typed, onTyped }: ReachProps): ReactNode => (
  <fieldset className="min-w-0">
    <Legend>What may it use?</Legend>
    <Choice type="radio" name="reach" isChecked={reach.is === "all"} onChange={() => onReach({ is: "all" })}>
      Everything that I can use, now and later
    </Choice>
    {roles.map(({ id, name, patterns }) => (
      <Choice
        key={id}
        type="radio"
        name="reach"
        isChecked={reach.is === "role" && reach.id === id}
        onChange={() => onReach({ is: "role", id })}
      >
        Only what my role <Line>{name}</Line>
        {name === id ? null : <span className="text-secondary"> ({id})</span>} allows now: <Mono>{patterns.join(" ")}</Mono>
      </Choice>
    ))}
    <Choice type="radio" name="reach" isChecked={reach.is === "custom"} onChange={() => onReach({ is: "custom" })}>
      Only tools that match these patterns:
    </Choice>
    {reach.is === "custom" ? (
      <div className="flex flex-col gap-1 pt-1 pl-6">
        <TextArea
          rows={3}
          aria-label="Patterns"
          aria-describedby="patterns-hint"
          placeholder={`${example}.**`}
          spellCheck={false}
          className="font-mono text-sm"
          value={typed}
          onChange={({ target }) => onTyped(target.value)}
        />
        <p id="patterns-hint" className="text-sm text-tertiary">
          One a line: <code>{example}.**</code> is everything of {example}, <code>{example}.*</code> only what is one level below.
        </p>
      </div>
    ) : null}
  </fieldset>
)

/** Besides the inbox, where it always may. */
export type Asking = { readonly native: boolean; readonly model: boolean }

type AskingProps = { readonly asking: Asking; readonly onChange: (asking: Asking) => void }

export const AskingFields = ({ asking, onChange }: AskingProps): ReactNode => (
  <fieldset className="min-w-0">
    <Legend>How may it ask you for approvals?</Legend>
    <Choice type="checkbox" name="mode" isChecked isFixed>
      In the inbox of this server
    </Choice>
    <Choice type="checkbox" name="mode" isChecked={asking.native} onChange={(native) => onChange({ ...asking, native })}>
      In its own dialogs. <span className="text-secondary">You then trust this program to pass on what you answered.</span>
    </Choice>
    <Choice type="checkbox" name="mode" isChecked={asking.model} onChange={(model) => onChange({ ...asking, model })}>
      By its model, in the conversation. <span className="text-secondary">You then trust the model as well.</span>
    </Choice>
  </fieldset>
)
