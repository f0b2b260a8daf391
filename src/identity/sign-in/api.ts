// The sign-in providers as one principal acts on them, with each change in the audit.
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { Principal } from "../../core/principal.ts"
import { createProvider, listProviders, removeProvider, updateProvider } from "./providers.ts"
import type { SignInParts } from "./sign-in-parts.ts"
import { testProvider } from "./start.ts"

type Audit = <T>(
  action: string,
  subject: string,
  work: () => Promise<T>,
  tell?: (done: T) => { readonly details: Readonly<Record<string, unknown>>; readonly subject?: string },
) => Promise<T>

export const signInApi = (principal: Principal, audit: Audit, parts: SignInParts): ExecutorApi["signIn"] => ({
  providers: {
    list: () => listProviders(principal, parts),
    create: (input) =>
      audit(
        "signin.provider.create",
        input.id ?? input.name,
        () => createProvider(principal, input, parts),
        (after) => ({ subject: after.id, details: { after } }),
      ),
    update: async (id, change) =>
      (
        await audit(
          "signin.provider.update",
          id,
          () => updateProvider(principal, id, change, parts),
          (details) => ({ details }),
        )
      ).after,
    remove: async (id) =>
      void (await audit(
        "signin.provider.remove",
        id,
        () => removeProvider(principal, id, parts),
        (before) => ({ details: { before } }),
      )),
    test: (id) => audit("signin.provider.test", id, () => testProvider(principal, id, parts)),
  },
})
