// Tests which requests are tried again, by what the servers saw.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Echo } from "../../../test/servers/echo.ts"
import { startEcho } from "../../../test/servers/echo.ts"
import { startRaw } from "../../../test/servers/raw.ts"
import { defaultLimits } from "../../core/limits.ts"
import { createNetwork } from "./guarded-fetch.ts"
import { silentLog } from "../log.ts"
import type { Network, Outbound, OutboundFailure, OutboundRequest, OutboundResponse } from "./outbound.ts"

let echo: Echo
let network: Network
let outbound: Outbound

beforeAll(async () => {
  echo = await startEcho()
  network = createNetwork({ allowPrivateHosts: ["127.0.0.1"], trustLiteralUrls: false, limits: defaultLimits, log: silentLog })
  outbound = network.outbound({ literalUrls: [] })
})
afterAll(() => Promise.all([echo.close(), network.close()]))
beforeEach(() => void (echo.ledger.length = 0))

const get = (url: string, more: Partial<OutboundRequest> = {}): Promise<OutboundResponse | OutboundFailure> =>
  outbound.send({ method: "GET", url, timeoutMs: 5000, responseBytesMax: 1_000_000, ...more })

describe("retries", () => {
  it.each([429, 503])("repeat a read after %i with a short Retry-After", async (status) => {
    expect(await get(`${echo.url}/flaky?failures=2&status=${status}`)).toMatchObject({ status: 200 })
    expect(await get(`${echo.url}/flaky?failures=3&status=${status}`)).toMatchObject({ status })
  })

  it.each(["6", "3600", "soon", "-1", "1e3"])("leave the answer as it is when Retry-After is %j", async (retryAfter) => {
    expect(await get(`${echo.url}/flaky?retryAfter=${retryAfter}`)).toMatchObject({
      status: 503,
    })
    expect(echo.ledger).toHaveLength(1)
  })

  it("understand a date", async () => {
    const at = encodeURIComponent(new Date(Date.now() - 60_000).toUTCString())
    expect(await get(`${echo.url}/flaky?retryAfter=${at}`)).toMatchObject({ status: 200 })
  })

  it("do not wait longer than the deadline, and repeat no write", async () => {
    expect(await get(`${echo.url}/flaky?retryAfter=4`, { timeoutMs: 2000 })).toMatchObject({ status: 503 })
    expect(await get(`${echo.url}/flaky?retryAfter=0`, { method: "POST" })).toMatchObject({ status: 503 })
    expect(echo.ledger).toHaveLength(2)
  })

  it("repeat a read whose connection was reset before an answer, and no write", async () => {
    let resets = 0
    const raw = await startRaw((socket) =>
      resets++ % 3 < 2 ? socket.resetAndDestroy() : socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    )
    expect(await get(raw.url)).toMatchObject({ ok: true, status: 200 })
    expect(raw.heads).toHaveLength(3)
    expect(await get(raw.url, { method: "POST", body: "x" })).toMatchObject({ ok: false, code: "upstream_unreachable" })
    expect(raw.heads).toHaveLength(4)
    await raw.close()
  })
})
