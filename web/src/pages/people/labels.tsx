// How people stand and how they came, in a word.
import type { ReactNode } from "react"
import type { RoleGrant, UserStatus, UserView } from "toolplane/client"
import { Badge, Status } from "../../ui/badge.tsx"
import type { Tone } from "../../ui/badge.tsx"
import { Line } from "../../ui/text/text.tsx"

export const statusNames: Readonly<Record<UserStatus, string>> = { active: "Active", invited: "Invited", disabled: "Disabled" }
const tones: Readonly<Record<UserStatus, Tone>> = { active: "ok", invited: "waiting", disabled: "neutral" }

export const StatusOf = ({ status }: Pick<UserView, "status">): ReactNode => <Status tone={tones[status]}>{statusNames[status]}</Status>

export const sourceNames = { local: "Local", invitation: "Invitation", sso: "SSO" } as const

export const sourceText = (source: UserView["source"]): string =>
  source === "local" || source === "invitation" ? sourceNames[source] : `SSO, ${source.slice("sso:".length)}`

/** The provider that gives it; null: it was given by hand. */
export const providerOf = ({ from }: RoleGrant): string | null => (from === "given" ? null : from.slice("sso:".length))

export const RoleBadges = ({ roles, status }: Pick<UserView, "roles" | "status">): ReactNode =>
  roles.length === 0 ? (
    <span className="text-tertiary">{status === "invited" ? "Once accepted" : "No role"}</span>
  ) : (
    roles.map((grant) => (
      <span key={`${grant.role} ${grant.from}`} className="mr-1">
        <Badge tone={grant.role === "admin" ? "warn" : "neutral"}>
          <Line>{grant.role}</Line>
          {providerOf(grant) === null ? null : <span className="font-normal">from {providerOf(grant)}</span>}
        </Badge>
      </span>
    ))
  )
