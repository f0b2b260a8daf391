// Fields of forms: a label, the control, a hint, and what is wrong with it.
import type { ComponentProps, ReactNode } from "react"
import { useId } from "react"

const look =
  "control-height w-full rounded-control border border-control bg-raised px-2 py-1 text-text aria-invalid:border-danger disabled:opacity-60"

type FieldProps = {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | null
  /** Gets the ids that tie the label and the texts to it. */
  readonly children: (ids: { readonly id: string; readonly "aria-describedby": string; readonly "aria-invalid": boolean }) => ReactNode
}

export function Field({ label, hint, error = null, children }: FieldProps): ReactNode {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": `${id}-hint`, "aria-invalid": error !== null })}
      <div id={`${id}-hint`} className="text-sm">
        {error === null ? <span className="text-tertiary">{hint}</span> : <span className="text-danger">{error}</span>}
      </div>
    </div>
  )
}

export const Input = ({ className = "", ...rest }: ComponentProps<"input">): ReactNode => (
  <input {...rest} className={`${look} ${className}`} />
)

export const TextArea = ({ className = "", ...rest }: ComponentProps<"textarea">): ReactNode => (
  <textarea {...rest} className={`${look} ${className}`} />
)

export const Select = ({ className = "", ...rest }: ComponentProps<"select">): ReactNode => (
  <select {...rest} className={`${look} pr-6 ${className}`} />
)

type CheckboxProps = Omit<ComponentProps<"input">, "type"> & { readonly label: ReactNode }

export const Checkbox = ({ label, className = "", ...rest }: CheckboxProps): ReactNode => (
  <label className={`control-height inline-flex items-center gap-2 ${className}`}>
    <input type="checkbox" {...rest} className="size-4 accent-(--solid)" />
    <span>{label}</span>
  </label>
)
