// Searches with ripgrep, whose program comes from npm.
import { spawn } from "node:child_process"
import { relative, sep } from "node:path"
import { defaultLimits } from "../../core/limits.ts"
import { safeText } from "../../core/text/safe.ts"
import { FunctionCallError } from "../function-call-error.ts"
import { holdFolder } from "./held-folder.ts"
import type { Match, SearchFound, SearchRequest } from "./search.ts"
import { isWithin } from "./workspace.ts"
import type { Workspace } from "./workspace.ts"

const lineBytesMax = 500
const stderrBytesMax = 2000

/** The module throws where npm has no program for the platform. */
export const findRipgrep = (): Promise<string | null> =>
  import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => null,
  )

export async function searchWithRipgrep(
  program: string,
  workspace: Workspace,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<SearchFound> {
  const folder = await holdFolder(workspace, request.folder)
  try {
    const ended = await run(program, commandLine(workspace, request), folder.at("."), signal)
    const matches = readMatches(ended.output)
    // Files that cannot be read also make ripgrep fail; what it found in others is an answer.
    if (ended.code === 2 && matches.length === 0 && ended.stderr !== "") {
      throw FunctionCallError.respondToModel(`search failed: ${safeText(ended.stderr.replace(/^rg: /, "").trim())}`)
    }
    return { matches, incomplete: ended.stopped }
  } finally {
    await folder.close()
  }
}

function commandLine(workspace: Workspace, { pattern, include, folder, file, limit }: SearchRequest): readonly string[] {
  const hidden = workspace.hidden.filter((path) => isWithin(folder, path)).map((path) => relative(folder, path).replaceAll(sep, "/"))
  return [
    "--no-config",
    "--no-messages",
    "--color=never",
    "--no-heading",
    "--with-filename",
    "--line-number",
    "--null",
    "--crlf",
    `--max-columns=${lineBytesMax}`,
    "--max-columns-preview",
    // One more than wanted shows that there are more.
    `--max-count=${limit + 1}`,
    ...(include === null ? [] : [`--glob=${include}`]),
    ...hidden.map((path) => `--glob=!/${path.replaceAll(/[*?[\]{}\\!]/g, String.raw`\$&`)}`),
    `--regexp=${pattern}`,
    "--",
    `./${file ?? ""}`,
  ]
}

type Ended = { readonly code: number | null; readonly output: Buffer; readonly stderr: string; readonly stopped: string | null }

function run(program: string, args: readonly string[], cwd: string, signal: AbortSignal): Promise<Ended> {
  const { promise, resolve, reject } = Promise.withResolvers<Ended>()
  const child = spawn(program, args, { cwd, env: {}, stdio: ["ignore", "pipe", "pipe"] })
  const chunks: Buffer[] = []
  let bytes = 0
  let stderr = ""
  let stopped: string | null = null
  const stop = (reason: string): void => {
    stopped ??= reason
    child.kill("SIGKILL")
  }
  const onAbort = (): void => stop("aborted")
  const timer = setTimeout(() => stop(`stopped after ${defaultLimits.agentSearchMs / 1000} seconds`), defaultLimits.agentSearchMs)
  signal.addEventListener("abort", onAbort, { once: true })
  if (signal.aborted) onAbort()
  child.stdout.on("data", (chunk: Buffer) => {
    if (bytes > defaultLimits.agentSearchBytesMax) return
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > defaultLimits.agentSearchBytesMax) stop("there are too many matches to sort, so that these are some of them")
  })
  child.stderr.on("data", (chunk: Buffer) => {
    if (stderr.length < stderrBytesMax) stderr += chunk.toString("utf8").slice(0, stderrBytesMax)
  })
  child.once("error", (error) => reject(FunctionCallError.respondToModel(`search failed: ripgrep could not be started (${error.message})`)))
  child.once("close", (code) => resolve({ code, output: Buffer.concat(chunks), stderr, stopped }))
  return promise
    .then((ended) => {
      if (signal.aborted) throw FunctionCallError.respondToModel("aborted")
      return ended
    })
    .finally(() => {
      clearTimeout(timer)
      signal.removeEventListener("abort", onAbort)
    })
}

/** Each is `path NUL line ":" text LF`; a name may contain anything else. What is not complete is left out. */
function readMatches(output: Buffer): readonly Match[] {
  const matches: Match[] = []
  for (let at = 0; at < output.length;) {
    const nameEnd = output.indexOf(0, at)
    const end = nameEnd === -1 ? -1 : output.indexOf(10, nameEnd)
    if (end === -1) break
    const [, line, text] = /^(\d+):(.*)$/s.exec(output.toString("utf8", nameEnd + 1, end)) ?? []
    const path = output.toString("utf8", at, nameEnd).replace(binaryNotice, "").replace(/^\.\//, "")
    if (line !== undefined && text !== undefined) matches.push({ path, line: Number(line), text: text.replace(/\r$/, "") })
    at = end + 1
  }
  return matches
}

/** Ripgrep says so, in a line without a NUL, when it stops in a file whose beginning looked like text; in which words depends on how far it was. */
const binaryNotice =
  /^(?:.*: (?:binary file matches|WARNING: stopped searching binary file after match) \(found "\\0" byte around offset \d+\)\n)+/
