// Verbs by the operation that they express: general English, not tied to any API.
import { wordsOf } from "./word-lists.ts"

/** What becomes of a thing. `change` is every other operation that is no mere reading. */
export const operations = ["read", "create", "update", "delete", "change"] as const
export type Operation = (typeof operations)[number]

/** Words that are a command wherever a request begins with them. */
const commands: Readonly<Record<Operation, string>> = {
  read: `
    get read fetch retrieve view show list see display browse enumerate search find query lookup locate check describe inspect examine
    compare diff count download export preview explain summarize monitor poll peek tell know identify grep provide obtain gather collect
    acquire learn look
  `,
  create: `
    create add insert post register submit compose draft generate upload import invite append send reply respond publish duplicate clone
    copy raise provision react remember
  `,
  update: `
    update edit change modify patch set put rename replace adjust alter revise rewrite mark unmark toggle configure customize amend
    reschedule upgrade downgrade resize scale reorder reprioritize extend
  `,
  delete: `
    delete remove drop destroy erase trash discard purge wipe uninstall unassign unset detach unlink disconnect unpin unstar unfollow
    unsubscribe unblock revoke deregister cancel forget
  `,
  change: `
    make leave take roll protect restart reboot rotate archive unarchive attach connect reset assign approve reject accept decline deny dismiss
    merge enable disable activate deactivate start stop run trigger exec execute abort terminate suspend resume pause restore recover revert
    retry rerun redeliver resend close reopen resolve complete finish lock unlock mute unmute snooze hide follow subscribe join
    transfer move migrate grant allow initiate forbid ban sync synchronize refresh renew regenerate
    deploy undeploy install launch boot shut capture finalize void pay refund withdraw confirm acknowledge escalate
    forward deliver notify remind unshare save write overwrite sign encrypt decrypt evict drain cordon squash rebase push
    ask give put turn switch bring kick pick let keep apply clear clean empty fill expire bookmark upvote downvote boost
  `,
}

/** Things and operations at once: a command where an article or the like follows ("star a repo"), a thing otherwise ("star count"). */
const things: Readonly<Partial<Record<Operation, string>>> = {
  create:
    "comment review report file log issue schedule book order note message email text post commit fork bill invoice charge record reply refund react invite bookmark",
  change: "star label tag pin link vote like rate block watch request release power share store deposit hand cut process access question",
}

export const commandOperations: ReadonlyMap<string, Operation> = operationsOf(commands)
export const thingOperations: ReadonlyMap<string, Operation> = operationsOf(things)

function operationsOf(lists: Readonly<Partial<Record<Operation, string>>>): ReadonlyMap<string, Operation> {
  return new Map(operations.flatMap((operation) => wordsOf(lists[operation] ?? "").map((word) => [word, operation] as const)))
}

/** What makes something of a thing, where a word for its state follows: "make the page public", "mark it urgent". */
export const stateVerbs: ReadonlySet<string> = new Set(wordsOf("make turn set mark switch render keep"))

/** What a thing can be made to be, without words that also are things: who makes a draft has none yet. */
export const stateWords: ReadonlySet<string> = new Set(
  wordsOf(`
    private public visible hidden invisible internal external confidential open closed active inactive enabled disabled archived published
    unpublished unlisted locked unlocked readonly writable protected unprotected required optional mandatory urgent important primary
    anonymous paid unpaid permanent temporary unread available unavailable online offline
  `),
)

/** The same in names of tools, where a verb is nearly always one of these. */
export const nameOperations: ReadonlyMap<string, Operation> = operationsOf({
  read: "get read fetch retrieve view show list all browse search find query lookup describe count exists download check compare diff",
  create: "create add new insert post make register open upload import compose",
  update: "update edit change modify patch set put replace rename",
  delete: "delete remove drop destroy erase trash del rm unset purge",
})

/** Words that are verbs wherever a request has them: with one of them, nothing is left to guess. */
export const isVerb = (word: string): boolean => nameOperations.has(word)
/** Whether a word names what is made by doing it: "comment", "star". */
export const isOperationNoun = (word: string): boolean => thingOperations.has(word)

/** Where a request begins with one of them it asks, and asking is reading. */
export const questionWords: ReadonlySet<string> = new Set(
  wordsOf("what which who whose whom where when why how is are was were does do did has have any whats whos"),
)

/** What stands between a command and its thing. */
export const articles: ReadonlySet<string> = new Set(
  wordsOf(
    "a an the this that these those my our your their his her its all every each some any another one it them me us him someone everyone",
  ),
)

/** Ways to begin that say nothing of what is wanted. */
export const leadIns: readonly (readonly string[])[] = `
  please, kindly, can you, could you, would you, will you, can i, could i, can we, i want to, i need to, i would like to,
  i d like to, id like to, we want to, we need to, i have to, give me, help me to, help me, how do i, how can i, how do you,
  how should i, how to, let me, let us, lets, let s, try to, go ahead and, to, and, then, now, just
`
  .split(",")
  .map(wordsOf)
