// What the demo plays on: a directory, an API and a server of its own, all of which are gone when it ends.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readSettings } from "../../../local/settings.ts"
import { loadServer } from "../product.ts"
import type { RunningServer } from "../product.ts"
import { startShopApi } from "./shop-api.ts"

export type DemoStage = {
  readonly dataDir: string
  /** Where the shop's API is. */
  readonly shopUrl: string
  /** Where browsers reach the server. */
  readonly serverUrl: string
  /** Stops the server and starts another one on the same data, at the same address. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** The variable that holds the shop's token, for the connection to refer to. */
export const shopTokenVariable = "SHOP_TOKEN"

export async function openStage(options: { readonly keeps: boolean }): Promise<DemoStage> {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-demo-"))
  // However the process ends: on a signal, or because nobody reads its output any more.
  if (!options.keeps) process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }))
  useOnly(dataDir)
  const shop = await startShopApi({ port: 0, token: process.env[shopTokenVariable] ?? "" })
  let server = await startOn("0")
  const { port } = new URL(server.url)
  return {
    dataDir,
    shopUrl: shop.url,
    serverUrl: server.url,
    async restart() {
      await server.close()
      server = await startOn(port)
    },
    async close() {
      await server.close()
      await shop.close()
    },
  }
}

async function startOn(port: string): Promise<RunningServer> {
  const { startServer } = await loadServer()
  return startServer(readSettings({ ...process.env, EXECUTOR_PORT: port }))
}

/** The commands of the demo run in this process, and read its environment: nothing in it may lead them to the user's own data. */
function useOnly(dataDir: string): void {
  for (const name of Object.keys(process.env))
    if (name.startsWith("EXECUTOR_") && name !== "EXECUTOR_OPEN_BROWSER") delete process.env[name]
  process.env["EXECUTOR_DATA_DIR"] = dataDir
  process.env["EXECUTOR_LOG"] = "error"
  process.env[shopTokenVariable] = "a-secret-of-the-shop"
}
