// What the sign-in pages need of sign-in providers.
import type { SignInPages } from "../../core/people/sign-in.ts"
import { finishSignIn } from "./finish.ts"
import type { SignInFlowParts } from "./sign-in-parts.ts"
import { startSignIn } from "./start.ts"

export const createSignInPages = (parts: SignInFlowParts): SignInPages => ({
  async offers(tenant) {
    const rows = await parts.store.signInProviders.list(tenant)
    return rows.map(({ id, name }) => ({ id, name }))
  },
  start: (input, facts) => startSignIn(input, facts, parts),
  finish: (answer, browser, facts) => finishSignIn(answer, browser, facts, parts),
})
