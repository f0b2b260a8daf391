// Sends answers to approvals, and says what came of it.
import { useMutation } from "@tanstack/react-query"
import { queryClient } from "../../api/query.ts"
import { toast, toastError, toastOf } from "../../ui/toast.tsx"
import { answerAll } from "./queries.ts"
import type { Answered, Answering } from "./queries.ts"

const summary = ({ count, elsewhere }: Answered, { action, content }: Answering): string => {
  if (content !== undefined && count === 1) return "Sent the answer. The execution goes on."
  const done = `${action === "accept" ? "Approved" : "Declined"} ${count === 1 ? "1 call" : `${count} calls`}`
  return elsewhere === 0 ? `${done}. The execution goes on.` : `${done}; ${elsewhere} had been answered elsewhere.`
}

/** `answered`: once it is done, such as to choose the next one. It gets the ids of what was answered here. */
export function useAnswering(answered: (ids: readonly string[]) => void) {
  return useMutation({
    mutationFn: answerAll,
    onSuccess: (done, answering) => {
      const [one, ...others] = done.executions
      if (one === undefined || others.length > 0) toast(summary(done, answering))
      else toastOf(one, summary(done, answering))
      for (const { message } of done.remembered) toast(message)
      answered(answering.ids)
    },
    onError: toastError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["approvals"] }),
  })
}
