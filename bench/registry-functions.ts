// The functions of the registry's benchmark.
import { defineFunctions } from "toolplane"

export const registryFunctions = defineFunctions(import.meta.url, { double: { reads: true, run: ({ id }: { id: number }) => id * 2 } })
