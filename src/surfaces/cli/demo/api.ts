// `executor demo --api`: the demo's shop alone, to try commands on.
import { executorCommand } from "../../../io/executor-command.ts"
import { UsageError } from "../usage-error.ts"
import { startShopApi } from "./shop-api.ts"
import type { ShopApi } from "./shop-api.ts"

export async function serveShop(port: number): Promise<void> {
  const shop = await listen(port)
  process.stdout.write(
    [
      `The shop's API is running at ${shop.url}`,
      "",
      "To add and use it, run:",
      `  ${executorCommand} integrations add ${shop.url}/openapi.json`,
      `  ${executorCommand} call shop.products.list`,
      "",
      "Press Ctrl-C to stop.",
      "",
    ].join("\n"),
  )
  const stop = (): void => void shop.close().then(() => process.exit(0))
  process.once("SIGINT", stop).once("SIGTERM", stop)
}

async function listen(port: number): Promise<ShopApi> {
  try {
    return await startShopApi({ port, token: null })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error // what a socket fails with has a code
    throw new UsageError(`Port ${port} is already in use; choose another with --port`)
  }
}
