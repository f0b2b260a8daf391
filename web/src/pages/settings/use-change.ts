// A change that a section makes, and what is asked for again after it.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { UseMutationResult } from "@tanstack/react-query"

export type ChangeOptions<Output> = {
  readonly onDone: (output: Output) => void
  readonly onError?: (error: Error) => void
  /** The queries to ask for again. */
  readonly touches: readonly string[]
}

/** What goes in and what it answers may hold a secret, so that both are forgotten with the control that asked. */
export function useChange<Input, Output>(
  run: (input: Input) => Promise<Output>,
  { onDone, onError, touches }: ChangeOptions<Output>,
): UseMutationResult<Output, Error, Input> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    gcTime: 0,
    onSuccess: async (output) => {
      onDone(output)
      await queries.invalidateQueries({ queryKey: touches })
    },
    ...(onError === undefined ? {} : { onError }),
  })
}
