// What the inbox asks the API for.
import { queryOptions } from "@tanstack/react-query"
import type { ApprovalView } from "toolplane/client"
import { ExecutorError } from "toolplane/client"
import { client } from "../../api/client.ts"

export type Tab = "me" | "others"
/** More than anybody answers in one sitting; the rest follows when these are answered. */
const shownMax = 200

export const inboxQuery = (waitingFor: Tab) =>
  queryOptions({
    queryKey: ["approvals", "list", waitingFor],
    queryFn: () => client.approvals.list({ waitingFor, limit: shownMax }),
  })

/** What one execution asks: of the reader, and of others for them. */
export const executionInboxQuery = (executionId: string) =>
  queryOptions({
    queryKey: ["approvals", "list", "execution", executionId],
    queryFn: async () => {
      const [mine, others] = await Promise.all(
        (["me", "others"] as const).map((waitingFor) => client.approvals.list({ executionId, waitingFor, limit: shownMax })),
      )
      return { items: [...(mine?.items ?? []), ...(others?.items ?? [])], nextCursor: mine?.nextCursor ?? null }
    },
  })

/** Each is read alone: with all of its arguments, its code, and the reason by the rules of today. */
export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ["approvals", "one", id],
    queryFn: () => client.approvals.get(id),
  })

export type Answering = {
  readonly ids: readonly string[]
  readonly action: "accept" | "decline"
  readonly remember?: "execution" | "always"
  readonly content?: unknown
}
type RememberedRule = NonNullable<Awaited<ReturnType<typeof client.approvals.answer>>["remembered"]>[number]
export type Answered = {
  readonly count: number
  readonly elsewhere: number
  /** The rules that were added, each once. */
  readonly remembered: readonly RememberedRule[]
  /** The executions that go on with it, of those that may be read. */
  readonly executions: readonly string[]
}

/** One after another; what was answered elsewhere meanwhile, or is let through by a rule of this answer, is not a failure. */
export async function answerAll({ ids, action, remember, content }: Answering): Promise<Answered> {
  let [count, elsewhere] = [0, 0]
  const remembered = new Map<string, RememberedRule>()
  const executions = new Set<string>()
  for (const id of ids) {
    try {
      const reply = await client.approvals.answer(id, {
        action,
        ...(remember === undefined ? {} : { remember }),
        ...(content === undefined ? {} : { content }),
      })
      for (const rule of reply.remembered ?? []) remembered.set(rule.id, rule)
      if (reply.executionId !== "") executions.add(reply.executionId)
      count += 1
    } catch (error) {
      if (!(error instanceof ExecutorError) || error.code !== "already_answered") throw error
      elsewhere += 1
    }
  }
  return { count, elsewhere, remembered: [...remembered.values()], executions: [...executions] }
}

export const isPending = ({ status }: ApprovalView): boolean => status === "pending"
