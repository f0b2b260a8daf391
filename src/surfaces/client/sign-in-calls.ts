// Sign-in providers over HTTP.
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { Page } from "../../core/page.ts"
import type { SignInProviderView, SignInTest } from "../../core/people/sign-in.ts"
import { pathTo } from "./transport.ts"
import type { Transport } from "./transport.ts"

export const signInCalls = (http: Transport): ExecutorApi["signIn"] => ({
  providers: {
    list: async () => [...(await http.send<Page<SignInProviderView>>("GET", "/signin/providers", { holds: "items" })).items],
    create: (input) => http.send<SignInProviderView>("POST", "/signin/providers", { holds: "id", body: input }),
    update: async (id, change) => http.send<SignInProviderView>("PATCH", pathTo("signin", "providers", id), { holds: "id", body: change }),
    remove: async (id) => http.send<void>("DELETE", pathTo("signin", "providers", id)),
    test: async (id) => http.send<SignInTest>("POST", `${pathTo("signin", "providers", id)}/test`, { holds: "url" }),
  },
})
