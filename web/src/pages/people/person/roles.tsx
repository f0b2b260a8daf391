// The roles of a person: those of providers as they are, those given by hand to change.
import type { ReactNode } from "react"
import { useState } from "react"
import { Link } from "@tanstack/react-router"
import type { UserView } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { usePeopleChange } from "../../../api/people.ts"
import { Button } from "../../../ui/button.tsx"
import { FormError } from "../../../ui/form-error.tsx"
import { Line, safeLine } from "../../../ui/text/text.tsx"
import { toast } from "../../../ui/toast.tsx"
import { providerOf, RoleBadges } from "../labels.tsx"
import { RoleChecks } from "../role-checks.tsx"

export function PersonRoles({ person, missing }: { readonly person: UserView; readonly missing: string | null }): ReactNode {
  const given = person.roles.filter((grant) => providerOf(grant) === null).map(({ role }) => role)
  const fromProviders = person.roles.filter((grant) => providerOf(grant) !== null)
  const [roles, setRoles] = useState<readonly string[]>(given)
  const save = usePeopleChange(() => client.users.update(person.id, { roles }), {
    onDone: () => toast(`The roles of ${safeLine(person.name)} are saved`),
  })
  const isSame = roles.length === given.length && roles.every((role) => given.includes(role))
  if (missing !== null)
    return (
      <p>
        <RoleBadges roles={person.roles} status={person.status} />
      </p>
    )
  return (
    <>
      {fromProviders.length === 0 ? null : (
        <ul aria-label="Roles from providers" className="flex flex-col gap-1 text-secondary">
          {fromProviders.map((grant) => (
            <li key={`${grant.role} ${grant.from}`}>
              <Link to="/roles" search={{ role: grant.role }}>
                <Line>{grant.role}</Line>
              </Link>{" "}
              from <Line>{providerOf(grant) ?? ""}</Line>, as its rules say at each sign-in
            </li>
          ))}
        </ul>
      )}
      <RoleChecks label="Given by hand" value={roles} onChange={setRoles} />
      <FormError error={save.error} />
      <div className="flex gap-2">
        <Button kind="primary" isBusy={save.isPending} reason={isSame ? "Nothing is changed" : null} onClick={() => save.mutate(undefined)}>
          Save roles
        </Button>
      </div>
    </>
  )
}
