// `executor demo`: a tour of the product with an API, a server and data of its own.
import { executorCommand } from "../../../io/executor-command.ts"
import { readDataDir } from "../../../local/data-dir.ts"
import { readServerFile } from "../../../local/server-file.ts"
import { openServer } from "../server/open-executor.ts"
import { openScreen } from "../print/screen.ts"
import type { Screen } from "../print/screen.ts"
import { openStage } from "./stage.ts"
import type { DemoStage } from "./stage.ts"
import { giveTour } from "./tour.ts"
import { openTyping } from "./typing.ts"

/** What shells call a program that was ended by Ctrl-C. */
const interrupted = 130
const closeMsMax = 3000

export type DemoOptions = { readonly yes: boolean; readonly keeps: boolean }

export async function demo(options: DemoOptions): Promise<void> {
  const screen = openScreen()
  screen.data("This demo runs entirely on your machine: no account, no network, and none of your own data.")
  // Before the stage is set, which is a data directory of its own.
  const isServing = readServerFile(readDataDir(process.env)) !== null
  let stage: DemoStage | null = null
  const stop = (): void => {
    setTimeout(() => process.exit(interrupted), closeMsMax).unref()
    void (stage?.close() ?? Promise.resolve()).finally(() => process.exit(interrupted))
  }
  process.once("SIGINT", stop).once("SIGTERM", stop)
  const restoreNotes = notesAmongData()
  try {
    stage = await openStage(options)
    await play(options, stage, screen)
  } finally {
    restoreNotes()
    await stage?.close()
    process.off("SIGINT", stop).off("SIGTERM", stop)
  }
  screen.data(ending(options.keeps ? stage.dataDir : null, isServing, screen))
}

async function play({ yes }: DemoOptions, stage: DemoStage, screen: Screen): Promise<void> {
  const opened = await openServer(process.env)
  if (opened === null) throw new Error("The demo's own server does not answer")
  const { api } = opened
  const { token } = await api.tokens.create({ name: "demo agent", kind: "agent" })
  const typing = openTyping(screen, { dataDir: stage.dataDir, agentToken: token, waitsForEnter: screen.canPrompt && !yes })
  await giveTour({ yes }, { api, stage, typing, screen })
}

/** What commands say beside their data is part of the show, and must stay in its place when the output goes to a file. */
function notesAmongData(): () => void {
  const { write } = process.stderr
  process.stderr.write = process.stdout.write.bind(process.stdout)
  return () => void (process.stderr.write = write)
}

function ending(keptDir: string | null, isServing: boolean, { out }: Screen): string {
  return [
    "",
    out.bold("That's the tour."),
    keptDir === null
      ? "The demo's server, API and data are gone."
      : `Its data is kept: EXECUTOR_DATA_DIR=${keptDir} ${executorCommand} executions list`,
    "",
    "Next steps:",
    ...(isServing ? [] : [`  ${executorCommand} serve                                  start your own server`]),
    `  ${executorCommand} integrations add <url or file>         add your own API: OpenAPI, GraphQL or MCP`,
    `  ${executorCommand} tools search "what you want to do"     find its tools`,
    `  ${executorCommand} connect claude                         connect an agent: claude, claude-desktop, cursor, vscode or codex`,
    `  ${executorCommand} --help                                 see all commands`,
  ].join("\n")
}
