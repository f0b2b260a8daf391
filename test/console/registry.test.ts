// The page Registry, sentence by sentence of what it promises: the list, the detail drawer, the dialog of a new tool.
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { TOOL_BUCKETS } from "../../src/core/tool-types.ts"
import { keepShot } from "../e2e/browser.ts"
import { expectAccessible, expectNoSideScroll, ofColours } from "./console.ts"
import type { RegistryPlace } from "./registry-seed.ts"
import { startRegistryPlace } from "./registry-seed.ts"

let place: RegistryPlace
beforeAll(async () => {
  place = await startRegistryPlace()
})
afterAll(() => place.close())

const rows = (page: Page) => page.getByRole("grid", { name: "Tools" }).getByRole("row")
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })

describe("the list", () => {
  test("a summary for each bucket counts its tools, and choosing one lists them alone", async () => {
    const { page, context, problems } = await place.console.open("/registry")
    await row(page, "ledger.org.main.items.get").waitFor()
    const { buckets, total } = await place.client.tools.summary({ includeBlocked: true })
    for (const { id, label } of TOOL_BUCKETS) {
      expect(buckets[id]).toBeGreaterThan(0)
      await page
        .getByRole("group", { name: "Bucket" })
        .getByRole("button", { name: `${label} ${buckets[id]}`, exact: true })
        .waitFor()
    }
    expect(await page.getByRole("grid").getAttribute("aria-rowcount")).toBe(String(total + 1))
    await page.getByRole("button", { name: /^MCP/ }).click()
    await row(page, "ledger.org.main.items.get").waitFor({ state: "detached" })
    await row(page, "notes.org.main.notes_list").waitFor()
    await expect.poll(() => rows(page).count()).toBe(1 + buckets.mcp)
    expect(new URL(page.url()).searchParams.get("bucket")).toBe("mcp")
    expect(problems).toEqual([])
    await context.close()
  })

  test("search and the filters for status, subtype and integration are in the address, and the server applies them", async () => {
    const { page, context } = await place.console.open("/registry")
    await row(page, "notes_list").waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("item of the ledger")
    await row(page, "registry.org.main.read_item").waitFor()
    await row(page, "notes_list").waitFor({ state: "detached" })
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByRole("button", { name: "Clear filters" }).click()
    await page.getByLabel("Status").selectOption("deprecated")
    await row(page, "read_item").waitFor({ state: "detached" })
    await row(page, "registry.org.main.double_it").waitFor()
    expect(new URL(page.url()).searchParams.get("status")).toBe("deprecated")
    await page.reload()
    await row(page, "registry.org.main.double_it").waitFor()
    await page.getByLabel("Subtype").selectOption("http")
    await page.getByRole("heading", { name: "No tool fits these filters" }).waitFor()
    await page.getByLabel("Status").selectOption("")
    await page.getByLabel("Integration").selectOption("ledger")
    await row(page, "ledger.org.main.items.create").waitFor()
    await expect.poll(() => rows(page).count()).toBe(4)
    await context.close()
  })

  test("each row has badges for bucket, subtype, status and version", async () => {
    const { page, context } = await place.console.open("/registry?integration=registry")
    const badges = async (text: string): Promise<string[]> => (await row(page, text).getByRole("gridcell").allInnerTexts()).slice(1)
    await row(page, "add_up").waitFor()
    expect((await badges("add_up")).map(plain)).toEqual(["Artifact", "Artifact", "○ Reads", "◐ Draft", "1.0.0"])
    expect((await badges("double_it")).map(plain)).toEqual(["Custom", "Function", "○ Reads", "▲ Deprecated", "1.0.0"])
    await context.close()
  })
})

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim()
const drawer = (page: Page) => page.getByRole("dialog")

describe("the detail drawer", () => {
  test("shows the input and output schemas, and both configs without secrets", async () => {
    const { page, context, problems } = await place.console.open("/registry?integration=registry")
    await row(page, "read_item").click()
    await drawer(page).getByRole("heading", { name: "Read one item" }).waitFor()
    expect(new URL(page.url()).searchParams.get("tool")).toBe("tools.registry.org.main.read_item")
    await drawer(page).getByRole("region", { name: "Signature" }).filter({ hasText: "name: string" }).waitFor()
    await page.getByRole("tab", { name: "Schema" }).click()
    expect(JSON.parse(await page.getByRole("region", { name: "Input", exact: true }).innerText())).toMatchObject({ required: ["name"] })
    expect(JSON.parse(await page.getByRole("region", { name: "Output", exact: true }).innerText())).toEqual({ type: "object" })
    await page.getByRole("tab", { name: "Implementation" }).click()
    const config = JSON.parse(await page.getByRole("region", { name: "Implementation config" }).innerText())
    expect(config).toMatchObject({ method: "GET", headers: { "x-api-key": "••••" } })
    expect(JSON.parse(await page.getByRole("region", { name: "Execution config" }).innerText())).toEqual({
      timeout_s: 5,
      max_concurrency: 2,
    })
    expect(await page.content()).not.toContain("s3cret-value")
    await page.keyboard.press("Escape")
    await drawer(page).waitFor({ state: "detached" })
    expect(new URL(page.url()).searchParams.get("tool")).toBe(null)
    expect(problems).toEqual([])
    await context.close()
  })

  test("keys alone lead from anywhere to a tool: G R, J and K, Enter", async () => {
    const { page, context, problems } = await place.console.open("/inbox")
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor()
    await page.keyboard.press("g")
    await page.keyboard.press("r")
    const grid = page.getByRole("grid", { name: "Tools" })
    await grid.getByRole("row").nth(3).waitFor()
    await expect.poll(() => page.evaluate("document.activeElement?.id")).toBe("main")
    const active = () => grid.getAttribute("aria-activedescendant")
    await page.keyboard.press("j")
    expect(await active()).toBe("Tools-row-0")
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("k")
    expect(await active()).toBe("Tools-row-1")
    await keepShot(page, "registry-keys")
    await page.keyboard.press("Enter")
    await drawer(page).waitFor()
    await page.keyboard.press("Escape")
    await drawer(page).waitFor({ state: "detached" })
    await page.keyboard.press("j")
    expect(await active()).toBe("Tools-row-2")
    // A filter that leaves one row: it is the one that Enter opens.
    await page.keyboard.press("/")
    await page.keyboard.type("read_item")
    await expect.poll(() => grid.getAttribute("aria-rowcount")).toBe("2")
    await page.keyboard.press("Enter")
    expect(await active()).toBe("Tools-row-0")
    await page.keyboard.press("Enter")
    await drawer(page).getByRole("heading", { name: "Read one item" }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test("a tool of an API opens by its short path, and one of the registry by its id on a page of its own", async () => {
    const { page, context } = await place.console.open("/registry?tool=ledger.items.get&tab=schema")
    await page.getByRole("region", { name: "Input", exact: true }).filter({ hasText: '"name"' }).waitFor()
    const { id } = await place.client.registry.find("read_item")
    await page.goto(`${place.console.server.url}/registry/${id}`)
    await page.getByRole("heading", { level: 1, name: "Read one item" }).waitFor()
    await page.goto(`${place.console.server.url}/registry?tool=ledger.items.nothing`)
    await page.getByRole("heading", { name: "There is no such tool" }).waitFor()
    await page.goto(`${place.console.server.url}/registry/tool_none`)
    await page.getByRole("heading", { name: "There is no such tool" }).waitFor()
    await context.close()
  })

  test("the test of a tool that was imported leads to the playground", async () => {
    const { page, context, problems } = await place.console.open("/registry?tool=ledger.items.get&tab=test")
    await page.getByText("executor call ledger.org.main.items.get --help").waitFor()
    await page.getByRole("link", { name: "Open in playground" }).click()
    await page.waitForURL("**/playground?tab=form&tool=ledger.org.main.items.get")
    await page.getByLabel("name", { exact: true }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test("an edit is published with a reason after its differences were shown, and rolled back", async () => {
    const made = await makeTool("versioned")
    await place.client.run(`return await tools.registry.versioned({ value: 1 }).unwrap()`)
    await place.client.registry.update(made.id, {
      schema: {
        input: { type: "object", properties: { value: { type: "number" }, unit: { type: "string" } }, required: ["unit", "value"] },
      },
    })
    const { page, context, problems } = await place.console.open(`/registry?tool=${made.address}`)
    await page.getByRole("button", { name: "Publish", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Publish versioned" })
    await dialog
      .getByText(/^1 breaking|breaking/)
      .first()
      .waitFor()
    const publish = dialog.getByRole("button", { name: "Publish the tool" })
    expect(await publish.getAttribute("aria-disabled")).toBe("true")
    await dialog.getByLabel("Reason").fill("Adds the unit")
    expect(await publish.getAttribute("aria-disabled")).toBe("true")
    await dialog.getByLabel(/Calls that were right before may fail/).check()
    await dialog.getByText("In production, version 1.0.0: 1 call by 1 caller in 30 days.").waitFor()
    await keepShot(page, "registry-publish")
    await expectAccessible(page, "[role=dialog]:not([aria-hidden=true])")
    await publish.click()
    await page.getByText("Published as version 1.0.1").waitFor()
    await page.getByRole("tab", { name: "Versions" }).click()
    await page.getByRole("list", { name: "Versions" }).getByText("Adds the unit").waitFor()
    await page.getByRole("list", { name: "Versions" }).getByText("no calls in 30 days").first().waitFor()
    await page.getByRole("list", { name: "Changes" }).getByText("Breaking").first().waitFor()
    await keepShot(page, "registry-versions")
    await expectAccessible(page)
    await page.getByRole("button", { name: "Roll back to 1.0.0" }).click()
    const back = page.getByRole("dialog", { name: "Roll back to 1.0.0" })
    await back.getByRole("list", { name: "Changes" }).getByText("unit").first().waitFor()
    await back.getByText("In production, version 1.0.1: no calls in 30 days.").waitFor()
    await keepShot(page, "registry-rollback")
    await expectAccessible(page, "[role=dialog]:not([aria-hidden=true])")
    // Nothing is changed by whoever only looks.
    await back.getByRole("button", { name: "Cancel" }).click()
    await back.waitFor({ state: "detached" })
    expect(await place.client.registry.get(made.id)).toMatchObject({ publishedVersion: "1.0.1" })
    await page.getByRole("button", { name: "Roll back to 1.0.0" }).click()
    await back.getByRole("button", { name: "Roll back to 1.0.0" }).click()
    await page.getByText("Rolled back to 1.0.0, as version 1.0.2").waitFor()
    expect(await place.client.registry.get(made.id)).toMatchObject({
      publishedVersion: "1.0.2",
      schema: { input: { required: ["value"] } },
    })
    expect(problems).toEqual([])
    await context.close()
  })

  test("a tool is tested, deprecated with its replacement, disabled and taken up again", async () => {
    const made = await makeTool("stages")
    const { page, context } = await place.console.open(`/registry?tool=${made.address}&tab=test`)
    await page.getByLabel("Arguments").fill('{"value": 21}')
    await page.getByRole("button", { name: "Run the test" }).click()
    await page.getByRole("region", { name: "Answer of the test" }).filter({ hasText: "42" }).waitFor()
    const act = async (name: string): Promise<void> => {
      await page.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name }).click()
    }
    await act("Deprecate…")
    await page.getByLabel("Use instead").fill("read_item")
    await page.getByRole("button", { name: "Deprecate the tool" }).click()
    await drawer(page).getByText("Deprecated").waitFor()
    expect(await place.client.registry.get(made.id)).toMatchObject({ status: "deprecated", replacedBy: "read_item" })
    await act("Disable…")
    await page.getByRole("button", { name: "Disable the tool" }).click()
    await drawer(page).getByText("Disabled").waitFor()
    await act("Back to draft")
    await drawer(page).getByText("Draft").waitFor()
    await context.close()
  })

  test("whoever may not edit sees the controls with the reason", async () => {
    const { page, context } = await place.console.open("/registry", { token: place.console.server.tokens.member })
    const button = page.getByRole("button", { name: "New tool" })
    expect(await button.getAttribute("aria-disabled")).toBe("true")
    await button.hover()
    await page.getByRole("tooltip", { name: "Needs the right registry.write" }).waitFor()
    await context.close()
  })
})

describe("the dialog of a new tool has a form for each type, and saves a draft", () => {
  /** Fills the form of a type as a person does, and answers with the tool that it made. */
  const create = async (kind: string, name: string, fill: (page: Page) => Promise<void>) => {
    const { page, context, problems } = await place.console.open("/registry")
    await page.getByRole("button", { name: "New tool" }).click()
    await page
      .getByRole("dialog", { name: "New tool" })
      .getByRole("button", { name: new RegExp(`^${kind}`) })
      .click()
    await page.getByLabel("Name", { exact: true }).fill(name)
    await page.getByLabel("Description").fill(`The tool ${name}.`)
    await fill(page)
    await page.getByRole("button", { name: "Save as draft" }).click()
    await page.getByRole("tab", { name: "Test", selected: true }).waitFor()
    // What the API refuses, a browser logs.
    expect(problems.filter((text) => !text.includes("400"))).toEqual([])
    await context.close()
    return place.client.registry.find(name)
  }

  test("Artifact: a picker of artifacts", async () => {
    const made = await create("Artifact", "made_artifact", (page) =>
      page
        .getByLabel("Artifact", { exact: true })
        .selectOption({ label: "Sum (version 1)" })
        .then(() => undefined),
    )
    expect(made).toMatchObject({ status: "draft", toolType: "artifact", schema: { input: { required: ["values"] } } })
  })

  test("MCP: server URL and tool name", async () => {
    const made = await create("MCP", "made_mcp", async (page) => {
      await page.getByLabel("Server URL").fill(place.mcpUrl)
      await page.getByLabel("Tool name").fill("notes_list")
    })
    expect(made).toMatchObject({
      status: "draft",
      toolType: "mcp",
      configSchema: { implementation: { server_url: place.mcpUrl, tool_name: "notes_list" } },
    })
  })

  test("HTTP: method, URL and headers; a {name} of the URL is an argument", async () => {
    const made = await create("HTTP", "made_http", async (page) => {
      await page.getByLabel("Method").selectOption("DELETE")
      await page.getByLabel("URL").fill(`${place.ledgerUrl}/items/{item}`)
      await page.getByLabel("Headers").fill("X-Api-Key: s3cret-header\nX-Trace: on")
    })
    expect(made).toMatchObject({
      status: "draft",
      schema: { input: { required: ["item"] } },
      configSchema: {
        implementation: { method: "DELETE", url: `${place.ledgerUrl}/items/{item}`, headers: { "X-Api-Key": "***", "X-Trace": "***" } },
      },
    })
  })

  test("Function: function name; what is refused stands at its field", async () => {
    const made = await create("Function", "made_function", async (page) => {
      await page.getByLabel("Function name").fill("doubel")
      await page.getByRole("button", { name: "Save as draft" }).click()
      await page.getByRole("alert").filter({ hasText: "the nearest are double" }).waitFor()
      await expectAccessible(page)
      await page.getByLabel("Function name").fill("double")
    })
    expect(made).toMatchObject({ status: "draft", configSchema: { implementation: { function_name: "double" } } })
  })

  test("RAG Retrieval: a selector of pipelines", async () => {
    const made = await create("RAG Retrieval", "made_retrieval", (page) =>
      page
        .getByLabel("Retrieval pipeline")
        .selectOption({ label: "Handbook" })
        .then(() => undefined),
    )
    expect(made).toMatchObject({ status: "draft", implementationType: "rag_retrieval", schema: { input: { required: ["query"] } } })
  })

  test("Agent Call: target and an optional timeout", async () => {
    const made = await create("Agent Call", "made_agent_call", async (page) => {
      await page.getByLabel("Target agent").fill("helper")
      await page.getByLabel("Timeout in seconds").fill("30")
    })
    expect(made).toMatchObject({ configSchema: { implementation: { target_agent_slug: "helper", timeout_s: 30 } } })
  })

  test("Code: TypeScript, with execution settings", async () => {
    const made = await create("Code", "made_code", async (page) => {
      await page.getByLabel("Code", { exact: true }).fill("return 1")
      await page.getByText("Execution", { exact: true }).click()
      await page.getByLabel("Calls at once").fill("3")
    })
    expect(made).toMatchObject({
      toolType: "custom",
      configSchema: { implementation: { code: "return 1" }, execution: { max_concurrency: 3 } },
    })
  })
})

/** Published as 1.0.0: doubles a value. */
async function makeTool(slug: string) {
  const made = await place.client.registry.create({
    name: slug,
    slug,
    description: "Doubles a value.",
    schema: { input: { type: "object", properties: { value: { type: "number" } }, required: ["value"] } },
    implementationType: "custom",
    implementationConfig: { code: "return input.value * 2" },
  })
  return place.client.registry.publish(made.id)
}

test.each(["light", "dark"] as const)("the page passes axe in %s, fits a phone, and shows what strangers wrote as text", async (theme) => {
  const rules = theme === "light" ? {} : ofColours
  const { page, context, problems } = await place.console.open("/registry?integration=registry", { theme })
  await row(page, "hostile").waitFor()
  expect(await row(page, "hostile").innerText()).toContain("<img src=x onerror=alert(1)>")
  await expectAccessible(page, "html", rules)
  await keepShot(page, `registry-${theme}`)
  await page.goto(`${place.console.server.url}/registry?tool=registry.org.main.hostile`)
  await drawer(page).getByText("\\u202eevil\\u0007").waitFor()
  expect(await page.locator("img, b").count()).toBe(0)
  expect(await page.title()).toBe("Registry – Executor")
  for (const tab of ["Overview", "Schema", "Implementation", "Versions", "Test"]) {
    await page.getByRole("tab", { name: tab }).click()
    await page.getByRole("tabpanel", { name: tab }).waitFor()
    await expectAccessible(page, "html", rules)
    await keepShot(page, `registry-drawer-${tab.toLowerCase()}-${theme}`)
  }
  await page.goto(`${place.console.server.url}/registry?new=http`)
  await page.getByLabel("URL").waitFor()
  await expectAccessible(page, "html", rules)
  await keepShot(page, `registry-new-${theme}`)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSideScroll(page)
  await keepShot(page, `registry-new-phone-${theme}`)
  await page.goto(`${place.console.server.url}/registry?new=choose`)
  await page.getByRole("button", { name: /^Agent Call/ }).waitFor()
  await expectAccessible(page, "html", rules)
  await keepShot(page, `registry-choose-phone-${theme}`)
  await page.goto(`${place.console.server.url}/registry?tool=registry.org.main.read_item`)
  await drawer(page).getByRole("tab", { name: "Schema" }).waitFor()
  await expectNoSideScroll(page)
  await keepShot(page, `registry-drawer-phone-${theme}`)
  await page.goto(`${place.console.server.url}/registry`)
  await row(page, "ledger").first().waitFor()
  await expectNoSideScroll(page)
  await expectAccessible(page, "html", rules)
  await keepShot(page, `registry-phone-${theme}`)
  await page.goto(`${place.console.server.url}/registry?q=nothing-like-this`)
  await page.getByRole("heading", { name: "No tool fits these filters" }).waitFor()
  await expectAccessible(page, "html", rules)
  expect(problems).toEqual([])
  await page.route("**/api/tools/summary**", (route) =>
    route.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify({ error: { code: "forbidden", message: "No." } }) }),
  )
  await page.goto(`${place.console.server.url}/registry`)
  await page.getByRole("alert").waitFor()
  await expectAccessible(page, "html", rules)
  await context.close()
})
