// Looks for the server: whether it answers, whether it is ours, whether it knows our token, and whether its port could be had.
import { executorCommand } from "../../../io/executor-command.ts"
import { createServer } from "node:net"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import { readDataDir } from "../../../local/data-dir.ts"
import { readServerFile } from "../../../local/server-file.ts"
import type { Environment } from "../../../local/settings.ts"
import { productVersion } from "../../../local/version.ts"
import { safeLine } from "../../../core/text/safe.ts"
import type { Probe } from "../server/probe.ts"
import { findApiNear, probeServer } from "../server/probe.ts"
import { broken, odd, reasonOf, well } from "./check.ts"
import type { Check } from "./check.ts"

const clockSkewMsMax = 60_000

export async function checkServer(env: Environment): Promise<Check[]> {
  const named = env["EXECUTOR_ORIGIN"] || null
  const file = named === null ? readServerFile(readDataDir(env)) : null
  const origin = named ?? file?.origin ?? null
  if (origin === null)
    return [
      well("server", `No server is running; commands work without one. Start one with ${executorCommand} serve`),
      ...(await checkPort(env)),
    ]
  const probe = await probeServer(origin.replace(/\/+$/, ""))
  const near = named !== null && probe.status === "stranger" ? await findApiNear(named) : null
  const publicChecks = file?.publicUrl === undefined || isThisMachine(file.publicUrl) ? [] : [await checkPublic(file.publicUrl)]
  return [describeProbe(origin, probe, named !== null, near), ...publicChecks, ...checkClock(probe)]
}

const isThisMachine = (url: string): boolean => new URL(url).hostname === "localhost"

/** From this machine it may look different than from others, so that nothing here is broken for certain. */
async function checkPublic(url: string): Promise<Check> {
  const probe = await probeServer(`${url}/api`)
  if (probe.status === "executor") return well("public address", `${url} leads to this server`)
  const fix = "Check its name, the proxy in front and the certificate; EXECUTOR_PUBLIC_URL sets the address"
  return odd("public address", `From this machine, ${url} does not lead to Executor: ${safeLine(probe.reason)}`, fix)
}

function describeProbe(origin: string, probe: Probe, isNamed: boolean, near: string | null): Check {
  if (near !== null) return broken("server", `Executor's API is not at ${origin} but at ${near}`, `Set EXECUTOR_ORIGIN=${near}`)
  const fix = isNamed ? "Start it, or correct EXECUTOR_ORIGIN, e.g. http://127.0.0.1:4788/api" : `Restart it with ${executorCommand} serve`
  if (probe.status === "silent" && probe.isCertificate)
    return broken("server", `The server at ${origin} cannot be trusted: ${safeLine(probe.reason)}`, fix)
  if (probe.status === "silent") return broken("server", `Nothing answers at ${origin}: ${safeLine(probe.reason)}`, fix)
  if (probe.status === "stranger") return broken("server", `What answers at ${origin} is not Executor: ${safeLine(probe.reason)}`, fix)
  const told = `Version ${safeLine(probe.version)} is running at ${origin}, with ${safeLine(probe.store)}`
  if (probe.version === productVersion) return well("server", told)
  return odd("server", `${told}; this is ${productVersion}`, "Use the same version on both sides")
}

function checkClock(probe: Probe): Check[] {
  if (probe.status !== "executor" || probe.date === null) return []
  const skewMs = Math.abs(probe.date.getTime() - Date.now())
  if (skewMs <= clockSkewMsMax) return [well("clock", "The clocks of this machine and the server agree")]
  return [
    odd(
      "clock",
      `The clocks of this machine and the server differ by ${Math.round(skewMs / 1000)} s`,
      "Set both clocks, e.g. with NTP; they decide when tokens and approvals expire",
    ),
  ]
}

export async function checkToken(api: ExecutorApi): Promise<Check> {
  try {
    await api.integrations.list({ limit: 1 })
    return well("sign-in", "The server accepts the token")
  } catch (error) {
    return broken(
      "sign-in",
      reasonOf(error),
      "Set EXECUTOR_TOKEN to one of this server's tokens, or unset it to use the token in the data directory",
    )
  }
}

/** A port that is none is what the environment's own check complains about. */
async function checkPort(env: Environment): Promise<Check[]> {
  const port = Number(env["EXECUTOR_PORT"] || 4788)
  const host = env["EXECUTOR_HOST"] || "127.0.0.1"
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return []
  const reason = await new Promise<string | null>((resolve) => {
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port }, () => server.close(() => resolve(null)))
  })
  if (reason === null) return [well("port", `${host}:${port} is free for ${executorCommand} serve`)]
  return [odd("port", `Cannot listen on ${host}:${port} (${reason})`, `Use another port: ${executorCommand} serve --port 4789`)]
}
