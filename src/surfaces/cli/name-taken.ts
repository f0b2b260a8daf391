// Says of a name that is taken what somebody at a shell can do, where the API speaks of its own ways.
import { executorCommand } from "../../io/executor-command.ts"
import { ExecutorError } from "../../core/errors.ts"

export type TakenName = {
  /** e.g. "connection github.org.main" */
  readonly what: string
  readonly option: "--name" | "--slug"
  /** The command that changes what has the name. */
  readonly change: string
  /** Fails where nothing has the name: then the conflict is another. */
  find(): Promise<unknown>
}

export async function orNameTaken<T>(name: TakenName, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isTaken = error instanceof ExecutorError && error.code === "conflict" && (await name.find().then(Boolean, () => false))
    if (!isTaken) throw error
    const message = `There is already ${name.what}. Change it with ${executorCommand} ${name.change}, or choose another ${name.option}`
    throw new ExecutorError("conflict", message)
  }
}
