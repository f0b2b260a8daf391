// Starts the real product on a socket for the tests of the surfaces: a data directory of its own, and those who act.
import { mkdtemp, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import type { Limits } from "../../../core/limits.ts"
import type { Principal } from "../../../core/principal.ts"
import { localHuman } from "../../../core/principal.ts"
import type { Log } from "../../../io/log.ts"
import type { Outbound } from "../../../io/network/outbound.ts"
import { silentLog } from "../../../io/log.ts"
import type { Plugin } from "../../../plugin/definition.ts"
import { lazyMcpHost } from "../../../preset/mcp-lazy.ts"
import { openProduct } from "../../../preset/product.ts"
import type { DefinedFunctions } from "../../../registry/functions/define.ts"
import { readSettings } from "../../../local/settings.ts"
import type { HttpApp } from "../app.ts"
import { createHttpApp } from "../app.ts"
import type { GuardOptions } from "../request/guard.ts"
import type { FactsOptions } from "../request/facts.ts"
import { serveHttp } from "../serve.ts"

export type TestServerOptions = Partial<GuardOptions> &
  FactsOptions & {
    readonly limits?: Partial<Limits>
    readonly log?: Log
    readonly plugins?: readonly Plugin[]
    readonly functions?: DefinedFunctions
    /** Further variables of the environment. */
    readonly env?: Readonly<Record<string, string>>
    /** Links lead to this server, instead of to an address that nobody has. */
    readonly hasRealLinks?: boolean
    /** Stands for the internet, where the documents of clients are. */
    readonly outbound?: Pick<Outbound, "open">
    /** Wraps what the surface calls, to see how it copes when that fails. */
    readonly wrap?: (api: ExecutorApi) => ExecutorApi
  }

type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown }

export type TestServer = {
  readonly url: string
  readonly port: number
  readonly app: HttpApp
  readonly tokens: Readonly<Record<"human" | "agent" | "colleague" | "member" | "memberAgent" | "otherAgent" | "stranger", string>>
  /** As the local human unless another token is given; an object becomes a JSON body. */
  call(method: string, path: string, content?: { body?: unknown; token?: string | null; headers?: Record<string, string> }): Promise<Answer>
  /** Sends these bytes and answers with all that comes back until the server closes. */
  raw(text: string): Promise<string>
  /** One round of the housekeeping that otherwise waits for its time. */
  recover(): Promise<void>
  close(): Promise<void>
}

const colleague: Principal = { ...localHuman, user: "colleague" }
/** Of the same tenant, without being an admin. */
const member: Principal = { ...localHuman, user: "member", roles: ["member"] }
const stranger: Principal = { ...localHuman, tenant: "other", user: "stranger" }

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "executor-http-"))
  const log = options.log ?? silentLog
  const settings = readSettings({ ...options.env, EXECUTOR_DATA_DIR: dataDir })
  const ownUrl = (): string => options.publicUrl ?? (options.hasRealLinks === true ? server.url : "http://here.example")
  const product = await openProduct(settings, {
    isLoopbackOnly: true,
    startsWarm: false,
    log,
    limits: options.limits ?? {},
    ...(options.plugins === undefined ? {} : { plugins: options.plugins }),
    ...(options.functions === undefined ? {} : { functions: options.functions }),
    approvalUrl: (id) => `http://approve.example/${id}`,
    pagesUrl: ownUrl,
    publicUrl: ownUrl,
  })
  for (const { tenant, user, roles } of [colleague, member, stranger])
    await product.store.tenants.ensure({ tenant, id: user, name: user, roles: [...roles] })
  const token = async (principal: Principal, kind: "human" | "agent"): Promise<string> =>
    (await product.core.as(principal).tokens.create({ name: "test", kind })).token
  const tokens = {
    human: await token(localHuman, "human"),
    agent: await token(localHuman, "agent"),
    colleague: await token(colleague, "human"),
    member: await token(member, "human"),
    memberAgent: await token(member, "agent"),
    otherAgent: await token(member, "agent"),
    stranger: await token(stranger, "human"),
  }
  const wrap = options.wrap ?? ((api) => api)
  const app = createHttpApp(
    {
      api: (principal) => wrap(product.core.as(principal)),
      authenticate: product.core.authenticate,
      browserSessions: product.core.browserSessions,
      signInWithCode: product.core.signInWithCode,
      mcp: lazyMcpHost({
        api: (principal) => product.core.as(principal),
        hostApi: product.core.host,
        showApproval: () => {},
        requestStateKey: product.deriveKey("mcp-request-state"),
        version: "1.2.3",
        limits: product.limits,
        log,
      }),
      oauth: product.core.oauthPages,
      authorization: product.authorizationServer({
        issuer: () => options.publicUrl ?? server.url,
        ...(options.outbound === undefined ? {} : { outbound: options.outbound }),
      }),
      signIn: product.core.signInPages,
      passkeys: product.core.passkeyPages,
      status: async () => ({ version: "1.2.3", integrations: 1, connections: 2, tools: 1200, store: product.storeKind }),
      limits: product.limits,
      log,
    },
    {
      allowedHosts: options.allowedHosts ?? [],
      trustedProxies: options.trustedProxies ?? [],
      ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    },
  )
  const server = await serveHttp(app, { host: "127.0.0.1", port: 0, limits: product.limits })
  return {
    url: server.url,
    port: server.port,
    app,
    tokens,
    call: (method, path, content = {}) => call(`${server.url}${path}`, method, { token: tokens.human, ...content }),
    recover: () => product.core.recover(),
    raw: (text) => exchange(server.port, text),
    async close() {
      await server.close()
      await product.core.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

type Content = { readonly body?: unknown; readonly token: string | null; readonly headers?: Record<string, string> }

async function call(url: string, method: string, { body, token, headers }: Content): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get("content-type") === "application/json" && text !== ""
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(text))
    socket.setEncoding("utf8")
    socket.on("data", (chunk: string) => {
      answer += chunk
    })
    socket.on("close", () => resolve(answer))
    socket.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" || error.code === "EPIPE" ? resolve(answer) : reject(error),
    )
  })
}
