// Tests the names of browsers in lists of sessions.
import { expect, test } from "vitest"
import { browserName } from "./browser-name.ts"

const webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)"

test.each([
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.1 Safari/605.1.15`, "Safari on macOS"],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webkit} Version/18.1 Mobile/15E148 Safari/604.1`, "Safari on iOS"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, "Edge on Windows"],
  [`Mozilla/5.0 (Linux; Android 16) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"],
  ["curl/8.5.0", "curl/8.5.0"],
])("%s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})
