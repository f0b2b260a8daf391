// Who has a role.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { RoleView } from "toolplane/client"
import { LinkButton } from "../../ui/button.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Line } from "../../ui/text/text.tsx"
import { peopleQuery } from "./queries.ts"

export function RolePeople({ role }: { readonly role: RoleView }): ReactNode {
  const people = useQuery({ ...peopleQuery(role.id), enabled: role.people !== null })
  return (
    <section aria-label="People" className="flex flex-col gap-2">
      <h2 className="text-lg font-semibold">People{role.people === null ? "" : `: ${role.people.toLocaleString("en")}`}</h2>
      {role.people === null ? (
        <p className="text-secondary">Who else has it is shown to admins, auditors and whoever may invite people.</p>
      ) : people.error !== null ? (
        <Failure error={people.error} onRetry={() => void people.refetch()} />
      ) : people.data === undefined ? (
        <Skeleton rows={2} />
      ) : people.data.items.length === 0 ? (
        <p className="text-secondary">Nobody has it.</p>
      ) : (
        <ul aria-label="People with this role" className="flex flex-wrap gap-x-4 gap-y-1">
          {people.data.items.map(({ id, name, roles }) => (
            <li key={id}>
              <Link to="/people" search={{ person: id }}>
                <Line>{name}</Line>
              </Link>
              <span className="text-sm text-tertiary"> {originOf(roles, role.id)}</span>
            </li>
          ))}
        </ul>
      )}
      {people.data == null || people.data.nextCursor === null ? null : (
        <div>
          <LinkButton to="/people" search={{ role: role.id }}>
            All of them
          </LinkButton>
        </div>
      )}
    </section>
  )
}

const originOf = (roles: readonly { readonly role: string; readonly from: string }[], id: string): string =>
  roles
    .filter(({ role }) => role === id)
    .map(({ from }) => (from === "given" ? "given" : `from ${from.slice("sso:".length)}`))
    .join(", ")
