// Prism, the outside judge: what it has to say against a request to a document's API.
import { createInstance, getHttpOperationsFromSpec } from "@stoplight/prism-http"
import type { IHttpConfig, IHttpRequest } from "@stoplight/prism-http"
import { isRecord } from "./arguments-schema.ts"
import type { Fill } from "./arguments.ts"
import { limitOf, routeLimitOf } from "./prism-limits.ts"
import type { Complaint } from "./prism-limits.ts"
import { adaptOperation, demandAll } from "./prism-operation.ts"
import type { Operation } from "./prism-operation.ts"
import type { Recorded } from "./recorder.ts"

export type Verdict = {
  /** Method and path template of what the request was taken for; null when it fits no operation. */
  readonly operation: string | null
  /** The names of the security schemes that would do, each of them a list that holds together. */
  readonly security: readonly (readonly string[])[]
  readonly complaints: readonly Complaint[]
  /** Why further complaints were set aside: what Prism is known not to be able to read. */
  readonly setAside: readonly string[]
}

export type Judge = {
  readonly operationCount: number
  /** With `all`, every parameter of the operation must be there, so that none goes missing under a wrong name or in a wrong place. */
  judge(request: Recorded, fill: Fill): Promise<Verdict>
  /** Parts of the request that the judge would pass whatever they are, because it cannot use their schema. */
  unwatched(request: Recorded): Promise<readonly string[]>
}

const config: IHttpConfig = {
  isProxy: false,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
  mock: { dynamic: false },
}

/** `prefix`: what the requests have in front of the document's paths. The document is written into. */
export async function createJudge(document: Record<string, unknown>, prefix: string): Promise<Judge> {
  const version = document["swagger"] === undefined ? "openapi" : "swagger"
  const operations = (await getHttpOperationsFromSpec(document)).map((operation) => adaptOperation(operation, version))
  const bySize = { required: groupBySegments(operations), all: groupBySegments(operations.map(demandAll)) }
  return {
    operationCount: operations.length,
    judge: (request, fill) => judgeRequest(readRequest(request, prefix), bySize[fill]),
    unwatched: (request) => unwatchedParts(readRequest(request, prefix), bySize.all),
  }
}

const silent = (): void => {}
const logger = {
  info: silent,
  warn: silent,
  error: silent,
  debug: silent,
  trace: silent,
  fatal: silent,
  success: silent,
  child: () => logger,
}

type Resources = ReadonlyMap<number, Operation[]>

async function judgeRequest(input: IHttpRequest, resources: Resources): Promise<Verdict> {
  const { operation, complaints } = await complain(input, resources)
  const limitFor = (complaint: Complaint): string | null =>
    operation ? limitOf(complaint, input, operation) : routeLimitOf(complaint, input.url.path, [...resources.values()].flat())
  const judged = complaints.map((complaint) => ({ complaint, reason: limitFor(complaint) }))
  return {
    operation: operation && `${operation.method} ${operation.path}`,
    security: (operation?.security ?? []).map((schemes) => schemes.map((scheme) => scheme.key)),
    complaints: judged.filter(({ reason }) => reason === null).map(({ complaint }) => complaint),
    setAside: judged.map(({ reason }) => reason).filter((reason) => reason !== null),
  }
}

/** Spoils the request everywhere, and sees where no complaint follows. */
async function unwatchedParts(input: IHttpRequest, resources: Resources): Promise<string[]> {
  const { "content-type": contentType = "", "content-length": length = "0" } = input.headers ?? {}
  const isJson = /\bjson\b/.test(contentType)
  const spoiled: IHttpRequest = {
    ...input,
    url: { path: input.url.path, query: {} },
    headers: { "content-type": contentType, "content-length": length },
    body: isJson ? [["spoiled"]] : input.body,
  }
  const { operation, complaints } = await complain(spoiled, resources)
  const found = new Set(complaints.map(({ path }) => path[0]))
  const { query = [], headers = [], body } = operation?.request ?? {}
  const demanded = {
    query: query.length > 0,
    header: headers.some(({ required }) => required === true),
    body: isJson && input.body !== null && body?.contents?.some(({ schema }) => isRecord(schema) && schema["type"] === "object") === true,
  }
  return Object.entries(demanded)
    .filter(([part, isDemanded]) => isDemanded && !found.has(part))
    .map(([part]) => part)
}

type Hearing = { readonly operation: Operation | null; readonly complaints: readonly Complaint[] }

async function complain(input: IHttpRequest, resources: Resources): Promise<Hearing> {
  const heard: { operation: Operation | null } = { operation: null }
  const prism = createInstance(config, {
    // Prism asks for the whole of pino, and uses these.
    logger: logger as unknown as Parameters<typeof createInstance>[1]["logger"],
    // Nothing is mocked: the requests are what is judged. What it is asked for tells which operation was found.
    mock: ({ resource }) => {
      heard.operation = resource
      return () => ({ _tag: "Right", right: { statusCode: 200 } })
    },
  })
  const complaints = await ask(() => prism.request(input, resources.get(segmentsOf(input.url.path)) ?? [...resources.values()].flat()))
  return { ...heard, complaints }
}

type Request = ReturnType<ReturnType<typeof createInstance>["request"]>

/** Prism throws where one of its readers meets a text that it did not expect. */
async function ask(start: () => Request): Promise<Complaint[]> {
  try {
    const answer = await start()()
    if (answer._tag === "Left") return [{ code: nameOf(answer.left), path: ["path"], message: answer.left.message }]
    const serious = answer.right.validations.input.filter(({ code }) => code !== "deprecated")
    return serious.map(({ code, path = [], message }) => ({ code: String(code ?? ""), path, message }))
  } catch (error) {
    return [{ code: "judge_failed", path: [], message: String(error) }]
  }
}

const nameOf = (error: Error): string => error.name.split("#").at(-1) ?? error.name

/** As Prism's own server reads a request, but for the prefix: without it no path fits. */
function readRequest({ method, target, headers, body }: Recorded, prefix: string): IHttpRequest {
  const { pathname, searchParams } = new URL(target, "http://judge")
  const query = [...new Set(searchParams.keys())].map((name) => {
    const values = searchParams.getAll(name)
    return [name, values.length === 1 ? (values[0] ?? "") : values] as const
  })
  const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : `/without-prefix${pathname}`
  return {
    method: method.toLowerCase() as IHttpRequest["method"], // the methods of a document are those that Prism knows
    // The templates that Prism reads paths with take a bare comma for a list of their own, and its styles then fail.
    url: { path: path.replaceAll(",", "%2C"), query: Object.fromEntries(query) },
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: readBody(headers["content-type"] ?? "", body),
  }
}

function readBody(contentType: string, body: Buffer): unknown {
  if (body.length === 0) return null
  return /^application\/([^;]+\+)?json\b/i.test(contentType) ? (JSON.parse(body.toString("utf8")) as unknown) : body.toString("utf8")
}

const segmentsOf = (path: string): number => path.split("/").length

/** Only paths with as many segments can match, and looking at all of a large document's takes milliseconds. */
function groupBySegments(operations: readonly Operation[]): Map<number, Operation[]> {
  return Map.groupBy(operations, ({ path }) => segmentsOf(path))
}
