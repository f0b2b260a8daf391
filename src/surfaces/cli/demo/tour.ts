// The tour: each step says what it shows, types the commands, and lets their own output speak.
import { setTimeout as sleep } from "node:timers/promises"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import type { Screen } from "../print/screen.ts"
import { decide } from "./approval.ts"
import { shopTokenVariable } from "./stage.ts"
import type { DemoStage } from "./stage.ts"
import type { Typing } from "./typing.ts"

export type TourParts = {
  /** Acts as the human. */
  readonly api: ExecutorApi
  readonly stage: DemoStage
  readonly typing: Typing
  readonly screen: Screen
}

export async function giveTour(options: { readonly yes: boolean }, parts: TourParts): Promise<void> {
  await connectApi(parts)
  await findTools(parts.typing)
  await runCode(parts.typing)
  const executionId = await askForApproval(parts)
  await answerApproval(executionId, options, parts)
  await blockByPolicy(parts.typing)
}

async function connectApi({ stage, typing }: TourParts): Promise<void> {
  await typing.step(
    "Connect an API",
    `A small shop runs on this machine, described by an OpenAPI document. Each operation becomes a tool.
The connection keeps the shop's token: no script, agent or log will see it.`,
  )
  await typing.asHuman("integrations", "add", `${stage.shopUrl}/openapi.json`)
  await typing.asHuman("connections", "add", "shop", "--env", shopTokenVariable)
}

async function findTools(typing: Typing): Promise<void> {
  await typing.step(
    "Find a tool",
    `Agents are not handed a list of a thousand tools. They search in their own words,
and read the types of the tools they find.`,
  )
  await typing.asHuman("tools", "search", "which products run low", "--limit", "2")
  await typing.asHuman("tools", "describe", "shop.org.main.orders.create")
}

async function runCode(typing: Typing): Promise<void> {
  await typing.step(
    "Run code that reads",
    `An agent writes code against \`tools\`, which runs in a sandbox. Reads are allowed.
A failed call returns an error that the code can inspect.`,
  )
  typing.write(
    "low-stock.ts",
    `const low = await tools.shop.products.list({ stockMax: 5 }).unwrap()
const { error } = await tools.shop.orders.get({ orderId: 99 })
return { low, error: error.message }`,
  )
  await typing.asAgent("run", "low-stock.ts")
}

async function askForApproval({ api, stage, typing }: TourParts): Promise<string> {
  await typing.step(
    "Run code that writes",
    `Placing an order changes data, so the code pauses before the call and waits for a human.
The order has not been sent.`,
  )
  typing.write(
    "restock.ts",
    `const [low] = await tools.shop.products.list({ stockMax: 5 }).unwrap()
return await tools.shop.orders.create({ productId: low.id, quantity: 20 }).unwrap()`,
  )
  await typing.asAgent("run", "restock.ts")
  const [waiting] = (await api.executions.list({ status: "paused", limit: 1 })).items
  if (waiting === undefined) throw new Error("The call should have waited for a human, but did not")
  const { executionId } = waiting
  typing.say("The agent cannot approve its own call:")
  await typing.asAgent("resume", executionId, "--action", "accept")
  typing.say("Now the server restarts. The approval is still there:")
  await stage.restart()
  await typing.asHuman("approvals", "list")
  return executionId
}

async function answerApproval(executionId: string, { yes }: { readonly yes: boolean }, parts: TourParts): Promise<void> {
  const { api, typing } = parts
  await typing.step("Approve or decline", "Before you answer, you see the tool, its arguments and the code.")
  await decide({ executionId, yes }, parts)
  const status = await settledStatus(executionId, api)
  typing.say(
    status === "completed"
      ? "The code continued where it had paused. The journal records every call and its decision:"
      : "The order was not sent. The journal records every call and its decision:",
  )
  await typing.asHuman("executions", "show", executionId)
}

/** Between the answer and the end the code runs on for a moment. */
async function settledStatus(executionId: string, api: TourParts["api"]): Promise<string> {
  for (;;) {
    const { status } = await api.executions.get(executionId)
    if (status !== "running") return status
    await sleep(100)
  }
}

async function blockByPolicy(typing: Typing): Promise<void> {
  await typing.step(
    "Set a rule",
    "A policy allows calls, requires approval for them, or blocks them. This one blocks the cancellation of orders.",
  )
  await typing.asHuman("policies", "add", "shop.*.*.orders.cancel", "block")
  await typing.asAgent("call", "shop.orders.cancel", "orderId=2")
}
