// What providers said of a person at their last sign-in, beside the roles that it became.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { SignInRecord } from "toolplane/client"
import { Badge, Status } from "../../../ui/badge.tsx"
import { Json } from "../../../ui/text/json.tsx"
import { Failure, Skeleton } from "../../../ui/states.tsx"
import { Line } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { signInsQuery } from "../queries.ts"

export function PersonSignIns({ user }: { readonly user: string }): ReactNode {
  const records = useQuery(signInsQuery(user))
  if (records.error !== null) return <Failure error={records.error} onRetry={() => void records.refetch()} />
  if (records.data === undefined) return <Skeleton rows={2} />
  if (records.data.length === 0) return <p className="text-secondary">They did not sign in at a provider.</p>
  return records.data.map((record) => <SignIn key={`${record.issuer} ${record.subject}`} record={record} />)
}

function SignIn({ record }: { readonly record: SignInRecord }): ReactNode {
  const { provider, at, claims, values, roles, refusal, isComplete } = record
  return (
    <div className="flex flex-col gap-2 rounded-control border border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        {refusal === null ? <Status tone="ok">Let in</Status> : <Status tone="danger">Refused</Status>}
        <Link to="/people" search={{ tab: "providers", provider }}>
          <Line>{provider}</Line>
        </Link>
        <span className="text-secondary">
          <Time at={at} />
        </span>
      </div>
      {refusal === null ? null : <Line className="text-danger">{refusal}</Line>}
      <Pills name="Values of the claim" values={values} />
      <Pills name="Roles they became" values={roles} />
      <Json value={claims} label="Claims" />
      {isComplete ? null : <p className="text-sm text-tertiary">Claims that are too large were left out.</p>}
    </div>
  )
}

const Pills = ({ name, values }: { readonly name: string; readonly values: readonly string[] }): ReactNode => (
  <div className="flex flex-wrap items-center gap-1">
    <span className="mr-1 text-secondary">{name}:</span>
    {values.length === 0
      ? "none"
      : values.map((value) => (
          <Badge key={value}>
            <Line className="max-w-64 truncate">{value}</Line>
          </Badge>
        ))}
  </div>
)
