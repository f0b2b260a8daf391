// Chooses roles: each with what it is for.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { rolesQuery } from "../../api/people.ts"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"

type RoleChecksProps = {
  readonly label: string
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
  /** Why they cannot be changed. */
  readonly reason?: string | null
}

export function RoleChecks({ label, value, onChange, reason = null }: RoleChecksProps): ReactNode {
  const roles = useQuery(rolesQuery)
  if (roles.error !== null) return <Failure error={roles.error} onRetry={() => void roles.refetch()} />
  if (roles.data === undefined) return <Skeleton rows={2} />
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="max-h-56 divide-y divide-line overflow-y-auto rounded-control border border-line">
        {roles.data.map(({ id, name, description }) => (
          <label key={id} className="control-height flex items-center gap-2 px-2 py-1">
            <input
              type="checkbox"
              checked={value.includes(id)}
              disabled={reason !== null}
              onChange={({ target }) => onChange(target.checked ? [...value, id] : value.filter((one) => one !== id))}
              className="size-4 shrink-0 accent-(--solid)"
            />
            <span className="min-w-0 flex-1 truncate">
              <Line>{name}</Line> <Mono className="text-tertiary">{id}</Mono>
              {description === "" ? null : <Line className="ml-2 text-sm text-secondary">{description}</Line>}
            </span>
          </label>
        ))}
      </div>
      {reason === null ? null : <p className="mt-1 text-sm text-tertiary">{reason}</p>}
    </fieldset>
  )
}
