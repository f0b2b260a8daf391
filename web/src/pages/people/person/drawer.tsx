// One person: how they stand, their roles, where they are signed in, what acts in their name, and what providers say of them.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { UserView } from "toolplane/client"
import { meQuery } from "../../../api/query.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { LinkButton } from "../../../ui/button.tsx"
import { CopyButton } from "../../../ui/text/copy.tsx"
import { Drawer } from "../../../ui/dialogs/dialog.tsx"
import { Failure, Skeleton } from "../../../ui/states.tsx"
import { Line, Mono, safeLine } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { sourceText, StatusOf } from "../labels.tsx"
import { personQuery } from "../queries.ts"
import { PersonActions } from "./actions.tsx"
import { PersonRoles } from "./roles.tsx"
import { PersonSessions } from "./sessions.tsx"
import { PersonSignIns } from "./sign-ins.tsx"
import { PersonTokens } from "./tokens.tsx"

export function PersonDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const person = useQuery(personQuery(id))
  return (
    <Drawer
      isOpen
      title={person.data === undefined ? "Person" : safeLine(person.data.name)}
      {...(person.data === undefined ? {} : { about: person.data.service ? "Service account" : "Person" })}
      onClose={onClose}
    >
      {person.error !== null ? (
        <Failure error={person.error} onRetry={() => void person.refetch()} />
      ) : person.data === undefined ? (
        <Skeleton />
      ) : (
        <Person person={person.data} onGone={onClose} />
      )}
    </Drawer>
  )
}

function Person({ person, onGone }: { readonly person: UserView; readonly onGone: () => void }): ReactNode {
  const { data: me } = useQuery(meQuery)
  const missing = useMissingRight("admin")
  const isMe = me?.id === person.id
  // Whoever may not read it is told so, instead of being shown what the server refuses.
  const unread = isMe ? null : missing
  return (
    <div className="flex flex-col gap-6">
      <PersonActions person={person} isMe={isMe} missing={missing} onGone={onGone} />
      <dl className="grid grid-cols-[96px_minmax(0,1fr)] items-center gap-x-3 gap-y-1.5">
        <Fact name="Status">
          <StatusOf status={person.status} />
        </Fact>
        <Fact name="Id">
          <span className="flex items-center">
            <Mono className="break-all">{person.id}</Mono>
            <CopyButton text={person.id} label="Copy the id" />
          </span>
        </Fact>
        <Fact name="E-mail">{person.email === null ? "none" : <Line className="break-all">{person.email}</Line>}</Fact>
        <Fact name="Source">
          <Line>{sourceText(person.source)}</Line>
        </Fact>
        <Fact name="Last seen">{person.lastSeenAt === null ? "never" : <Time at={person.lastSeenAt} />}</Fact>
      </dl>
      <div>
        <LinkButton to="/people" search={{ tab: "why", user: person.id }}>
          Why can (or cannot) they call a tool?
        </LinkButton>
      </div>
      <Section title="Roles">
        <PersonRoles key={JSON.stringify(person.roles)} person={person} missing={missing} />
      </Section>
      {person.service ? null : (
        <>
          <Section title="Sessions">{unread === null ? <PersonSessions user={person.id} /> : <Unread reason={unread} />}</Section>
          <Section title="Last sign-in at a provider">
            {missing === null ? <PersonSignIns user={person.id} /> : <Unread reason={missing} />}
          </Section>
        </>
      )}
      <Section title="Tokens">{unread === null ? <PersonTokens person={person} missing={missing} /> : <Unread reason={unread} />}</Section>
    </div>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode => (
  <>
    <dt className="text-secondary">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
)

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode => (
  <section aria-label={title} className="flex flex-col gap-2">
    <h3 className="font-semibold">{title}</h3>
    {children}
  </section>
)

const Unread = ({ reason }: { readonly reason: string }): ReactNode => <p className="text-secondary">{reason} to see this.</p>
