// What the functions about people work with, on stores of the test file's own, which are closed after its last test.
import { afterAll } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import { systemClock } from "../../io/clock.ts"
import { createMemoryDatabase } from "../../store/executions/testing/memory.ts"
import { openTestStore } from "../../store/testing/open.ts"

export async function openPeopleParts() {
  const opened = await openTestStore()
  const database = await createMemoryDatabase()
  afterAll(async () => {
    await opened.close()
    database.close()
  })
  return { store: opened.store, clock: systemClock, limits: defaultLimits, executions: database.open() }
}
