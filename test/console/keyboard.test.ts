// Every page of the console by keyboard alone, for somebody who asks for less motion.
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Console } from "./console.ts"
import { openSignedIn, startConsoleOf } from "./console.ts"
import type { FilledServer } from "./filled.ts"
import { startFilledServer } from "./filled.ts"
import { addressOf, entryOf, routePaths } from "./route-table.ts"
import { eachPage, everyAddress, walkMs } from "./walk.ts"

let app: Console<FilledServer>
beforeAll(async () => {
  app = await startConsoleOf(startFilledServer)
})
afterAll(() => app.close())

type Focused = { readonly what: string; readonly isSeen: boolean } | null

/** What the focus is on, and whether one can see that it is there. */
const focused = async (page: Page): Promise<Focused> =>
  (await page.evaluate(`(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return null
  const hasOutline = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0
  }
  const isSeen = (element) => hasOutline(element) || getComputedStyle(element).boxShadow !== "none"
  // Of a list, the row that is chosen shows it; of an editor, the frame around it.
  const active = document.getElementById(at.getAttribute("aria-activedescendant") ?? "")
  const editor = at.closest(".cm-editor")
  return {
    what: at.outerHTML.slice(0, 160),
    isSeen: isSeen(at) || (active !== null && isSeen(active)) || (editor !== null && hasOutline(editor)),
  }
})()`)) as Focused // made above

/** What moves, or will once it changes. */
const moving = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll("*")].flatMap((element) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(element)
  const lasts = (text) => text.split(",").some((one) => Number.parseFloat(one) > 0.01)
  const why = animationName !== "none" && lasts(animationDuration) ? animationName : lasts(transitionDuration) ? "transition" : null
  return why === null ? [] : [why + ": " + element.outerHTML.slice(0, 160)]
}).join("\\n")`)

const tabsMax = 30

/** The focus goes on, and is seen at each stop. */
async function walkByTab(page: Page): Promise<void> {
  const seen = new Set<string>()
  for (let count = 0; count < tabsMax; count += 1) {
    await page.keyboard.press("Tab")
    const at = await focused(page)
    if (at === null) break
    expect(at.isSeen ? null : at.what).toBe(null)
    seen.add(at.what)
  }
  expect(seen.size).toBeGreaterThan(0)
}

test(
  "by keyboard alone the content is reached, the focus is always seen, and nothing moves for whoever asks for it",
  async () => {
    const { context, origin } = await openSignedIn(app.browser, app.server, { reducedMotion: "reduce" })
    const inFrame = new Set(routePaths.filter((path) => entryOf(path).title !== null).map((path) => addressOf(path, app.server.ids)))
    await eachPage(
      context,
      everyAddress(app.server.ids),
      async (page, address) => {
        const isOpen = (await page.getByRole("dialog").count()) > 0
        if (inFrame.has(address)) {
          await page.keyboard.press("Tab")
          expect(await page.evaluate("document.activeElement?.textContent")).toBe("Skip to content")
          expect(await focused(page)).toMatchObject({ isSeen: true })
          await page.keyboard.press("Enter")
          expect(await page.evaluate("document.activeElement?.id")).toBe("main")
        }
        await walkByTab(page)
        expect(await moving(page)).toBe("")
        if (isOpen) {
          // What explains the focused control closes first.
          if ((await page.getByRole("tooltip").count()) > 0) await page.keyboard.press("Escape")
          await page.keyboard.press("Escape")
          await page.getByRole("dialog").first().waitFor({ state: "detached" })
        }
        await page.keyboard.press("Control+k")
        await page.getByRole("combobox").first().waitFor()
        expect(await moving(page)).toBe("")
        await page.keyboard.press("Escape")
      },
      origin,
    )
    await context.close()
  },
  walkMs,
)
