// What a test of a sign-in provider showed.
import type { ReactNode } from "react"
import { safeJson, safeLine, safeText } from "../../ui/text/text.tsx"
import { Layout } from "../layout.tsx"

export type TestedFacts = {
  readonly provider: string
  readonly claims: unknown
  readonly values: readonly string[]
  readonly roles: readonly string[]
  /** Why they would be refused; null: they would be let in. */
  readonly refusal: string | null
}

const shownMax = 100
const claimsCharsMax = 50_000

export const Tested = ({ facts: { provider, claims, values, roles, refusal } }: { readonly facts: TestedFacts }): ReactNode => (
  <Layout title={`${safeLine(provider)} works`} isWide>
    <p>
      {refusal === null ? (
        "This person would be signed in."
      ) : (
        <>
          <strong>This person would not be signed in.</strong> {safeText(refusal)}.
        </>
      )}{" "}
      Nothing was saved.
    </p>
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      <dt className="text-tertiary">Roles</dt>
      <dd>{roles.length === 0 ? "None" : safeLine(roles.join(", "))}</dd>
      <dt className="text-tertiary">Values of the claim</dt>
      <dd>
        {values.length === 0 ? "None" : null}
        <ul aria-label="Values of the claim">
          {values.slice(0, shownMax).map((value, at) => (
            <li key={at} className="font-mono text-sm break-all">
              {safeLine(value)}
            </li>
          ))}
        </ul>
        {values.length > shownMax ? `and ${values.length - shownMax} more` : null}
      </dd>
    </dl>
    <h2 className="font-medium">Claims</h2>
    <pre
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-control border border-line bg-surface p-2 font-mono text-sm break-words whitespace-pre-wrap"
    >
      {safeJson(claims, 2).slice(0, claimsCharsMax)}
    </pre>
    <p className="text-secondary">You can close this window.</p>
  </Layout>
)
