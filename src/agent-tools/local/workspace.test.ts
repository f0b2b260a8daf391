// No path leaves the workspace, by whatever way.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FunctionCallError } from "../function-call-error.ts"
import { holdFolder, openFile } from "./held-folder.ts"
import { locate, locateFolder, openWorkspace, requireWritable } from "./workspace.ts"
import type { Workspace } from "./workspace.ts"

let base: string
let workspace: Workspace
const inside = (path: string): string => join(base, "ws", path)

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "workspace-")))
  mkdirSync(join(base, "ws/src"), { recursive: true })
  mkdirSync(join(base, "outside"))
  mkdirSync(join(base, "ws-other"))
  writeFileSync(join(base, "outside/secret.txt"), "secret")
  writeFileSync(join(base, "ws-other/secret.txt"), "secret")
  writeFileSync(inside("src/a.txt"), "a")
  workspace = openWorkspace(join(base, "ws"))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const refusal = async (path: string): Promise<string> => {
  const error: unknown = await locate(workspace, path).then(
    () => new Error(`${path} was accepted`),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof FunctionCallError)) throw error
  expect(error.kind).toBe("respond_to_model")
  return error.message
}
const read = async (path: string): Promise<string> => {
  const handle = await openFile(workspace, await locate(workspace, path))
  try {
    return await handle.readFile("utf8")
  } finally {
    await handle.close()
  }
}

describe("paths that stay inside", () => {
  test.each(["src/a.txt", "./src/../src/a.txt", "src//a.txt"])("%s", async (path) => {
    expect(await read(path)).toBe("a")
  })

  test("absolute ones, also by the name that the workspace was given", async () => {
    symlinkSync(join(base, "ws"), join(base, "alias"))
    const named = openWorkspace(join(base, "alias"))
    expect((await locate(named, join(base, "alias/src/a.txt"))).path).toBe(inside("src/a.txt"))
    expect((await locate(named, inside("src/a.txt"))).path).toBe(inside("src/a.txt"))
  })

  test("links that stay inside lead to what they mean", async () => {
    symlinkSync("src", inside("link"))
    symlinkSync(inside("link/a.txt"), inside("b.txt"))
    expect(await locate(workspace, "b.txt")).toMatchObject({ path: inside("src/a.txt"), shown: "src/a.txt" })
    expect(await read("link/a.txt")).toBe("a")
  })

  test("what does not exist is placed under the real folder", async () => {
    symlinkSync("src", inside("link"))
    expect(await locate(workspace, "link/new/deep.txt")).toEqual({
      path: inside("src/new/deep.txt"),
      shown: "src/new/deep.txt",
      stats: null,
      isLink: false,
    })
  })
})

describe("paths that leave", () => {
  test.each([
    "..",
    "../outside/secret.txt",
    "src/../../outside/secret.txt",
    "/etc/passwd",
    "/",
    "../ws-other/secret.txt",
    "src/../../ws-other/secret.txt",
  ])("%s", async (path) => {
    expect(await refusal(path)).toContain("tools work inside the workspace")
  })

  test("through a link to a file, to a folder, and to a link", async () => {
    symlinkSync(join(base, "outside/secret.txt"), inside("file"))
    symlinkSync("../outside", inside("folder"))
    symlinkSync("folder", inside("again"))
    for (const path of ["file", "folder", "folder/secret.txt", "again/secret.txt", "again/new.txt", "folder/../folder/secret.txt"]) {
      expect(await refusal(path)).toMatch(/leads out of it; tools work inside the workspace/)
    }
  })

  test("through a link that leads to nothing, inside or outside", async () => {
    symlinkSync(join(base, "outside/not-yet"), inside("dangling"))
    symlinkSync("nothing", inside("empty"))
    expect(await refusal("dangling")).toContain("the link 'dangling' leads to nothing")
    expect(await refusal("empty/x")).toContain("the link 'empty' leads to nothing")
  })

  test("through a loop of links", async () => {
    symlinkSync("loop-b", inside("loop-a"))
    symlinkSync("loop-a", inside("loop-b"))
    expect(await refusal("loop-a/x")).toContain("leads to itself")
  })

  test("through /proc", async () => {
    symlinkSync("/proc/self/root/etc", inside("proc"))
    expect(await refusal("proc/passwd")).toContain("leads out of it")
  })

  test("a folder whose name begins like the workspace's is not inside", async () => {
    expect(await refusal(join(base, "ws-other/secret.txt"))).toContain("inside the workspace")
  })
})

describe("a link swapped in after the check", () => {
  test("as the file: it is not followed", async () => {
    const place = await locate(workspace, "src/a.txt")
    rmSync(inside("src/a.txt"))
    symlinkSync(join(base, "outside/secret.txt"), inside("src/a.txt"))
    await expect(openFile(workspace, place)).rejects.toThrow("replaced by one")
  })

  test("as a folder on the way: it is not followed", async () => {
    writeFileSync(join(base, "outside/a.txt"), "secret")
    const place = await locate(workspace, "src/a.txt")
    renameSync(inside("src"), inside("moved"))
    symlinkSync(join(base, "outside"), inside("src"))
    await expect(openFile(workspace, place)).rejects.toThrow("replaced by a link")
    await expect(holdFolder(workspace, dirname(place.path), [])).rejects.toThrow("replaced by a link")
  })

  test("as a folder that is already held: its files are still those of the folder", async () => {
    if (process.platform !== "linux") return
    const folder = await holdFolder(workspace, inside("src"))
    writeFileSync(join(base, "outside/a.txt"), "secret")
    renameSync(inside("src"), inside("moved"))
    symlinkSync(join(base, "outside"), inside("src"))
    writeFileSync(folder.at("b.txt"), "b")
    await folder.close()
    expect(await read("moved/b.txt")).toBe("b")
  })
})

describe("bad paths", () => {
  test("empty, with NUL, too long", async () => {
    expect(await refusal("")).toBe("the path must not be empty")
    expect(await refusal("a\0b")).toContain("NUL")
    expect(await refusal("a".repeat(5000))).toContain("at most 4096 characters")
    expect(await refusal("a".repeat(300))).toContain("too long")
  })

  test("a file where a folder should be", async () => {
    expect(await refusal("src/a.txt/b")).toBe("cannot use 'src/a.txt/b': 'src/a.txt' is a file, so nothing can be in it")
  })

  test("escape sequences in a path do not reach the reader", async () => {
    expect(await refusal("/\u001b[31mred")).not.toContain("\u001b")
  })

  test("pipes, sockets and devices are refused without waiting", async () => {
    execFileSync("mkfifo", [inside("pipe")])
    const server = createServer()
    await new Promise<void>((listening) => server.listen(inside("socket"), listening))
    for (const name of ["pipe", "socket"]) {
      await expect(openFile(workspace, await locate(workspace, name))).rejects.toThrow("not a regular file")
    }
    await new Promise((closed) => server.close(closed))
    const devices = openWorkspace("/dev")
    await expect(openFile(devices, await locate(devices, "null"))).rejects.toThrow("not a regular file")
  })

  test("a missing file and a folder", async () => {
    await expect(openFile(workspace, await locate(workspace, "nope"))).rejects.toThrow("cannot use 'nope': there is no such file")
    await expect(openFile(workspace, await locate(workspace, "src"))).rejects.toThrow("it is a folder")
  })

  test("a workspace that is not there", () => {
    expect(() => openWorkspace(inside("nope"))).toThrow("is not a folder. Name one that exists.")
    expect(() => openWorkspace(inside("src/a.txt"))).toThrow("is not a folder")
  })
})

test("hidden folders do not exist for tools, by any name", async () => {
  mkdirSync(inside("data"))
  writeFileSync(inside("data/key"), "key")
  symlinkSync("data", inside("other"))
  workspace = openWorkspace(join(base, "ws"), [inside("data")])
  for (const path of ["data", "data/key", "other/key", "data/new"]) expect(await refusal(path)).toContain("not available to tools")
})

test("folders that Git and agents act on are read-only", async () => {
  mkdirSync(inside(".git/hooks"), { recursive: true })
  writeFileSync(inside(".git/config"), "[core]")
  symlinkSync(".git", inside("git"))
  expect(await read(".git/config")).toBe("[core]")
  for (const path of [".git/hooks/pre-commit", "git/config", "sub/.GIT/config", ".codex/config.toml", ".git"]) {
    const place = await locate(workspace, path)
    expect(() => requireWritable(workspace, place)).toThrow("read-only for tools")
  }
  const harmless = await locate(workspace, ".gitignore")
  expect(() => requireWritable(workspace, harmless)).not.toThrow()
})

test("commands start in folders of the workspace only", async () => {
  expect(await locateFolder(workspace, "src")).toBe(inside("src"))
  expect(await locateFolder(workspace, ".")).toBe(join(base, "ws"))
  await expect(locateFolder(workspace, "src/a.txt")).rejects.toThrow("it is not a folder")
  await expect(locateFolder(workspace, "nope")).rejects.toThrow("there is no such folder")
  await expect(locateFolder(workspace, "..")).rejects.toThrow("inside the workspace")
})
