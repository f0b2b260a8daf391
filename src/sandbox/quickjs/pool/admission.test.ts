// Tests that principals take turns in the queue and that nobody fills it.
import { describe, expect, test } from "vitest"
import { createAdmission } from "./admission.ts"

const anyone = (): boolean => true

describe("admission", () => {
  test("principals take turns, each in its own order", () => {
    const queue = createAdmission<string>(100, 100)
    for (const run of ["a1", "a2", "a3", "b1", "c1", "b2"]) queue.add(run, run[0] ?? "")
    const order = Array.from({ length: 7 }, () => queue.next(anyone))
    expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", null])
    expect(queue.size).toBe(0)
  })

  test("a principal at its limit is passed over, and keeps its turn", () => {
    const queue = createAdmission<string>(100, 100)
    for (const run of ["a1", "b1", "a2", "b2"]) queue.add(run, run[0] ?? "")
    expect(queue.next((principal) => principal !== "a")).toBe("b1")
    expect(queue.next((principal) => principal === "c")).toBeNull()
    expect([queue.next(anyone), queue.next(anyone), queue.next(anyone)]).toEqual(["a1", "b2", "a2"])
  })

  test("a run that could not start keeps its place among those of its principal", () => {
    const queue = createAdmission<string>(100, 100)
    for (const run of ["a1", "a2", "b1", "a3"]) queue.add(run, run[0] ?? "")
    const first = queue.next(anyone)
    queue.putBack(first ?? "", "a")
    expect(Array.from({ length: 5 }, () => queue.next(anyone))).toEqual(["b1", "a1", "a2", "a3", null])
  })

  test("it is full for all, and for one principal before that", () => {
    const queue = createAdmission<number>(3, 2)
    expect([queue.add(1, "a"), queue.add(2, "a"), queue.add(3, "a"), queue.add(4, "b"), queue.add(5, "c")]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ])
  })

  test("whoever returns goes first, even when the queue is full", () => {
    const queue = createAdmission<string>(1, 1)
    queue.add("a1", "a")
    queue.addFirst("back")
    expect(queue.size).toBe(2)
    expect([queue.next(() => false), queue.next(anyone)]).toEqual(["back", "a1"])
  })
})
