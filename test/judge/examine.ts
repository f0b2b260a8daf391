// Sends the operations of one document through the product, and collects what the judge says of the requests.
import type { Executor } from "../../src/index.ts"
import { generateArguments } from "./arguments.ts"
import type { Fill, ToolInput } from "./arguments.ts"
import { connectBy } from "./connect.ts"
import type { Connections } from "./connect.ts"
import { readDocument } from "./document-read.ts"
import type { JudgedDocument } from "./documents.ts"
import { createJudge } from "./prism.ts"
import type { Complaint } from "./prism-limits.ts"
import type { Judge, Verdict } from "./prism.ts"
import type { Recorded, Recorder } from "./recorder.ts"

export type Finding = {
  readonly document: string
  readonly tool: string
  readonly fill: Fill
  readonly operation: string
  readonly complaints: readonly Complaint[]
  /** What was sent, to read beside the complaint. */
  readonly request: string
}

export type Examination = {
  readonly document: string
  readonly operations: number
  readonly toolsChecked: number
  readonly requestsJudged: number
  /** Those of which the judge complained, rightly or not, or could not read all. */
  readonly requestsDoubted: number
  /** Complaints, and calls that led to no request. */
  readonly findings: readonly Finding[]
  /** How often a complaint was set aside, by what Prism cannot read. */
  readonly setAside: Readonly<Record<string, number>>
  /** Operations of which the judge passes a part unseen. */
  readonly unwatched: readonly string[]
}

type Parts = { readonly executor: Executor; readonly recorder: Recorder }
type Examiner = Parts & { readonly slug: string; readonly judge: Judge; readonly connections: Connections }

/** Any path in front of the document's own: the judge expects it there. */
const prefix = "/judged/v1"

/** `share`: so many of the document's tools are called, spread evenly. */
export async function examine(document: JudgedDocument, share: number, parts: Parts): Promise<Examination> {
  const { executor, recorder } = parts
  const text = document.text()
  const judge = await createJudge(readDocument(text), prefix)
  const slug = document.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^(?![a-z])/, "d")
    .slice(0, 60)
  await executor.integrations.add({ slug, kind: "openapi", config: { spec: text, baseUrl: `${recorder.url}${prefix}` } })
  const connections = await connectBy(slug, executor)
  const names = (await executor.tools.list({ integration: slug, connection: "main" })).map((tool) => String(tool.name))
  const step = Math.max(1, names.length / share)
  const chosen = names.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
  const findings: Finding[] = []
  const setAside: Record<string, number> = {}
  const unwatched: string[] = []
  let requestsJudged = 0
  let requestsDoubted = 0
  for (const tool of chosen) {
    for (const outcome of await examineTool(tool, { ...parts, slug, judge, connections })) {
      if (outcome.isJudged) requestsJudged += 1
      if (outcome.isJudged && outcome.complaints.length + outcome.setAside.length + outcome.unwatched.length > 0) requestsDoubted += 1
      for (const reason of outcome.setAside) setAside[reason] = (setAside[reason] ?? 0) + 1
      unwatched.push(...outcome.unwatched.map((part) => `${outcome.operation} ${part}`))
      if (outcome.complaints.length > 0) findings.push(findingOf(document.name, tool, outcome))
    }
  }
  await executor.integrations.remove(slug)
  return {
    document: document.name,
    operations: judge.operationCount,
    toolsChecked: chosen.length,
    requestsJudged,
    requestsDoubted,
    findings,
    setAside,
    unwatched,
  }
}

type Outcome = Pick<Finding, "fill" | "operation" | "complaints" | "request"> & {
  readonly isJudged: boolean
  readonly setAside: readonly string[]
  readonly unwatched: readonly string[]
}

const findingOf = (document: string, tool: string, { fill, operation, complaints, request }: Outcome): Finding => ({
  document,
  tool,
  fill,
  operation,
  complaints,
  request,
})

async function examineTool(tool: string, examiner: Examiner): Promise<Outcome[]> {
  const input = await examiner.executor.tools.schema(`tools.${examiner.slug}.org.main.${tool}`)
  if (input === null) return [unsent("required", "no_schema", "The tool has no schema")]
  const outcomes: Outcome[] = []
  for (const fill of ["required", "all"] as const) outcomes.push(await examineCall(tool, input, fill, examiner))
  return outcomes
}

const unsent = (fill: Fill, code: string, message: string): Outcome => ({
  fill,
  operation: "",
  complaints: [{ code, path: [], message }],
  request: "",
  isJudged: false,
  setAside: [],
  unwatched: [],
})

async function examineCall(tool: string, input: ToolInput, fill: Fill, examiner: Examiner): Promise<Outcome> {
  const generated = generateArguments(input, fill, 1, fill === "all" ? "reserved" : "plain")
  if (!generated.ok) return unsent(fill, "not_generated", generated.reason)
  const first = await send(tool, generated.args, "main", fill, examiner)
  if ("isJudged" in first) return first
  const connection = await examiner.connections.forVerdict(first.verdict)
  const second = connection === null ? first : await send(tool, generated.args, connection, fill, examiner)
  if ("isJudged" in second) return second
  const { verdict, recorded } = second
  const unwatched = fill === "all" && verdict.complaints.length === 0 ? await examiner.judge.unwatched(recorded) : []
  return { fill, ...verdict, operation: verdict.operation ?? "", request: describe(recorded), isJudged: true, unwatched }
}

type Judged = { readonly verdict: Verdict; readonly recorded: Recorded }

async function send(
  tool: string,
  args: Record<string, unknown>,
  connection: string,
  fill: Fill,
  examiner: Examiner,
): Promise<Judged | Outcome> {
  const { executor, recorder, judge, slug } = examiner
  const result = await executor.execute(`tools.${slug}.org.${connection}.${tool}`, args, { approve: "auto" })
  const [recorded, ...others] = recorder.take()
  if (recorded === undefined || others.length > 0)
    return { ...unsent(fill, "not_sent", JSON.stringify(result).slice(0, 500)), request: JSON.stringify(args).slice(0, 500) }
  return { verdict: await judge.judge(recorded, fill), recorded }
}

function describe({ method, target, headers, body }: Recorded): string {
  const { host: _host, "user-agent": _agent, ...shown } = headers
  return `${method} ${target}\n${JSON.stringify(shown)}\n${body.toString("utf8").slice(0, 2_000)}`
}
