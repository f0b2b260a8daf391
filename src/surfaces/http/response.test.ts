// Lists are written whole or in slices, and a reader can not tell which.
import { expect, test } from "vitest"
import { jsonResponse } from "./response.ts"

test.each([0, 1, 999, 1000, 1001, 2000, 2001, 4500])("a page of %i items is valid JSON", async (count) => {
  const page = {
    items: Array.from({ length: count }, (_, index) => ({ index, text: `"é\n${index}` })),
    nextCursor: count % 2 === 0 ? null : 'a"b',
  }
  const response = jsonResponse(200, page, "req_1")
  expect(response.headers.get("content-type")).toBe("application/json")
  expect(response.headers.get("x-request-id")).toBe("req_1")
  expect(await response.json()).toEqual(page)
})
