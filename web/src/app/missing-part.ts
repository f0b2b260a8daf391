// Parts of the console that do not come: they are others since an upgrade, or the server is away.
import { messageOf } from "../ui/states.tsx"

export class PartMissing extends Error {
  constructor() {
    super("A part of the console could not be loaded. The server may have been upgraded, or may be out of reach.")
  }
}

/** As browsers say that a part of the console is not there, such as after an upgrade of the server. */
export const isPartMissing = (error: unknown): boolean =>
  error instanceof PartMissing || /dynamically imported module|importing a module script|unable to preload/i.test(messageOf(error))

const answerMsMax = 3000

/** Whether the tab can be loaded again. */
export const isServerThere = (): Promise<boolean> =>
  fetch("/", { cache: "no-store", signal: AbortSignal.timeout(answerMsMax) }).then(
    ({ ok }) => ok,
    () => false,
  )
