// The sign-in providers as one principal acts on them; every change is audited.
import type { ExecutorApi } from "../core/executor-api.ts"
import type { Principal } from "../core/principal.ts"
import { createProvider, listProviders, removeProvider, updateProvider } from "../identity/sign-in/providers.ts"
import type { SignInParts } from "../identity/sign-in/sign-in-parts.ts"
import { testProvider } from "../identity/sign-in/start.ts"
import { withAudit } from "./audit/audit.ts"
import type { EngineParts } from "./engine-parts.ts"

export function signInApi(principal: Principal, parts: EngineParts & SignInParts): ExecutorApi["signIn"] {
  const audit = withAudit(principal, parts)
  return {
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
  }
}
