// What a provider granted, beside what it was asked for.
import type { ReactNode } from "react"
import type { ConnectionConsent } from "toolplane/client"
import { Badge } from "../../ui/badge.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"

export function ConsentFacts({ consent }: { readonly consent: ConnectionConsent }): ReactNode {
  const { grant, provider, scopes, grantedScopes, resource, grantedBy, grantedAt, expiresAt, renewable, ended } = consent
  const all = [...new Set([...scopes, ...(grantedScopes ?? [])])]
  const has = (scope: string): boolean => grantedScopes?.includes(scope) ?? true
  return (
    <section aria-labelledby="consent" className="flex flex-col gap-2">
      <h3 id="consent" className="font-semibold">
        Consent
      </h3>
      <dl className="grid grid-cols-[112px_1fr] gap-x-3 gap-y-1.5">
        <dt className="text-secondary">Provider</dt>
        <dd>
          <Line>{provider}</Line>
        </dd>
        <dt className="text-secondary">Given by</dt>
        <dd>
          {grant === "client_credentials" ? "the OAuth client itself, set up by " : null}
          <Line>{grantedBy}</Line>
          {grantedAt === null ? null : (
            <>
              {", token "}
              <Time at={grantedAt} />
            </>
          )}
        </dd>
        <dt className="text-secondary">Expires</dt>
        <dd>
          {ended !== null ? (
            <>
              It has ended: <Line>{ended}</Line>
            </>
          ) : expiresAt === null ? (
            "The provider does not say"
          ) : (
            <>
              <Time at={expiresAt} />
              {renewable ? ", renewed by itself" : ", then a person connects again"}
            </>
          )}
        </dd>
        {resource === null ? null : (
          <>
            <dt className="text-secondary">Token is for</dt>
            <dd>
              <Mono className="break-all">{resource}</Mono>
            </dd>
          </>
        )}
      </dl>
      {all.length === 0 ? (
        <p className="text-secondary">Scopes: the provider's defaults.</p>
      ) : (
        <table className="w-full text-left">
          <caption className="sr-only">Scopes asked for and granted</caption>
          <thead>
            <tr className="border-b border-line text-sm text-secondary">
              <th className="py-1 font-medium">Scope</th>
              <th className="w-20 font-medium">Asked</th>
              <th className="w-24 font-medium">Granted</th>
            </tr>
          </thead>
          <tbody>
            {all.map((scope) => (
              <tr key={scope} className="border-b border-line">
                <td className="py-1">
                  <Mono className="break-all">{scope}</Mono>
                </td>
                <td>{scopes.includes(scope) ? "yes" : "no"}</td>
                <td>{has(scope) ? "yes" : <Badge tone="warn">no</Badge>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {grantedScopes === null && all.length > 0 ? (
        <p className="text-sm text-tertiary">The provider did not state what it granted, which means what it was asked for.</p>
      ) : null}
    </section>
  )
}
