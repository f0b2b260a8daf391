// What was typed ahead is forgotten, what comes after the question is heard.
import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { drainInput } from "./input-drain.ts"

test("Enter before the question is no answer, Enter after it is", async () => {
  const input = new PassThrough()
  input.write("\n")
  const drained = drainInput(input)
  input.write("\n")
  await drained
  const heard: string[] = []
  input.on("data", (chunk: Buffer) => heard.push(chunk.toString()))
  input.resume()
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toEqual([])
  input.write("yes\n")
  await expect.poll(() => heard).toEqual(["yes\n"])
})
