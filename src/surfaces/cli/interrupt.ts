// Says what is left behind when somebody presses Ctrl-C while a command waits.
import { interruptedExitCode } from "./exit-code.ts"
import type { Screen } from "./print/screen.ts"

export async function orInterrupted<T>(left: () => string, screen: Screen, work: () => Promise<T>): Promise<T> {
  const interrupt = (): void => {
    // A line of progress may stand where the message begins.
    screen.note(`${screen.isErrTerminal ? "\r\u001b[K" : ""}Interrupted. ${left()}`)
    process.exit(interruptedExitCode)
  }
  process.once("SIGINT", interrupt)
  try {
    return await work()
  } finally {
    process.off("SIGINT", interrupt)
  }
}
