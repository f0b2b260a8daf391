// The SDK's transport over the pipes of a program that we start and end ourselves.
//
// Unlike the SDK's own, it notices the end of the program by its exit and not by the close of its pipes, which a helper
// of the program may hold open, and it ends the program together with everything it started.
import { setTimeout } from "node:timers/promises"
import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/client"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"
import type { StdioConfig } from "./config.ts"
import { createLines } from "./stdio-lines.ts"
import { startStdioProcess } from "./stdio-process.ts"
import type { StdioProcess } from "./stdio-process.ts"
import { followStderr } from "./stdio-stderr.ts"
import type { StderrParts, StderrTail } from "./stdio-stderr.ts"

export type StdioTransport = Transport & {
  /** Why it is over, with what the program said last; null while it runs. */
  ending(): string | null
  readonly pid: number | null
}

export type StdioTransportParts = StderrParts & { readonly messageBytesMax: number }

const unreadMs = 100

export function createStdioTransport(config: StdioConfig, parts: StdioTransportParts): StdioTransport {
  let program: StdioProcess | null = null
  let stderr: StderrTail | null = null
  let reason: string | null = null

  const finish = (why: string): void => {
    if (reason !== null) return
    reason = why
    transport.onclose?.()
  }
  const receive = (line: string): void => {
    const message = readMessage(line)
    if (message instanceof Error) transport.onerror?.(message)
    else if (message !== null) transport.onmessage?.(message)
  }
  const transport: StdioTransport = {
    get pid() {
      return program?.pid ?? null
    },
    ending: () => (reason === null ? null : withTail(reason, stderr?.text() ?? "")),
    async start() {
      const started = startStdioProcess(config)
      program = started
      stderr = followStderr(started.stderr, parts)
      const lines = createLines(parts.messageBytesMax, receive)
      started.stdout.on("data", (chunk: Buffer) => {
        if (lines.push(chunk)) return
        finish(`'${config.command}' sent a message of more than ${parts.messageBytesMax} bytes`)
        void started.stop()
      })
      void endOfWords(started).then(finish)
    },
    async send(message) {
      if (program === null || reason !== null) throw new Error(reason ?? "The server was not started")
      const { stdin } = program
      if (!stdin.write(serializeMessage(message))) await drained(program)
    },
    async close() {
      await program?.stop()
      finish(`'${config.command}' was stopped`)
    },
  }
  return transport
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
    return error instanceof SyntaxError ? null : new Error("The server sent a line that is no JSON-RPC message")
  }
}

const drained = ({ stdin, ended }: StdioProcess): Promise<unknown> =>
  Promise.race([new Promise((resolve) => stdin.once("drain", resolve)), ended])

const withTail = (reason: string, tail: string): string => (tail === "" ? reason : `${reason}. Its last words:\n${tail}`)
