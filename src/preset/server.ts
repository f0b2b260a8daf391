// The product behind HTTP: opens it, listens, and records its address in the data directory.
import { localHuman, localTenant } from "../core/principal.ts"
import { ensureLocalToken, localTokenPath } from "../identity/local-token.ts"
import { systemClock } from "../io/clock.ts"
import { createLog } from "../io/log.ts"
import type { Log } from "../io/log.ts"
import { openBrowser } from "../io/open-browser.ts"
import { createHttpApp } from "../surfaces/http/app.ts"
import type { McpHostParts } from "../surfaces/mcp/host-parts.ts"
import { createApprovalShow } from "./approval-show.ts"
import { certifiedUrl, startListening } from "./listening.ts"
import type { Listening } from "./listening.ts"
import { releaseHeap } from "./heap-release.ts"
import { lazyMcpHost } from "./mcp-lazy.ts"
import { openProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { guardRejections } from "./rejection-guard.ts"
import { addToServerFile } from "../local/server-file.ts"
import { isLoopback, refuseListening } from "../local/settings.ts"
import type { Settings } from "../local/settings.ts"
import { readTlsPair } from "../local/tls-files.ts"
import { productVersion } from "../local/version.ts"
import { warmUp } from "./warm-up.ts"

export type RunningServer = {
  /** The address that it listens on. */
  readonly url: string
  /** Where agents and other programs go. */
  readonly publicUrl: string
  /** Where people go. */
  readonly pagesUrl: string
  /** Reads the certificate again, if there is one. */
  renewTls(): void
  readonly tokenPath: string
  /** Whether there is nothing in the catalog yet. */
  readonly isEmpty: boolean
  close(): Promise<void>
}

/** `ifPortTaken`: by default it is refused. */
export async function startServer(settings: Settings, { ifPortTaken }: { readonly ifPortTaken?: "any_port" } = {}): Promise<RunningServer> {
  const isLoopbackOnly = isLoopback(settings.host)
  const refusal = refuseListening(settings)
  if (refusal !== null) throw refusal
  const log = createLog(settings.logLevel)
  const tls = settings.tls === null ? null : readTlsPair(settings.tls, systemClock.now())
  let { publicUrl } = settings
  let pagesUrl = publicUrl
  let localhostUrl: string | null = null
  const product = await openProduct(settings, {
    isLoopbackOnly,
    startsWarm: true,
    log,
    approvalUrl: (id) => (pagesUrl === null ? null : `${pagesUrl}/approve/${id}`),
    pagesUrl: () => pagesUrl,
    publicUrl: () => publicUrl,
  })
  try {
    await ensureLocalToken(settings.dataDir, product.store, systemClock)
    const app = createHttpApp(
      {
        api: (principal) => product.core.as(principal),
        authenticate: product.core.authenticate,
        browserSessions: product.core.browserSessions,
        signInWithCode: product.core.signInWithCode,
        mcp: lazyMcpHost({
          api: (principal) => product.core.as(principal),
          hostApi: product.core.host,
          showApproval: approvalShow(product, settings, () => pagesUrl, log),
          requestStateKey: product.deriveKey("mcp-request-state"),
          version: productVersion,
          limits: product.limits,
          log,
        }),
        oauth: product.core.oauthPages,
        authorization: product.authorizationServer({ issuer: () => publicUrl ?? "" }),
        signIn: product.core.signInPages,
        passkeys: product.core.passkeyPages,
        status: () => readStatus(product),
        limits: product.limits,
        log,
      },
      {
        allowedHosts: [settings.host, ...(tls?.names ?? [])],
        trustedProxies: settings.trustedProxies,
        localhostUrl: () => localhostUrl,
        ...(settings.publicUrl === null ? {} : { publicUrl: settings.publicUrl }),
      },
    )
    const listening = await startListening(app, settings, tls, {
      limits: product.limits,
      log,
      ...(ifPortTaken === undefined ? {} : { ifPortTaken }),
    })
    publicUrl ??= tls === null ? listening.url : certifiedUrl(tls, listening)
    if (settings.publicUrl === null) localhostUrl = listening.localhostUrl
    pagesUrl = localhostUrl ?? publicUrl
    for (const port of listening.ports) product.network.forbid(settings.host, port)
    const serverFile = addToServerFile(settings.dataDir, listening.localUrl, pagesUrl)
    for (const { origin, pid } of serverFile.others)
      log.warn({ origin, pid }, "Another server runs on this data directory; commands use this one until it ends")
    if (settings.publicUrl?.startsWith("https:") === true && tls === null && settings.trustedProxies.length === 0)
      log.warn({}, "EXECUTOR_TRUSTED_PROXIES is not set: all clients seem to come from the proxy, and share its limits")
    if (settings.isSsoOnly && (await product.store.signInProviders.list(localTenant)).length === 0)
      log.warn(
        {},
        "EXECUTOR_SSO_ONLY is set and there is no sign-in provider: only the human of this machine can sign in, with 'executor web'; add one with 'executor signin providers add'",
      )
    const warm = warmUp(product.core, log)
    const guard = product.plugins.length === 0 ? null : guardRejections(log)
    const recovered = product.core.recover()
    const heapRelease = releaseHeap()
    const close = async (): Promise<void> => {
      guard?.release()
      heapRelease.stop()
      serverFile.remove()
      await Promise.all([warm, recovered])
      await closeListening(listening, product, log)
      await product.core.close()
    }
    const { tools } = await readStatus(product)
    return {
      url: listening.url,
      publicUrl,
      pagesUrl,
      renewTls: () => listening.renewTls(),
      tokenPath: localTokenPath(settings.dataDir),
      isEmpty: tools === 0,
      close,
    }
  } catch (error) {
    await product.core.close()
    throw error
  }
}

/** Half of the grace is for runs to end by themselves, the rest for answering those that have to go on elsewhere. */
async function closeListening(listening: Listening, { core, limits }: Product, log: Log): Promise<void> {
  const endRuns = (): void =>
    void core.endRuns().catch((error: unknown) => log.warn({ error: String(error) }, "The runs did not end cleanly"))
  const ending = setTimeout(endRuns, limits.shutdownGraceMs / 2)
  await listening.close()
  clearTimeout(ending)
}

function approvalShow(product: Product, settings: Settings, pagesUrl: () => string | null, log: Log): McpHostParts["showApproval"] {
  if (!settings.opensBrowser) return () => {}
  return createApprovalShow({ browserSessions: product.core.browserSessions, pagesUrl, openBrowser, clock: systemClock, log })
}

async function readStatus(product: Product) {
  const { store } = product
  const integrations = await store.integrations.list(localHuman, { after: null, limit: product.limits.pageSizeMax })
  const connections = await store.connections.list(localHuman, {}, { after: null, limit: product.limits.pageSizeMax })
  const tools = await store.tools.count(localHuman, {})
  return { version: productVersion, store: product.storeKind, integrations: integrations.length, connections: connections.length, tools }
}
