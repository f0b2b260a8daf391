// Tests whose turn it is, and who may read on while others wait.
import { expect, test } from "vitest"
import { largeAnswerBytes, openAnswerTurn } from "./answer-turn.ts"

const limits = { answersArrivedBytesPerPrincipalMax: 4 * largeAnswerBytes, answersArrivedBytesMax: 6 * largeAnswerBytes }
const open = (who = "a") => openAnswerTurn(who, limits)

test("the next one begins when the first ends", async () => {
  const [first, second] = [open(), open()]
  const seen: string[] = []
  await first.take()
  const next = second.take().then(() => seen.push("second"))
  seen.push("first")
  first.end()
  await next
  expect(seen).toEqual(["first", "second"])
  second.end()
})

test("a turn that was lent is over by itself, unless it is taken", async () => {
  const [lent, next] = [open(), open()]
  await lent.lend(1)
  await next.take()
  expect(lent.keep()).toBe(false)
  next.end()
  await lent.lend(1)
  expect(lent.keep()).toBe(true)
  lent.end()
})

test("a turn that is released may be taken again, and one that ended while it waited holds up nobody", async () => {
  const [first, left, last] = [open(), open(), open()]
  await first.lend(60_000)
  const waits = [left.take(), last.take()]
  left.end()
  first.release()
  await Promise.all(waits)
  last.end()
  await first.take()
  first.end()
})

test("the turn of a message becomes that of the call that it answers", async () => {
  const [call, message, next] = [open(), open(), open()]
  await message.lend(60_000)
  call.adopt(message)
  await call.take()
  const after = next.take()
  call.end()
  await after
  next.end()
})

test("over the limit only the oldest answer of each principal is read on, until another one ends", async () => {
  const [oldest, younger, other] = [open(), open(), open("b")]
  expect(oldest.arrive(3 * largeAnswerBytes)).toBe(null)
  const room = younger.arrive(2 * largeAnswerBytes)
  expect(room).not.toBe(null)
  expect(oldest.arrive(largeAnswerBytes)).toBe(null)
  expect(other.arrive(5 * largeAnswerBytes)).toBe(null)
  other.end()
  oldest.end()
  await room
  expect(younger.arrive(largeAnswerBytes)).toBe(null)
  younger.end()
})

test("small answers neither count nor wait", () => {
  const [large, small] = [open(), open()]
  expect(large.arrive(9 * largeAnswerBytes)).toBe(null)
  expect(small.arrive(largeAnswerBytes)).toBe(null)
  large.end()
  small.end()
})
