// A filter that is typed: it counts once the typing pauses.
import type { ReactNode } from "react"
import { useEffect, useId, useState } from "react"
import { Input } from "../field.tsx"
import { useSettled } from "./use-settled.ts"

type TypedProps = {
  readonly label: string
  readonly value: string
  /** What is suggested. */
  readonly options?: readonly string[]
  readonly isMain?: boolean
  readonly onTyped: (text: string | undefined) => void
}

export function Typed({ label, value, options, isMain = false, onTyped }: TypedProps): ReactNode {
  const list = useId()
  const [text, setText] = useState(value)
  const settled = useSettled(text)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (settled === text && settled !== value) onTyped(settled === "" ? undefined : settled)
    // Only what has settled is a change.
  }, [settled])
  return (
    <>
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        className="!w-44 max-[899px]:!w-[calc(50%-4px)]"
        {...(isMain ? { "data-filter": true } : {})}
        {...(options === undefined ? {} : { list })}
      />
      {options === undefined ? null : (
        <datalist id={list}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </>
  )
}
