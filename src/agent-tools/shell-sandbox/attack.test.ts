// Attacks from inside, on every driver that works here: what must not be read, written, reached or left behind.
import { spawn, spawnSync } from "node:child_process"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { existsSync, openSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo, Server } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import koffi from "koffi"
import { describe, expect, test, vi } from "vitest"
import { sandboxDrivers, tryDriver } from "./choose.ts"
import { attackProgram, confinedCommand, openGround, processesWith, run, script, secretText, uniqueSeconds } from "./testing/confined.ts"

const reports = sandboxDrivers.map((driver) => ({ driver, report: tryDriver(driver) }))
const isLinux = process.platform === "linux"
const runnerFile = fileURLToPath(new URL("./testing/runner.ts", import.meta.url))
const exited = { kind: "exited", exitCode: 0 }
const nonBlocking = 0o4000

const descriptorFlags = (pid: number, descriptor: number): number =>
  Number.parseInt(/^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, "utf8"))?.[1] ?? "", 8)

describe("drivers", () => {
  test.runIf(isLinux)("Landlock works wherever the kernel has it", () => {
    const syscall = koffi.load(null).func("long syscall(long number, long a, long b, long c, long d, long e, long f)")
    const hasLandlock = syscall(444, 0, 0, 1, 0, 0, 0) >= 6
    expect(reports.find(({ driver }) => driver.name === "landlock")?.report.works).toBe(hasLandlock)
  })

  test.runIf(isLinux)("bubblewrap works wherever it can make its namespaces", () => {
    const byHand = ["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
    const isThere = spawnSync("bwrap", byHand).status === 0
    expect(reports.find(({ driver }) => driver.name === "bubblewrap")?.report.works).toBe(isThere)
  })
})

describe.each(reports)("$driver.name", ({ driver, report }) => {
  // A driver that is left out says why in the name of this test.
  if (!report.works) {
    test(`is left out: ${report.reason}`, () => expect(report.reason).not.toBe(""))
    return
  }

  test("a command works: it reads programs, writes to the workspace, and has a folder for temporary files", async () => {
    using ground = openGround()
    writeFileSync(join(ground.workspace, "in.txt"), "hello")
    const text = `cat in.txt > out.txt && mkdir sub && mv out.txt sub/ && cat sub/out.txt && rm in.txt
      echo x > "$TMPDIR/t" && cat "$TMPDIR/t" && cd "$HOME" && mkfifo f && ln -s f g && echo err >&2 && node -p 6*7 && cat <<< now | sort`
    const { end, output } = await run(driver, ground, ["bash", "-lc", text])
    expect({ end, output }).toEqual({ end: exited, output: expect.stringMatching(/^hellox\nerr\n42\nnow\n$/) })
    expect(readFileSync(join(ground.workspace, "sub/out.txt"), "utf8")).toBe("hello")
    expect(readdirSync(ground.workspace)).toEqual(["sub"])
  })

  test("exit codes and signals are those of the command", async () => {
    using ground = openGround()
    expect((await run(driver, ground, script("exit 7"))).end).toEqual({ kind: "exited", exitCode: 7 })
    expect((await run(driver, ground, script("kill -TERM $$"))).end).toEqual({ kind: "exited", exitCode: 143 })
    expect((await run(driver, ground, ["no-such-program"])).end).toEqual({ kind: "exited", exitCode: 127 })
  })

  test("a command waits for its output to be read: neither descriptor is non-blocking", async () => {
    using ground = openGround()
    const seconds = uniqueSeconds()
    const controller = new AbortController()
    const running = run(driver, ground, script(`echo > ready; exec sleep ${seconds}`), { signal: controller.signal })
    await vi.waitFor(() => expect(existsSync(join(ground.workspace, "ready"))).toBe(true), { timeout: 60_000 })
    const flags = processesWith(seconds).flatMap((pid) => [1, 2].map((descriptor) => descriptorFlags(pid, descriptor)))
    controller.abort()
    await running
    expect(flags.length).toBeGreaterThan(0)
    expect(flags.filter((flag) => (flag & nonBlocking) !== 0)).toEqual([])
  })

  test("the data directory cannot be read, by any way", async () => {
    using ground = openGround()
    const key = join(ground.dataDir, "secret.key")
    symlinkSync(key, join(ground.workspace, "link"))
    symlinkSync(ground.dataDir, join(ground.workspace, "folder"))
    const ways = [
      `cat '${key}'`,
      `ls '${ground.dataDir}'`,
      "cat link folder/secret.key",
      `ln '${key}' hard && cat hard`,
      `mv '${key}' moved && cat moved`,
      `cat /proc/${process.pid}/root'${key}'`,
      `cat /proc/${process.pid}/cwd/package.json`,
      `cat "/proc/$PPID/root${key}"`,
      `exec 5<'${key}' && cat <&5`,
      `cp -r '${ground.dataDir}' copy && cat copy/*`,
      `tar cf - '${ground.dataDir}'`,
    ]
    for (const way of ways) {
      const { end, output } = await run(driver, ground, script(way))
      expect({ way, end, isLeaked: output.includes(secretText) }).toEqual({
        way,
        end: { kind: "exited", exitCode: expect.toSatisfy((code) => code !== 0) },
        isLeaked: false,
      })
    }
    expect(readFileSync(key, "utf8")).toBe(secretText)
  })

  test("a data directory inside the workspace is hidden, or the workspace refused", async () => {
    using ground = openGround()
    const hidden = [ground.dataDir]
    const inside = { ...ground, workspace: ground.folder }
    const obstacle = driver.obstacle(confinedCommand(inside, ["ls"], { hidden }))
    if (driver.name === "landlock") {
      expect(obstacle).toContain(ground.dataDir)
      return
    }
    expect(obstacle).toBeNull()
    const { output } = await run(driver, inside, script("cat data/secret.key; ls -A data; echo x > data/new"), { hidden })
    expect(output).not.toContain(secretText)
    expect(readdirSync(ground.dataDir)).toEqual(["secret.key"])
  })

  test("the environment and the memory of processes outside cannot be read", async () => {
    using ground = openGround()
    const own = attackProgram(
      `const fs = require("node:fs")
      const tries = []
      for (const pid of [${process.pid}, process.ppid]) for (const name of ["environ", "maps", "io", "mem", "fd/0"]) {
        if (pid === 0) continue
        try { name === "fd/0" ? fs.readlinkSync("/proc/" + pid + "/fd/0") : name === "mem" ? fs.openSync("/proc/" + pid + "/mem") : fs.readFileSync("/proc/" + pid + "/" + name); tries.push(pid + name) } catch {}
      }
      print(tries)`,
    )
    // Under bubblewrap, the parent is the first process of the namespace, which is inside; this process has no number there.
    const { output } = await run(driver, ground, own, { env: { PATH: "/usr/bin" } })
    const read = JSON.parse(output) as readonly string[]
    expect(driver.name === "bubblewrap" ? read.filter((name) => name.startsWith(String(process.pid))) : read).toEqual([])
  })

  test("secrets are not in the environment, and the home of the user is not its home", async () => {
    using ground = openGround()
    vi.stubEnv("MY_API_KEY", secretText)
    vi.stubEnv("EXECUTOR_TOKEN", secretText)
    vi.stubEnv("SOME_DSN", `postgres://user:${secretText}@host/db`)
    vi.stubEnv("SSH_AUTH_SOCK", secretText)
    const { confinedEnvironment } = await import("./command-environment.ts")
    const { output } = await run(driver, ground, ["env"], { env: confinedEnvironment(process.env, () => false) })
    vi.unstubAllEnvs()
    expect(output).toContain("PATH=")
    expect(output).not.toContain(secretText)
    expect(output).not.toMatch(new RegExp(`^HOME=${process.env["HOME"]}$`, "m"))
  })

  test("nothing outside the workspace can be written, removed or given other rights", async () => {
    using ground = openGround()
    const outside = join(ground.folder, "outside")
    writeFileSync(outside, "old", { mode: 0o644 })
    symlinkSync(outside, join(ground.workspace, "link"))
    symlinkSync(ground.folder, join(ground.workspace, "up"))
    const ways = [
      `echo new > '${outside}'`,
      `echo new >> '${outside}'`,
      "echo new > link",
      "echo new > up/made",
      "echo new > ../made",
      `rm '${outside}'`,
      "rm -r up/data",
      `mv '${outside}' here`,
      `ln '${outside}' hard && echo new > hard`,
      `mkdir '${ground.folder}/made'`,
      `truncate -s 0 '${outside}'`,
      `chmod 4755 '${outside}'`,
      `chmod o+w '${outside}'`,
      "touch /usr/made",
      "echo x >> /etc/passwd",
      "echo x > /tmp/../made",
      "mknod dev c 1 1",
      "mount -t tmpfs none .",
    ]
    for (const way of ways) {
      const { end } = await run(driver, ground, script(way))
      // Under bubblewrap, folders above the workspace are empty ones in memory: what is written there ends with the command.
      if (driver.name === "landlock")
        expect({ way, end }).toEqual({ way, end: { kind: "exited", exitCode: expect.toSatisfy((code) => code !== 0) } })
    }
    expect(readFileSync(outside, "utf8")).toBe("old")
    expect(statSync(outside).mode & 0o7777).toBe(0o644)
    expect(readdirSync(ground.folder).toSorted()).toEqual(["data", "outside", "workspace"])
    expect(existsSync("/usr/made") || existsSync("/made")).toBe(false)
    expect(readFileSync("/etc/passwd", "utf8")).not.toMatch(/^x$/m)
  })

  test("no socket leads anywhere: TCP, UDP, names, netlink, files and abstract ones", async () => {
    using ground = openGround()
    let contacts = 0
    const listening = async (server: Server, where: object | string): Promise<Server> => {
      server.on("connection", (socket) => {
        contacts += 1
        socket.destroy()
      })
      server.listen(where)
      await once(server, "listening")
      return server
    }
    const tcp = await listening(createServer(), { host: "127.0.0.1", port: 0 })
    const file = await listening(createServer(), join(ground.folder, "socket"))
    const abstract = await listening(createServer(), `\0executor-attack-${process.pid}`)
    const udp = createSocket("udp4").on("message", () => (contacts += 1))
    udp.bind(0, "127.0.0.1")
    await once(udp, "listening")
    const body = `
      const net = require("node:net"), dgram = require("node:dgram"), dns = require("node:dns")
      const tried = {}
      const done = (name) => (error) => { tried[name] ??= error ? error.code : "reached"; if (Object.keys(tried).length === 5) finish() }
      const finish = () => {
        // socket(family, SOCK_STREAM or SOCK_DGRAM or SOCK_RAW), for all families there are
        tried.families = []
        for (let family = 0; family < 46; family += 1) for (const type of [1, 2, 3]) if (call(41, family, type) !== 1) tried.families.push(family)
        print(tried)
        process.exit()
      }
      const connect = (name, where) => net.connect(where).on("connect", () => done(name)(null)).on("error", done(name))
      connect("tcp", ${JSON.stringify({ host: "127.0.0.1", port: (tcp.address() as AddressInfo).port })})
      connect("file", ${JSON.stringify(join(ground.folder, "socket"))})
      connect("abstract", "\\0executor-attack-${process.pid}")
      try { dgram.createSocket("udp4").on("error", done("udp")).send("x", ${udp.address().port}, "127.0.0.1", done("udp")) } catch (error) { done("udp")(error) }
      new dns.Resolver({ tries: 1 }).resolve4("example.com", done("dns"))`
    try {
      const { output, end } = await run(
        driver,
        ground,
        attackProgram(body.replace("call(41,", `call(${process.arch === "arm64" ? 198 : 41},`)),
      )
      expect(end).toEqual(exited)
      const { families, ...tried } = JSON.parse(output) as { readonly families: readonly number[]; readonly [name: string]: unknown }
      expect(Object.keys(tried).toSorted()).toEqual(["abstract", "dns", "file", "tcp", "udp"])
      expect(Object.values(tried)).not.toContain("reached")
      // Under bubblewrap, sockets of the command's own are allowed: those of other programs do not exist in its namespace.
      expect([...new Set(families)]).toEqual(driver.name === "bubblewrap" ? [1] : [])
      expect(contacts).toBe(0)
    } finally {
      for (const server of [tcp, file, abstract]) server.close()
      udp.close()
    }
  })

  test("with the network allowed, servers are reached, but no sockets of other programs on this machine", async () => {
    using ground = openGround()
    const tcp = createServer((socket) => socket.end("hello")).listen({ host: "127.0.0.1", port: 0 })
    const abstract = createServer((socket) => socket.end("hello")).listen(`\0executor-network-${process.pid}`)
    await Promise.all([once(tcp, "listening"), once(abstract, "listening")])
    const body = `
      const net = require("node:net")
      const ask = (where) => new Promise((resolve) => net.connect(where).on("data", (data) => resolve(String(data))).on("error", (error) => resolve(error.code)))
      Promise.all([ask(${(tcp.address() as AddressInfo).port}), ask("\\0executor-network-${process.pid}")]).then(print)`
    try {
      const { output } = await run(driver, ground, attackProgram(body), { network: true })
      expect(JSON.parse(output)).toEqual(["hello", "EPERM"])
    } finally {
      tcp.close()
      abstract.close()
    }
  })

  test.runIf(process.arch === "x64")("system calls that reach into other processes or the kernel are refused", async () => {
    using ground = openGround()
    const numbers: Record<string, readonly number[]> = {
      ptrace_attach: [101, 16, process.pid],
      ptrace_traceme: [101, 0],
      process_vm_readv: [310, process.pid],
      process_vm_writev: [311, process.pid],
      io_uring_setup: [425, 1],
      mount: [165],
      unshare_user: [272, 0x10000000],
      unshare_mount: [272, 0x20000],
      setns: [308, 0, 0],
      clone_user: [56, 0x10000000 | 17],
      keyctl: [250, 0, -3],
      add_key: [248],
      bpf: [321, 0],
      perf_event_open: [298],
      userfaultfd: [323, 1],
      pidfd_getfd: [438, 0, 0],
      open_by_handle_at: [304, 0],
      fsopen: [430],
      chroot: [161],
      kexec_load: [246],
      init_module: [175],
      reboot: [169],
      settimeofday: [164],
      x32_getpid: [39 + 0x40000000],
      x32_socket: [41 + 0x40000000, 2, 1],
    }
    const { output } = await run(
      driver,
      ground,
      attackProgram(`print(Object.fromEntries(Object.entries(${JSON.stringify(numbers)}).map(([name, args]) => [name, call(...args)])))`),
    )
    expect(JSON.parse(output)).toEqual(Object.fromEntries(Object.keys(numbers).map((name) => [name, 1])))
    // Their flags cannot be seen by a filter, so that programs are told to use the older calls.
    expect((await run(driver, ground, attackProgram("print([call(435), call(437)])"))).output).toBe("[38,38]\n")
  })

  test("limits and priorities of processes outside cannot be set", async () => {
    using ground = openGround()
    const bystander = spawn("sleep", [uniqueSeconds()])
    const pid = String(bystander.pid)
    const before = readFileSync(`/proc/${pid}/limits`, "utf8")
    const { output } = await run(
      driver,
      ground,
      script(`prlimit --pid ${pid} --nofile=3:3; renice -n 5 -p ${pid}; ulimit -n 99; ulimit -n`),
    )
    expect(output).toMatch(/^99$/m)
    expect(readFileSync(`/proc/${pid}/limits`, "utf8")).toBe(before)
    bystander.kill("SIGKILL")
    await once(bystander, "exit")
  })

  test("processes outside cannot be signalled, and killing the supervisor saves nothing", async () => {
    using ground = openGround()
    const seconds = uniqueSeconds()
    const bystander = spawn("sleep", [seconds])
    const text = `setsid sleep ${seconds} &
      kill -9 ${process.pid} ${String(bystander.pid)}; kill -9 $PPID; for task in /proc/$PPID/task/*; do kill -9 "\${task##*/}"; done
      echo survived`
    const { output } = await run(driver, ground, script(text))
    // Under bubblewrap, the parent is the namespace's first process: it cannot be killed from inside.
    expect(output).toContain("survived")
    expect(processesWith(seconds)).toEqual([bystander.pid])
    // All that can be signalled, which is the command and what it started.
    await run(driver, ground, script("kill -9 -1"))
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
    bystander.kill("SIGKILL")
    await once(bystander, "exit")
  })

  test("open files of the process that runs it are not inherited", async () => {
    using ground = openGround()
    // The runner inherits two descriptors itself, which Node.js would pass on.
    const key = openSync(join(ground.dataDir, "secret.key"), "r")
    const runner = spawn(
      process.execPath,
      [runnerFile, driver.name, ground.workspace, "for file in /proc/self/fd/*; do readlink $file; done > list; cat <&7; cat <&9"],
      { stdio: ["ignore", "pipe", "inherit", "ignore", "ignore", "ignore", "ignore", key, "ignore", key] },
    )
    const output: Buffer[] = []
    runner.stdout?.on("data", (chunk: Buffer) => output.push(chunk))
    await once(runner, "close")
    expect(Buffer.concat(output).toString()).not.toContain(secretText)
    const open = readFileSync(join(ground.workspace, "list"), "utf8").split("\n")
    expect(open).toContain("/dev/null")
    expect(open.filter((name) => !/^$|^\/dev\/null$|^\/proc\/|^(?:socket|pipe):|\/workspace\/list$/.test(name))).toEqual([])
    expect(open.filter((name) => /^(?:socket|pipe):/.test(name)).length).toBeLessThanOrEqual(2)
  })

  const detached = (seconds: string): string => `sleep ${seconds} & setsid sleep ${seconds} & (setsid sleep ${seconds} &)
    (env -i setsid -f nohup sleep ${seconds} >/dev/null 2>&1 </dev/null)
    trap '' TERM HUP INT; `

  test("a timeout leaves no process behind, also of those that detached themselves", async () => {
    using ground = openGround()
    const seconds = uniqueSeconds()
    const { end, output } = await run(driver, ground, script(`${detached(seconds)} echo begun; sleep ${seconds}`), { timeoutMs: 6000 })
    expect(end).toEqual({ kind: "timed_out", timeoutMs: 6000 })
    expect(output).toContain("begun")
    expect(processesWith(seconds)).toEqual([])
  })

  test("a cancelled command leaves no process behind", async () => {
    using ground = openGround()
    const seconds = uniqueSeconds()
    const controller = new AbortController()
    const running = run(driver, ground, script(`${detached(seconds)} echo > ready; sleep ${seconds}`), { signal: controller.signal })
    await vi.waitFor(() => expect(existsSync(join(ground.workspace, "ready"))).toBe(true), { timeout: 60_000 })
    controller.abort()
    expect((await running).end).toEqual({ kind: "cancelled" })
    expect(processesWith(seconds)).toEqual([])
  })

  test("a command that ends leaves no daemon behind, and its output ends with it", async () => {
    using ground = openGround()
    const seconds = uniqueSeconds()
    const { end } = await run(driver, ground, script(`${detached(seconds)} exit 0`))
    expect(end).toEqual(exited)
    expect(processesWith(seconds)).toEqual([])
  })

  test("a command ends with the process that runs it", async () => {
    using ground = openGround()
    const seconds = uniqueSeconds()
    const runner = spawn(process.execPath, [
      runnerFile,
      driver.name,
      ground.workspace,
      `${detached(seconds)} echo "$TMPDIR" > ready; sleep ${seconds}`,
    ])
    await vi.waitFor(() => expect(existsSync(join(ground.workspace, "ready"))).toBe(true), { timeout: 60_000 })
    runner.kill("SIGKILL")
    await once(runner, "exit")
    await vi.waitFor(() => expect(processesWith(seconds)).toEqual([]), { timeout: 60_000 })
    // Its temporary folder goes as well, if it has one outside of memory.
    const tmp = readFileSync(join(ground.workspace, "ready"), "utf8").trim()
    await vi.waitFor(() => expect(tmp === "/tmp" || !existsSync(tmp)).toBe(true), { timeout: 60_000 })
  })

  test("a fork bomb is stopped", async () => {
    using ground = openGround()
    const seconds = uniqueSeconds()
    const bomb = `while :; do sleep ${seconds} & done`
    const { end } = await run(driver, ground, script(`${bomb} & ${bomb} & ${bomb}`), { limits: { processesMax: 100 } })
    // The kernel refuses further processes, or the watch stops it all.
    expect(["exceeded", "exited"]).toContain(end.kind)
    if (end.kind === "exceeded") expect(end.reason).toBe("it started more than 100 processes")
    expect(processesWith(seconds)).toEqual([])
  })

  test("files, the disk, temporary files and memory are limited", async () => {
    using ground = openGround()
    const megabyte = 1024 * 1024
    const large = await run(driver, ground, script("head -c 100000000 /dev/zero > large; exit 3"), { limits: { fileBytesMax: megabyte } })
    expect(large.end).toEqual({ kind: "exited", exitCode: 3 })
    expect(statSync(join(ground.workspace, "large")).size).toBeLessThanOrEqual(2 * megabyte)

    const endless = "i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > file$i; done"
    const full = await run(driver, ground, script(endless), { limits: { diskBytesMax: 50 * megabyte } })
    expect(full.end).toEqual({ kind: "exceeded", reason: "the disk of the workspace filled up by more than 50 MiB" })

    if (driver.name === "bubblewrap") {
      const limits = { tmpBytesMax: megabyte }
      const { output } = await run(driver, ground, script("head -c 3000000 /dev/zero > /tmp/x; stat -c %s /tmp/x"), { limits })
      expect(output).toContain("No space left on device")
    }

    const limits = { memoryBytesMax: 200 * megabyte }
    const hungry = await run(driver, ground, script("head -c 1000000000 /dev/zero | tail -n 1 > /dev/null; echo ended"), { limits })
    expect(hungry.end.kind === "exceeded" ? hungry.end.reason : hungry.output).toMatch(
      /used more than 200 MiB of memory|memory exhausted|allocate/,
    )
  })

  test.runIf(existsSync("/dev/shm"))("temporary files are limited, also on another disk than the workspace", async () => {
    using ground = openGround()
    const megabyte = 1024 * 1024
    vi.stubEnv("TMPDIR", "/dev/shm")
    const endless = 'i=0; while [ $i -lt 2000 ]; do i=$((i+1)); head -c 1000000 /dev/zero > "$TMPDIR/file$i" || exit 9; done'
    const { end } = await run(driver, ground, script(endless), { limits: { diskBytesMax: 20 * megabyte, tmpBytesMax: 20 * megabyte } })
    vi.unstubAllEnvs()
    // Under bubblewrap, the folder is one of its own, which is full.
    expect(end).toEqual(
      driver.name === "bubblewrap"
        ? { kind: "exited", exitCode: 9 }
        : { kind: "exceeded", reason: "the disk of temporary files filled up by more than 20 MiB" },
    )
  })

  test("of 100 MB of output the beginning and the end are kept", async () => {
    using ground = openGround()
    const { end, output } = await run(driver, ground, script("echo first; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last"))
    expect(end).toEqual(exited)
    expect(output.length).toBeLessThan(1024 * 1024 + 200)
    expect(output).toMatch(/^first\nx+\n\[\d+ bytes of output were not kept\]\nx+\nlast\n$/)
  })
})
