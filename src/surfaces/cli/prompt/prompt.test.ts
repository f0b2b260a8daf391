// Questions reach a terminal, hide secrets, and are never asked where nobody is.
import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { confirmLoss } from "./confirm.ts"
import { createColors } from "../print/colors.ts"
import { askChoice, askSecret, askText, askYesNo } from "./prompt.ts"
import type { Screen } from "../print/screen.ts"

const screenThat = (canPrompt: boolean): Screen => ({
  data: () => {},
  note: () => {},
  out: createColors(false),
  err: createColors(false),
  columns: null,
  isErrTerminal: canPrompt,
  canPrompt,
})

/** A terminal at which these keys are pressed once something is asked. */
function terminal(keys: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  let shown = ""
  output.on("data", (chunk: Buffer) => {
    if (shown === "") setTimeout(() => keys.split("").forEach((key) => input.write(key)), 20)
    shown += chunk.toString()
  })
  return { streams: { input, output }, shown: () => shown }
}

const question = { message: "The token?", flag: "--secret-stdin or --env NAME" }

test("a secret is asked for and not shown", async () => {
  const { streams, shown } = terminal("s3cret\r")
  expect(await askSecret(question, screenThat(true), streams)).toBe("s3cret")
  expect(shown()).toContain("The token?")
  expect(shown()).not.toContain("s3cret")
})

test("text, choices and decisions", async () => {
  expect(await askText(question, screenThat(true), terminal("ada\r").streams)).toBe("ada")
  const choices = [
    { value: "a", label: "First" },
    { value: "b", label: "Second\u001b[2J", hint: "\u202eevil" },
  ]
  const { streams, shown } = terminal("j\r")
  expect(await askChoice(question, choices, screenThat(true), streams)).toBe("b")
  expect(shown()).not.toContain("\u001b[2J\u001b")
  expect(shown()).not.toContain("\u202e")
  expect(await askYesNo(question, screenThat(true), terminal("y\r").streams)).toBe(true)
  for (const keys of ["n\r", "\r", "NO\r"]) expect(await askYesNo(question, screenThat(true), terminal(keys).streams)).toBe(false)
})

test("leaving a question leaves everything", async () => {
  await expect(askText(question, screenThat(true), terminal("\u0003").streams)).rejects.toThrow("Nothing was done")
  const { streams, shown } = terminal("\u0003")
  await expect(askYesNo(question, screenThat(true), streams)).rejects.toThrow("Nothing was done")
  expect(shown()).toMatch(/\[y\/N\] [^\n]*\n$/)
})

test("a terminal that goes away answers nothing", async () => {
  const { streams } = terminal("")
  const asked = askText(question, screenThat(true), streams)
  setTimeout(() => streams.input.end(), 50)
  await expect(asked).rejects.toThrow("Nothing was done")
})

test("where nobody can be asked, the flag is named", async () => {
  await expect(askSecret(question, screenThat(false))).rejects.toThrow("pass --secret-stdin or --env NAME")
  await expect(askChoice(question, [], screenThat(false))).rejects.toThrow("This is not a terminal")
})

test("a script is not asked before a removal", async () => {
  await expect(confirmLoss("Remove it?", {}, screenThat(false))).resolves.toBeUndefined()
  await expect(confirmLoss("Remove it?", { yes: true }, screenThat(true))).resolves.toBeUndefined()
})

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [true, { TERM: "dumb" }, false],
  [false, { FORCE_COLOR: "1" }, true],
  [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  [false, { CI: "1" }, false],
])("a terminal %j with %j has colours: %j", (isTerminal, env, isColoured) => {
  expect(createColors(isTerminal, env).isColorSupported).toBe(isColoured)
})
