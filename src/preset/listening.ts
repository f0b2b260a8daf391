// Where the product listens: on the address that is set, and on loopback for the command line where that is not enough.
//
// The command line finds the server by its data directory, and trusts it as a program of the same user. Over TLS it would
// have to trust the certificate too, under a name that is not this machine's; on another interface it would send its
// token over the network. For it, the server then also listens on a loopback port of its own, without TLS.
//
// Browsers reach this machine as `localhost`, because passkeys belong to a name. That is both 127.0.0.1 and ::1, so that
// the server takes both, or sends nobody there.
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import { systemClock } from "../io/clock.ts"
import type { Log } from "../io/log.ts"
import { isLoopback } from "../local/settings.ts"
import type { Settings } from "../local/settings.ts"
import { readTlsPair, watchTlsFiles } from "../local/tls-files.ts"
import type { TlsFiles, TlsPair } from "../local/tls-files.ts"
import type { HttpApp } from "../surfaces/http/app.ts"
import { serveHttp } from "../surfaces/http/serve.ts"
import type { HttpServer } from "../surfaces/http/serve.ts"

export type Listening = {
  /** The address that was set. */
  readonly url: string
  /** For programs on this machine. */
  readonly localUrl: string
  /** For browsers on this machine, where the name is this server's alone; null where it is not. */
  readonly localhostUrl: string | null
  /** Every one is the server itself. */
  readonly ports: readonly number[]
  /** Reads the certificate again; where that cannot be used, the one before stays. */
  renewTls(): void
  close(): Promise<void>
}

type ListeningParts = { readonly limits: Limits; readonly log: Log; readonly ifPortTaken?: "any_port" }

export async function startListening(app: HttpApp, settings: Settings, tls: TlsPair | null, parts: ListeningParts): Promise<Listening> {
  const { limits, log } = parts
  const { host, port } = settings
  const main = await serveHttp(app, {
    host,
    port,
    limits,
    ...(parts.ifPortTaken === undefined ? {} : { ifTaken: parts.ifPortTaken }),
    ...(tls === null ? {} : { tls }),
  })
  const localhost = tls === null && host === "127.0.0.1" ? await takeLocalhost(app, main.port, parts) : foreign
  const isReachedHere = tls === null && (isLoopback(host) || host === "0.0.0.0" || host === "::")
  const local = isReachedHere ? null : await serveHttp(app, { host: "127.0.0.1", port: 0, limits })
  const renewTls = (): void => {
    if (settings.tls !== null) renew(main, settings.tls, log)
  }
  const stopWatching = settings.tls === null ? () => {} : watchTlsFiles(settings.tls, limits.tlsLookMs, renewTls)
  // It may have changed since it was read.
  renewTls()
  return {
    url: main.url,
    localUrl: (local ?? main).url,
    localhostUrl: localhost.isOurs ? new URL(`http://localhost:${main.port}`).origin : null,
    ports: [main.port, ...(local === null ? [] : [local.port])],
    renewTls,
    async close() {
      stopWatching()
      await Promise.all([main.close(), local?.close(), localhost.close()])
    },
  }
}

type Localhost = { readonly isOurs: boolean; close(): Promise<void> }

const foreign: Localhost = { isOurs: false, close: async () => {} }

/** Beside 127.0.0.1. Where this machine has no IPv6 there is nothing to take, and nobody else can. */
async function takeLocalhost(app: HttpApp, port: number, { limits, log }: ListeningParts): Promise<Localhost> {
  try {
    const server = await serveHttp(app, { host: "::1", port, limits })
    return { isOurs: true, close: () => server.close() }
  } catch (error) {
    const isTaken = error instanceof ExecutorError && error.code === "conflict"
    if (!isTaken) return { ...foreign, isOurs: true }
    log.warn(
      { port },
      `Another program listens on [::1]:${port}, so that localhost:${port} may lead to it: pages are at http://127.0.0.1:${port}, without passkeys. Choose another port with --port or EXECUTOR_PORT`,
    )
    return foreign
  }
}

/** Where people go, when nobody said: by the first name that the certificate is for. */
export function certifiedUrl({ names }: TlsPair, listening: Pick<Listening, "url">): string {
  const name = names.find((one) => !one.includes("*"))
  if (name === undefined) return listening.url
  return new URL(`https://${name.includes(":") ? `[${name}]` : name}:${new URL(listening.url).port}`).origin
}

function renew(server: HttpServer, files: TlsFiles, log: Log): void {
  try {
    const pair = readTlsPair(files, systemClock.now())
    server.renew(pair)
    log.info({ names: pair.names, validTo: pair.validTo.toISOString() }, "The certificate is in use")
  } catch (error) {
    const message = error instanceof ExecutorError ? error.message : String(error)
    log.error({ error: message }, "The certificate could not be renewed; the one before stays in use")
  }
}
