// Where people sign in: OpenID Connect providers, with the rules that turn claims into roles.
import type { ReactNode } from "react"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { SignInProviderView, SignInTest } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { usePeopleChange } from "../../../api/people.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { useFilters } from "../../../app/search.ts"
import { Button } from "../../../ui/button.tsx"
import { Confirm } from "../../../ui/dialogs/confirm.tsx"
import { CopyButton } from "../../../ui/text/copy.tsx"
import { Empty, Failure, Skeleton } from "../../../ui/states.tsx"
import { Line, Mono, safeLine } from "../../../ui/text/text.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { providersQuery } from "../queries.ts"
import type { PeopleFilters } from "../queries.ts"
import { ProviderDialog } from "./provider-dialog.tsx"
import { TestDialog } from "./test-dialog.tsx"

export function ProvidersTab(): ReactNode {
  const [filters, set] = useFilters<keyof PeopleFilters>()
  const missing = useMissingRight("admin")
  const providers = useQuery({ ...providersQuery, enabled: missing === null })
  const edited = providers.data?.find(({ id }) => id === filters.provider)
  const close = (): void => set({ add: undefined, provider: undefined })
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <p className="text-secondary">
        People sign in at any OpenID Connect provider. Its rules give roles by what it says of them, anew at each sign-in; roles given by
        hand stay.
      </p>
      {missing !== null ? (
        <Empty title="Sign-in providers are for admins">{missing}. Ask an admin of your organization to change them.</Empty>
      ) : providers.error !== null ? (
        <Failure error={providers.error} onRetry={() => void providers.refetch()} />
      ) : providers.data === undefined ? (
        <Skeleton rows={3} />
      ) : providers.data.length === 0 ? (
        <Empty title="No provider yet" command="executor signin providers add Okta --issuer https://acme.okta.com --client-id 0oa1b2">
          Until there is one, people sign in with a passkey after they were invited.
        </Empty>
      ) : (
        <ul aria-label="Sign-in providers" className="divide-y divide-line rounded-card border border-line">
          {providers.data.map((provider) => (
            <Row key={provider.id} provider={provider} onEdit={() => set({ provider: provider.id }, { isStep: true })} />
          ))}
        </ul>
      )}
      {missing === null && filters.add !== undefined ? <ProviderDialog provider={null} onClose={close} /> : null}
      {edited === undefined ? null : <ProviderDialog key={edited.id} provider={edited} onClose={close} />}
    </div>
  )
}

function Row({ provider, onEdit }: { readonly provider: SignInProviderView; readonly onEdit: () => void }): ReactNode {
  const { id, name, issuer, claim, rules, defaultRole, allow, redirectUri } = provider
  const [isAsked, setAsked] = useState(false)
  const [test, setTest] = useState<SignInTest | null>(null)
  const start = usePeopleChange(() => client.signIn.providers.test(id), { onDone: setTest, onError: toastError })
  const remove = usePeopleChange(() => client.signIn.providers.remove(id), {
    onDone: () => toast(`${safeLine(name)} is removed`),
    onError: toastError,
  })
  const rest = defaultRole === undefined ? "whoever no rule matches is refused" : `everybody else gets ${safeLine(defaultRole)}`
  const domains = allow.domains ?? []
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 p-3">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5">
        <span className="flex items-center gap-2">
          <Line className="font-medium break-words">{name}</Line> <Mono className="text-tertiary">{id}</Mono>
        </span>
        <Mono className="break-all text-secondary">{issuer}</Mono>
        <span className="text-sm text-secondary">
          {rules.length === 1 ? "1 rule" : `${rules.length} rules`} on <Mono>{claim}</Mono>; {rest}
          {domains.length === 0 ? "" : `; only addresses at ${domains.map(safeLine).join(", ")}`}
        </span>
        <span className="flex items-center text-sm text-secondary">
          <span className="min-w-0 break-all">
            Redirect address to register there: <Mono>{redirectUri}</Mono>
          </span>
          <CopyButton text={redirectUri} label="Copy the redirect address" />
        </span>
      </div>
      <div className="flex gap-2">
        <Button isBusy={start.isPending} onClick={() => start.mutate(undefined)} aria-label={`Test ${safeLine(name)}`}>
          Test
        </Button>
        <Button onClick={onEdit} aria-label={`Edit ${safeLine(name)}`}>
          Edit
        </Button>
        <Button onClick={() => setAsked(true)} aria-label={`Remove ${safeLine(name)}`}>
          Remove…
        </Button>
      </div>
      <TestDialog name={name} test={test} onClose={() => setTest(null)} />
      {isAsked ? (
        <Confirm
          title={`Remove ${safeLine(name)}?`}
          action={`Remove ${safeLine(name)}`}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setAsked(false)}
        >
          Nobody can sign in there any more, and the roles that people have from it are taken from them. Its secret is deleted.
        </Confirm>
      ) : null}
    </li>
  )
}
