// The SDK's transport over the pipes of a program that we start and end ourselves.
//
// Unlike the SDK's own, it notices the end of the program by its exit and not by the close of its pipes, which a helper
// of the program may hold open, and it ends the program together with everything it started.
import type { Readable } from "node:stream"
import { setImmediate, setTimeout } from "node:timers/promises"
import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/client"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"
import { largeAnswerBytes } from "../../../io/answer-turn.ts"
import type { StdioConfig } from "../config.ts"
import type { SessionEnding } from "../session/session.ts"
import { createLines } from "./lines.ts"
import { startStdioProcess } from "./process.ts"
import type { StdioProcess } from "./process.ts"
import { followStderr } from "./stderr.ts"
import type { StderrParts, StderrTail } from "./stderr.ts"

export type StdioTransport = Transport & {
  /** Why it is over, with what the program said last; null while it runs. */
  ending(): SessionEnding | null
  /** What the program said last on stderr, whether it runs or not. */
  lastWords(): string
  readonly pid: number | null
}

export type StdioTransportParts = StderrParts & {
  readonly messageBytesMax: number
  /** To be awaited before a large message is parsed. */
  takeMessageTurn(): Promise<void>
}

const unreadMs = 100
const linesWaitingMax = 1000

export function createStdioTransport(config: StdioConfig, parts: StdioTransportParts): StdioTransport {
  let program: StdioProcess | null = null
  let stderr: StderrTail | null = null
  let ending: SessionEnding | null = null

  const finish = (code: SessionEnding["code"], message: string): void => {
    if (ending !== null) return
    ending = { code, message }
    transport.onclose?.()
  }
  const receive = async (line: string): Promise<void> => {
    if (line.length > largeAnswerBytes) await parts.takeMessageTurn()
    const message = readMessage(line)
    if (message instanceof Error) transport.onerror?.(message)
    else if (message !== null) transport.onmessage?.(message)
    // The SDK hands notifications on a moment later: an answer that came with them must not overtake them.
    if (message !== null && !("id" in message)) await setImmediate()
  }
  const transport: StdioTransport = {
    get pid() {
      return program?.pid ?? null
    },
    ending: () => ending && { ...ending, message: withTail(ending.message, stderr?.text() ?? "") },
    lastWords: () => stderr?.text() ?? "",
    async start() {
      const started = startStdioProcess(config)
      program = started
      stderr = followStderr(started.stderr, parts)
      const turns = createTurns(started.stdout, receive)
      const lines = createLines(parts.messageBytesMax, turns.add)
      started.stdout.on("data", (chunk: Buffer) => {
        if (lines.push(chunk)) return
        finish("response_too_large", `'${config.command}' sent a message of more than ${parts.messageBytesMax} bytes`)
        void started.stop()
      })
      void endOfWords(started)
        .then(async (why) => {
          await turns.done()
          finish("upstream_unreachable", why)
        })
        .catch(() => {})
    },
    async send(message) {
      if (program === null || ending !== null) throw new Error(ending?.message ?? "The server was not started")
      const { stdin } = program
      if (!stdin.write(serializeMessage(message))) await drained(program)
    },
    async close() {
      await program?.stop()
      finish("upstream_unreachable", `'${config.command}' was stopped`)
    },
  }
  return transport
}

/** Lines are dealt with one after the other, and while many wait no more are read. */
function createTurns(stdout: Readable, deal: (line: string) => Promise<void>) {
  const waiting: string[] = []
  let dealing: Promise<void> = Promise.resolve()
  let isDealing = false
  const dealWithAll = async (): Promise<void> => {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) await deal(line)
    isDealing = false
    stdout.resume()
  }
  return {
    add(line: string): void {
      waiting.push(line)
      if (waiting.length >= linesWaitingMax || line.length > largeAnswerBytes) stdout.pause()
      if (isDealing) return
      isDealing = true
      dealing = dealWithAll()
    },
    done: () => dealing,
  }
}

/** What a program wrote just before its end is still to be read when that is known. */
async function endOfWords({ ended, stdout }: StdioProcess): Promise<string> {
  const read = new Promise((resolve) => stdout.once("end", resolve))
  const why = await ended
  await Promise.race([read, setTimeout(unreadMs)])
  return why
}

/** Null: a line that is no JSON, which chatty programs print. */
function readMessage(line: string): JSONRPCMessage | Error | null {
  try {
    return deserializeMessage(line)
  } catch (error) {
    return error instanceof SyntaxError ? null : new Error("The server sent a line that is not a JSON-RPC message")
  }
}

const drained = ({ stdin, ended }: StdioProcess): Promise<unknown> =>
  Promise.race([new Promise((resolve) => stdin.once("drain", resolve)), ended])

/** Where the output names an error, that line comes first: around it stands a trace. */
function withTail(reason: string, tail: string): string {
  if (tail === "") return reason
  const named = /^(?:\w+ )*\w*(?:Error|Exception)(?: \[\w+\])?: .+$/m.exec(tail)?.[0]
  return named === undefined ? `${reason}. Its last output:\n${tail}` : `${reason}: ${named}\nIts last output:\n${tail}`
}
