// What a person is asked to consent to: for whom, at whom, what for, and where the token will go.
import type { ReactNode } from "react"
import type { OauthOffer } from "../../../../src/core/oauth.ts"
import { Notice } from "../../ui/notice.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"

type OfferProps = {
  readonly offer: OauthOffer
  /** Whoever sees it has just asked for it. */
  readonly isOwn?: boolean
}

export const OfferFacts = ({ offer, isOwn = false }: OfferProps): ReactNode => (
  <div className="flex flex-col gap-3">
    <p>
      {isOwn ? (
        "You give access to your account at"
      ) : (
        <>
          {offer.askedBy === "agent" ? "An agent of the user " : "The user "}
          <Line className="font-semibold">{offer.user}</Line> wants access to your account at
        </>
      )}{" "}
      <Line className="font-semibold">{offer.provider}</Line>.
    </p>
    {offer.replaces === null ? null : (
      <Notice tone="warn" title={`This replaces the current credential of ${offer.connection} (${offer.replaces})`}>
        Everyone who uses that connection will act as your account.
      </Notice>
    )}
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      <dt className="text-secondary">Connection</dt>
      <dd>
        <Mono className="break-all">{offer.connection}</Mono>
      </dd>
      <dt className="text-secondary">Permissions</dt>
      <dd className="flex flex-wrap gap-x-3">
        {offer.scopes.length === 0 ? "The provider's defaults" : offer.scopes.map((scope) => <Mono key={scope}>{scope}</Mono>)}
      </dd>
      <dt className="text-secondary">Token is sent to</dt>
      <dd className="flex flex-col">
        {offer.origins.length === 0
          ? "Nowhere yet"
          : offer.origins.map((origin) => (
              <Mono key={origin} className="break-all">
                {origin}
              </Mono>
            ))}
      </dd>
      {offer.resource === null ? null : (
        <>
          <dt className="text-secondary">Token is for</dt>
          <dd>
            <Mono className="break-all">{offer.resource}</Mono>
          </dd>
        </>
      )}
      <dt className="text-secondary">OAuth client</dt>
      <dd>
        <Line>{offer.client ?? "Removed; start again"}</Line>
      </dd>
    </dl>
  </div>
)
