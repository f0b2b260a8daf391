// Durations as people read them.
import { expect, test } from "vitest"
import { duration } from "./time.tsx"

test.each([
  [0.4, "0 ms"],
  [999.4, "999 ms"],
  [999.6, "1.0 s"],
  [59_940, "59.9 s"],
  [59_960, "1 min 0 s"],
  [119_600, "2 min 0 s"],
  [3_599_400, "59 min 59 s"],
  [3_599_600, "1 h 0 min"],
  [7_199_000, "2 h 0 min"],
  [47 * 3_600_000, "47 h 0 min"],
  [3 * 86_400_000, "3 days"],
])("%s ms are %s", (ms, text) => {
  expect(duration(ms)).toBe(text)
})
