// Asks whether an Executor server answers at an origin, without showing it a token.
import { certificateProblem } from "../../../core/text/certificate-problem.ts"

export type Probe =
  | { readonly status: "executor"; readonly version: string; readonly store: string; readonly date: Date | null }
  | { readonly status: "stranger"; readonly reason: string }
  | {
      readonly status: "silent"
      readonly reason: string
      /** It answers, with a certificate that is not accepted. */ readonly isCertificate: boolean
    }

const probeMsMax = 5000

export async function probeServer(origin: string): Promise<Probe> {
  let response: Response
  try {
    response = await fetch(`${origin}/health`, { redirect: "manual", signal: AbortSignal.timeout(probeMsMax) })
  } catch (error) {
    const problem = certificateProblem(error)
    return { status: "silent", reason: problem ?? reasonOf(error), isCertificate: problem !== null }
  }
  const body = await response.json().catch(() => null)
  const health = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown> // read as unknown below
  if (response.status !== 200 || health["status"] !== "ok" || typeof health["version"] !== "string") return stranger(response, health)
  const date = new Date(response.headers.get("date") ?? Number.NaN)
  return {
    status: "executor",
    version: health["version"],
    store: String(health["store"]),
    date: Number.isNaN(date.getTime()) ? null : date,
  }
}

/** Where the API answers that was looked for in the wrong place of the same server; null where it is nowhere near. */
export async function findApiNear(origin: string): Promise<string | null> {
  const url = new URL(origin)
  const whole = url.origin + url.pathname.replace(/\/+$/, "")
  const candidates = [`${whole}/api`, whole.replace(/\/api(?:\/.*)?$/, "/api"), `${url.origin}/api`]
  for (const candidate of new Set(candidates)) {
    if (candidate !== origin && (await probeServer(candidate)).status === "executor") return candidate
  }
  return null
}

/** An Executor server that was asked at the wrong path says so itself. */
function stranger(response: Response, body: Record<string, unknown>): Probe {
  const { message } = (body["error"] ?? {}) as { message?: unknown } // read as unknown here
  return { status: "stranger", reason: typeof message === "string" ? message : `it answered ${response.status}` }
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
