// The ways to sign in that a tenant offers, or the one that an admin tests.
import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { keepSessionKey, onSessionChange, readSessionKey, sessionHeaders } from "../../api/session.ts"
import { PasskeyPlace } from "../../ui/passkey-place.tsx"
import type { PasskeyOffer } from "../../ui/passkey-place.tsx"
import { safeLine } from "../../ui/text/text.tsx"
import { Layout, OnTheMachine } from "../layout.tsx"
import { askPasskey } from "../passkey.ts"
import { leaveFor } from "../provider.ts"
import { homePath, returnPath } from "../return-path.ts"
import { read } from "../send.ts"
import { Action, Status, useWork } from "../work.tsx"
import type { Work } from "../work.tsx"

/** What is told to anybody about a tenant. */
export type Offer = {
  readonly tenant: string
  /** Whether it is the tenant of this machine, which needs no name. */
  readonly isLocal: boolean
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  readonly passkeys: PasskeyOffer
}

export function Methods({ query }: { readonly query: URLSearchParams }): ReactNode {
  const tenant = decodeURIComponent(/^\/signin\/([^/]+)/.exec(location.pathname)?.[1] ?? "")
  const [offer, setOffer] = useState<Offer | null>(null)
  const work = useWork()
  const [failed, setFailed] = useState<string | null>(null)
  const back = returnPath(query.get("return")) ?? homePath
  const isTest = query.has("test")
  useEffect(() => {
    read<Offer>(`/api/signin/methods?tenant=${encodeURIComponent(tenant)}`).then(setOffer, (error: unknown) =>
      setFailed(error instanceof Error ? error.message : String(error)),
    )
  }, [tenant])
  useEffect(() => onSessionChange(() => (readSessionKey() === "" ? undefined : location.replace(back))), [back])
  useSkip(offer?.tenant ?? null, isTest, back)
  const title = isTest ? "Test a sign-in provider" : offer === null || offer.isLocal ? "Sign in" : `Sign in to ${safeLine(offer.tenant)}`
  return (
    <Layout title={title}>
      <Status said={failed === null ? work.said : { text: failed, isBad: true }} />
      {offer === null ? null : isTest ? (
        <Test offer={offer} query={query} work={work} />
      ) : (
        <Choices offer={offer} query={query} work={work} back={back} />
      )}
    </Layout>
  )
}

/** Whoever is signed in here already goes on, unless they came to test a provider. */
function useSkip(tenant: string | null, isTest: boolean, back: string): void {
  useEffect(() => {
    const key = readSessionKey()
    if (tenant === null || key === "" || isTest) return
    read<{ tenant: string }>("/api/me", sessionHeaders(key)).then(
      (me) => (me.tenant === tenant ? location.replace(back) : undefined),
      () => {}, // nobody is signed in
    )
  }, [tenant, isTest, back])
}

type PartProps = { readonly offer: Offer; readonly query: URLSearchParams; readonly work: Work }

const given = (query: URLSearchParams, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (query.get(name) === null ? [] : [[name, query.get(name) ?? ""]])))

const leave = ({ offer, query, work }: PartProps, id: string): void =>
  work.run("On to the provider…", () => leaveFor(id, { tenant: offer.tenant, ...given(query, "return", "test", "invitation") }))

function Choices({ back, ...part }: PartProps & { readonly back: string }): ReactNode {
  const { offer, work } = part
  const usePasskey = async (): Promise<void> => {
    keepSessionKey((await askPasskey<{ key: string }>({ kind: "get", path: "/signin/passkey" })).key)
    location.replace(back)
  }
  return (
    <>
      <div className="flex flex-col gap-2 empty:hidden">
        {offer.providers.map(({ id, name }) => (
          <Action key={id} work={work} isPrimary onClick={() => leave(part, id)}>
            Continue with {safeLine(name)}
          </Action>
        ))}
        {offer.passkeys.kind === "works" ? (
          <Action work={work} isPrimary={offer.providers.length === 0} onClick={() => work.run("Follow your browser…", usePasskey)}>
            Sign in with a passkey
          </Action>
        ) : null}
        <PasskeyPlace offer={offer.passkeys} path={`/signin${location.search}`} />
      </div>
      {offer.providers.length === 0 ? (
        <OnTheMachine />
      ) : (
        <details>
          <summary className="cursor-pointer text-secondary">On the machine where Executor runs</summary>
          <div className="flex flex-col gap-2 pt-2">
            <OnTheMachine />
          </div>
        </details>
      )}
      <p className="text-secondary">
        Already signed in? <a href={homePath}>Go to your inbox</a>.
      </p>
    </>
  )
}

function Test(part: PartProps): ReactNode {
  const tested = part.offer.providers.find(({ id }) => id === (part.query.get("provider") ?? ""))
  return (
    <>
      <p>
        You sign in at the provider and then see what it says about you, and which roles that would give you here. Nothing is saved, and you
        are not signed in here.
      </p>
      {tested === undefined ? (
        <p>This provider does not exist any more.</p>
      ) : (
        <Action work={part.work} isPrimary onClick={() => leave(part, tested.id)}>
          Test {safeLine(tested.name)}
        </Action>
      )}
    </>
  )
}
