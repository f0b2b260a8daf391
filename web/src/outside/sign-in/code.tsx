// Signing in with a one-time code, as `executor web` makes it.
//
// A link is only a page: opening it changes nothing. Where a page of another origin led here, a human clicks first: the
// code may be somebody else's, who wants them to work in that name.
import type { ReactNode } from "react"
import { useCallback, useEffect, useRef, useState } from "react"
import { keepSessionKey, onSessionChange, readSessionKey, sessionHeaders } from "../../api/session.ts"
import { asCalledHere } from "../../ui/text/own-command.ts"
import { Caution, Layout, OnTheMachine } from "../layout.tsx"
import { homePath, returnPath } from "../return-path.ts"
import { Refusal, read, send } from "../send.ts"
import { Action, useWork } from "../work.tsx"

/** The server says where the browser came from; whoever is not known to come from here is asked. */
const isLedByOthers = document.querySelector<HTMLMetaElement>("meta[name=executor-arrival]")?.content !== "own"

type Step = { readonly is: "asking" | "working" } | { readonly is: "refused"; readonly reason: string | null }

export function CodeSignIn({ code, query }: { readonly code: string; readonly query: URLSearchParams }): ReactNode {
  const [step, setStep] = useState<Step>({ is: isLedByOthers ? "asking" : "working" })
  const work = useWork()
  const next = returnPath(query.get("return") ?? query.get("next")) ?? homePath
  const isStarted = useRef(false)
  const start = useCallback(() => {
    if (isStarted.current) return
    isStarted.current = true
    setStep({ is: "working" })
    const goOn = async (): Promise<void> => {
      await signIn(code)
      location.replace(next)
    }
    goOn().catch((error: unknown) => setStep({ is: "refused", reason: reasonOf(error) }))
  }, [code, next])
  useEffect(() => (isLedByOthers ? undefined : start()), [start])
  useEffect(() => onSessionChange(() => (readSessionKey() === "" ? undefined : location.replace(next))), [next])
  switch (step.is) {
    case "working":
      return <Layout title="Signing in…">{null}</Layout>
    case "asking":
      return (
        <Layout title="Sign in with this link?">
          <Caution>
            Another page led you here. Go on only if you made this link yourself, with <code>{asCalledHere("executor web")}</code>: whoever
            made it decides in whose name you are signed in.
          </Caution>
          <Action work={work} isPrimary onClick={start}>
            Sign in
          </Action>
        </Layout>
      )
    case "refused":
      return <Refused reason={step.reason} />
  }
}

const Refused = ({ reason }: { readonly reason: string | null }): ReactNode => (
  <Layout title="This sign-in link does not work">
    <p role="alert">{reason ?? "A link works once and expires after a few minutes. This one has been used or has expired."}</p>
    <p>
      <a href="/signin">Sign in</a> in another way, or make a new link.
    </p>
    <OnTheMachine />
    <p className="text-sm text-tertiary">Once you are signed in, this page continues automatically.</p>
  </Layout>
)

/** A link that was used already leads whoever is signed in by it to where it led them before. */
async function signIn(code: string): Promise<void> {
  try {
    keepSessionKey((await send<{ key: string }>("/signin", { code })).key)
  } catch (error) {
    const key = readSessionKey()
    if (key === "") throw error
    await read("/api/me", sessionHeaders(key)).catch(() => {
      throw error
    })
  }
}

const reasonOf = (error: unknown): string | null => {
  if (!(error instanceof Refusal)) return String(error)
  if (error.status === 0) return "Executor is not responding. Start it, then open the link again."
  return error.status === 401 ? null : error.message
}
