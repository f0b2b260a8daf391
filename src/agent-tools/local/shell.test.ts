// `shell` as a model uses it: arguments, outputs, timeouts, questions to a human, and what is refused.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { FunctionCallError } from "../function-call-error.ts"
import { ToolRouter } from "../router.ts"
import { ToolCallRuntime } from "../runtime.ts"
import { chooseSandbox } from "../shell-sandbox/choose.ts"
import type { ApprovalQuestion, ToolInvocation, ToolOutput, ToolPayload, ToolSession } from "../tool.ts"
import { ShellHandler } from "./shell.ts"
import type { ShellOptions } from "./shell.ts"
import { readableText } from "./shell-output.ts"
import { openShellWorkspace } from "./shell-tools.ts"
import { TurnDiffTracker } from "./turn-diff-tracker.ts"

let folder = ""
let workspace = ""
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "executor-shell-test-")))
  workspace = join(folder, "workspace")
  mkdirSync(join(workspace, "sub"), { recursive: true })
  symlinkSync(folder, join(workspace, "up"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { driver } = chooseSandbox()
const patientMs = 60_000

function handlerOf(options: Partial<ShellOptions> = {}): ShellHandler {
  return new ShellHandler({ workspace: openShellWorkspace(workspace), sandbox: { driver }, ...options })
}

const payloadOf = (args: unknown): ToolPayload => ({ type: "function", arguments: JSON.stringify(args) })

function invocationOf(payload: ToolPayload, session: ToolSession = {}, signal = new AbortController().signal): ToolInvocation {
  const turn = { toolCallGate: { waitReady: async () => {} } }
  return { session, turn, tracker: new TurnDiffTracker(), callId: "call", toolName: "shell", payload, signal }
}

type Answer = { readonly output: string; readonly metadata: { readonly exit_code: number; readonly duration_seconds: number } }

function answerOf(output: ToolOutput): Answer & { readonly success: boolean | undefined } {
  if (output.type !== "function") throw new Error("shell answers as a function")
  return { ...(JSON.parse(output.content) as Answer), success: output.success }
}

const call = async (args: object, options: Partial<ShellOptions> = {}, session: ToolSession = {}) =>
  answerOf(await handlerOf(options).handle(invocationOf(payloadOf({ timeout_ms: patientMs, ...args }), session)))

const refusal = async (args: object, options: Partial<ShellOptions> = {}, session: ToolSession = {}): Promise<string> =>
  handlerOf(options)
    .handle(invocationOf(payloadOf(args), session))
    .then(
      () => "it ran",
      (error: FunctionCallError) => `${error.kind}: ${error.message}`,
    )

describe.runIf(driver !== null)("in the sandbox", () => {
  test("a command is answered with its output, its code and its duration", async () => {
    const answer = await call({ command: ["bash", "-lc", "pwd; echo problem >&2; exit 3"], workdir: "sub" })
    expect(answer).toEqual({
      output: `${workspace}/sub\nproblem\n`,
      metadata: { exit_code: 3, duration_seconds: expect.any(Number) },
      success: false,
    })
    expect(await call({ command: ["true"] })).toMatchObject({ output: "", metadata: { exit_code: 0 }, success: true })
  })

  test("a command that may write makes the diff of the turn incomplete, one that reads does not", async () => {
    for (const [command, isComplete] of [
      [["ls"], true],
      [["touch", "file"], false],
    ] as const) {
      const invocation = invocationOf(payloadOf({ command, timeout_ms: patientMs }))
      await handlerOf().handle(invocation)
      expect(invocation.tracker.isComplete).toBe(isComplete)
    }
  })

  test("the model's own shell tool is answered by the same handler", async () => {
    const payload: ToolPayload = { type: "local_shell", params: { command: ["pwd"], workdir: "sub", timeoutMs: patientMs } }
    expect(answerOf(await handlerOf().handle(invocationOf(payload)))).toMatchObject({ output: `${workspace}/sub\n`, success: true })
  })

  test("a command that takes too long is stopped, and what it wrote is shown", async () => {
    const answer = await call({ command: ["sh", "-c", "echo begun; sleep 86400"], timeout_ms: 5000 })
    expect(answer).toMatchObject({ metadata: { exit_code: 124 }, success: false })
    expect(answer.output).toMatch(/^command timed out after 5000 milliseconds\n(?:begun\n)?$/)
  })

  test("a command that uses too much is stopped, and it is said of what", async () => {
    const bomb = { command: ["sh", "-c", "for i in $(seq 200); do sleep 86400 & done; wait"] }
    const answer = await call(bomb, { limits: { processesMax: 20 } })
    expect(answer.success).toBe(false)
    expect(answer.output).toMatch(/command was stopped: it started more than 20 processes|fork/i)
  })

  test("colours and progress bars are not shown, and other control characters are visible", async () => {
    const text = String.raw`printf '\033[31mred\033[0m 10%%\r 50%%\r100%%\nbell\007 \033]0;title\007end\n'`
    expect((await call({ command: ["sh", "-c", text] })).output).toBe("100%\nbell\\u0007 end\n")
  })

  test("an output over the budget is cut inside of the JSON, with one marker", async () => {
    const command = ["sh", "-c", `printf first; yes '"' | head -c 500000; printf last`]
    const raw = await handlerOf().handle(invocationOf(payloadOf({ command, timeout_ms: patientMs })))
    expect(raw.type === "function" && Buffer.byteLength(raw.content)).toBeLessThanOrEqual(40_000)
    const { output } = answerOf(raw)
    expect(output).toMatch(/^first"[^]*"\nlast$/)
    expect(output.match(/tokens truncated/g)).toHaveLength(1)
  })

  test("cancelled, the runtime answers with the time it took", async () => {
    const router = ToolRouter.fromConfig({ workspace }, new Map(), [])
    const runtime = new ToolCallRuntime({ router, session: {}, turn: { toolCallGate: { waitReady: async () => {} } } })
    const controller = new AbortController()
    const item = { type: "function_call", name: "shell", call_id: "c", arguments: JSON.stringify({ command: ["sleep", "86400"] }) }
    const toolCall = router.buildToolCall(item)
    if (toolCall === null) throw new Error("the call is routed")
    const output = runtime.handleToolCall(toolCall, controller.signal)
    controller.abort()
    expect(await output).toMatchObject({ output: { content: expect.stringMatching(/^Wall time: \d+\.\d seconds\naborted by user$/) } })
  })

  test("a folder outside, also through a link, is refused", async () => {
    expect(await refusal({ command: ["ls"], workdir: ".." })).toContain("respond_to_model: cannot use '..'")
    expect(await refusal({ command: ["ls"], workdir: "up" })).toContain("leads out of it")
    expect(await refusal({ command: ["ls"], workdir: "none" })).toContain("there is no such folder")
  })

  test("keys inside the workspace do not exist for commands, or the command is refused", async () => {
    const inside = join(folder, "with-data")
    mkdirSync(join(inside, "data"), { recursive: true })
    writeFileSync(join(inside, "data/secret.key"), "key")
    const options = { workspace: openShellWorkspace(inside, join(inside, "data")) }
    const said =
      driver?.name === "landlock" ? refusal({ command: ["ls"] }, options) : call({ command: ["cat", "data/secret.key"] }, options)
    expect(await said).toEqual(
      driver?.name === "landlock" ? expect.stringContaining("install bubblewrap") : expect.objectContaining({ success: false }),
    )
  })
})

test("a workspace that is inside the data directory, or is everything, is refused", () => {
  expect(() => openShellWorkspace(workspace, folder)).toThrow(`is inside '${folder}', where keys are kept`)
  expect(() => openShellWorkspace("/", folder)).toThrow("cannot be the whole file system")
})

test.each([
  [{}, `command must be an array of strings, e.g. ["bash", "-lc", "ls"]`],
  [{ command: "ls" }, "command must be an array of strings"],
  [{ command: [] }, "command must name a program"],
  [{ command: ["ls", 1] }, "command must be an array of strings"],
  [{ command: ["a\0b"] }, "NUL"],
  [{ command: ["x".repeat(200_000)] }, "Write the script to a file"],
  [{ command: ["ls"], timeout_ms: "soon" }, "timeout_ms must be a number"],
  [{ command: ["ls"], workdir: 1 }, "workdir must be a string"],
  [{ command: ["ls"], sandbox_permissions: "all" }, "use_default or require_escalated"],
])("arguments that make no sense are answered with what is wrong: %j", async (args, text) => {
  expect(await refusal(args)).toMatch(/^respond_to_model: failed to parse function arguments: /)
  expect(await refusal(args)).toContain(text)
})

describe("without the sandbox", () => {
  const escalated = {
    command: ["sh", "-c", "echo $TOOLPLANE_SHELL_COMMAND | wc -c; cat ../beside"],
    sandbox_permissions: "require_escalated",
    justification: "it is beside",
  }
  const questions: ApprovalQuestion[] = []
  const answering = (isApproved: boolean): ToolSession => ({
    approve: async (question) => {
      questions.push(question)
      return isApproved
    },
  })

  test("a human is asked, with the command and the reason, and decides", async () => {
    writeFileSync(join(folder, "beside"), "outside\n")
    expect(await call(escalated, {}, answering(true))).toMatchObject({ output: "37\noutside\n", success: true })
    expect(questions.at(-1)).toMatchObject({
      callId: "call",
      message: expect.stringMatching(/^Run without a sandbox: sh -c "echo .*" Reason given: it is beside$/),
      details: { command: escalated.command, workdir: ".", justification: "it is beside" },
    })
    expect(await refusal(escalated, {}, answering(false))).toBe("respond_to_model: rejected by user")
  })

  test("a command that is too long to be shown says so, and shows its end", async () => {
    const command = ["sh", "-c", `: ${"x".repeat(5000)}; echo the end of it`]
    await refusal({ ...escalated, command }, {}, answering(false))
    expect(questions.at(-1)?.message).toMatch(
      /^Run without a sandbox: sh -c ": x+ \[…\d{4} characters are not shown here…\] x+; echo the end of it" /,
    )
  })

  test("nobody to ask, or a policy that says so, refuses it", async () => {
    expect(await refusal(escalated)).toContain("nobody can be asked here")
    expect(await refusal(escalated, { approvalPolicy: "never" }, answering(true))).toBe(
      "respond_to_model: approval policy is Never; reject command — you should not ask for escalated permissions if the approval policy is Never",
    )
  })

  test("where there is none, every command asks", async () => {
    const options = { sandbox: { driver: null } }
    const before = questions.length
    expect(await call({ command: ["echo", "x"] }, options, answering(true))).toMatchObject({ output: "x\n" })
    expect(questions.length).toBe(before + 1)
    expect(await refusal({ command: ["echo"] }, options)).toContain("a human has to approve every command")
    expect(await refusal({ command: ["echo"] }, { ...options, approvalPolicy: "never" }, answering(true))).toContain(
      "approval policy is Never",
    )
  })

  test("secrets are removed, leftovers end, and a program that is not there is said", async () => {
    const options = { sandbox: { driver: null }, env: { PATH: process.env["PATH"], MY_TOKEN: "x", HOME: "/nowhere" } }
    const { output } = await call({ command: ["sh", "-c", "env; setsid sleep 86400 & sleep 86400 & exit"] }, options, answering(true))
    expect(output).toContain("HOME=/nowhere")
    expect(output).not.toContain("MY_TOKEN")
    expect(await refusal({ command: ["no-such-program"] }, options, answering(true))).toContain("there is no program 'no-such-program'")
    expect(
      await call({ command: ["sh", "-c", "(setsid sleep 86400 &); sleep 86400"], timeout_ms: 500 }, options, answering(true)),
    ).toMatchObject({
      metadata: { exit_code: 124 },
    })
  })
})

test("a call changes something unless every part of its command is known to read", async () => {
  const isMutating = (command: readonly string[]): Promise<boolean> => handlerOf().isMutating(invocationOf(payloadOf({ command })))
  expect(await isMutating(["bash", "-lc", "ls && git status | head -3"])).toBe(false)
  expect(await isMutating(["bash", "-lc", "ls > x"])).toBe(true)
  expect(await isMutating(["touch", "x"])).toBe(true)
})

test("the router offers `shell` where it can be confined, or as the config says", () => {
  const names = (config: Parameters<typeof ToolRouter.fromConfig>[0]): readonly string[] =>
    ToolRouter.fromConfig(config, new Map(), []).specs.map(({ name }) => name)
  expect(names({})).not.toContain("shell")
  expect(names({ workspace }).includes("shell")).toBe(driver !== null)
  expect(names({ workspace, shell: "off" })).not.toContain("shell")
  expect(names({ workspace, shell: "unsandboxed" })).toContain("shell")
  expect(ToolRouter.fromConfig({ workspace, shell: "unsandboxed" }, new Map(), []).toolSupportsParallel("shell")).toBe(true)
})

test("texts are shown as a terminal would leave them", () => {
  expect(readableText("a\r\nb\r\n")).toBe("a\nb\n")
  expect(readableText("1%\r2%\r\n3%\r")).toBe("2%\n3%")
  expect(readableText("\u001b[2J\u001b[1;1Hx\u009b31my\u202e")).toBe("xy\\u202e")
})
