// An invitation: who invites, to what, and how it is accepted.
import type { ReactNode } from "react"
import { useState } from "react"
import { keepSessionKey } from "../../api/session.ts"
import { Field, Input } from "../../ui/field.tsx"
import { PasskeyPlace } from "../../ui/passkey-place.tsx"
import type { PasskeyOffer } from "../../ui/passkey-place.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import { absoluteTime } from "../../ui/text/time.tsx"
import { Caution, Layout } from "../layout.tsx"
import { askPasskey, thisDevice } from "../passkey.ts"
import { leaveFor } from "../provider.ts"
import { homePath } from "../return-path.ts"
import { Action, Status, useWork } from "../work.tsx"

export type InvitationFacts = {
  readonly offer: {
    readonly tenant: string
    readonly name: string
    readonly email: string | null
    readonly roles: readonly string[]
    readonly invitedBy: string
    readonly expiresAt: string
    readonly vouchedBy: string | null
  }
  readonly isLocal: boolean
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly passkeys: PasskeyOffer
}

export function Invitation({ token, facts }: { readonly token: string; readonly facts: InvitationFacts }): ReactNode {
  const { offer, isLocal, providers } = facts
  // A passkey alone does not show that an address is one's own.
  const passkeys: PasskeyOffer = offer.vouchedBy === null ? facts.passkeys : { kind: "off" }
  const [name, setName] = useState(offer.name === "Invited" ? "" : safeLine(offer.name))
  const [isMissing, setMissing] = useState(false)
  const work = useWork()
  const accept = async (): Promise<void> => {
    const given = { token, name: name.trim() }
    keepSessionKey(
      (await askPasskey<{ key: string }>({ kind: "create", path: "/invite", given, more: { ...given, passkeyName: thisDevice() } })).key,
    )
    location.replace(homePath)
  }
  const start = (): void => {
    setMissing(name.trim() === "")
    if (name.trim() !== "") work.run("Follow your browser…", accept)
  }
  return (
    <Layout title={`You are invited${isLocal ? "" : ` to ${safeLine(offer.tenant)}`}`}>
      <p className="break-words">
        <strong>{safeLine(offer.invitedBy)}</strong> invites you to Executor, where you see what agents do and approve their calls.
      </p>
      <Facts offer={offer} />
      <Status said={work.said} />
      <Field label="Your name" error={isMissing ? "Type your name first." : null}>
        {(ids) => <Input {...ids} value={name} maxLength={200} autoComplete="name" onChange={({ target }) => setName(target.value)} />}
      </Field>
      <div className="flex flex-col gap-2 empty:hidden">
        {passkeys.kind === "works" ? (
          <Action work={work} isPrimary onClick={start}>
            Accept with a passkey
          </Action>
        ) : null}
        <PasskeyPlace offer={passkeys} path={`/invite${location.hash}`} />
        {providers.map(({ id, name: provider }) => (
          <Action
            key={id}
            work={work}
            isPrimary={passkeys.kind !== "works"}
            onClick={() => work.run("On to the provider…", () => leaveFor(id, { tenant: offer.tenant, invitation: token }))}
          >
            Accept with {safeLine(provider)}
          </Action>
        ))}
      </div>
      {offer.vouchedBy === null ? null : (
        <p>
          Sign in at {safeLine(offer.vouchedBy)} as {safeLine(offer.email ?? "")}, which shows that the address is yours.
        </p>
      )}
      {passkeys.kind === "off" ? null : (
        <p className="text-secondary">
          A passkey is your fingerprint, your face or a security key. There is no password. Once you are in, add a second one on another
          device, under <em>Passkeys</em>, in case you lose this one.
        </p>
      )}
      {passkeys.kind === "off" && providers.length === 0 ? (
        <Caution>Nobody can sign in here yet: an admin has to add a sign-in provider first.</Caution>
      ) : null}
    </Layout>
  )
}

const Facts = ({ offer }: Pick<InvitationFacts, "offer">): ReactNode => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 break-words">
    <dt className="text-tertiary">Your roles</dt>
    <dd>{offer.roles.length === 0 ? "None yet" : safeLine(offer.roles.join(", "))}</dd>
    {offer.email === null ? null : (
      <>
        <dt className="text-tertiary">For</dt>
        <dd className="min-w-0">{safeLine(offer.email)}</dd>
      </>
    )}
    <dt className="text-tertiary">Works until</dt>
    <dd>
      <time dateTime={offer.expiresAt}>{absoluteTime(offer.expiresAt)}</time>
    </dd>
  </dl>
)
