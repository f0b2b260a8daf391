// A thread that does what it is told, for tests of the pool.
import { parentPort, threadId } from "node:worker_threads"

export type PoolJob = "echo" | "loop" | "throw" | "exit"

parentPort?.on("message", (job: PoolJob) => {
  if (job === "loop") for (;;);
  if (job === "throw") throw new Error("oh no")
  if (job === "exit") process.exit(1)
  parentPort?.postMessage(threadId, [])
})
