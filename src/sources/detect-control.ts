// Names a place of an origin where nothing is, to tell what a place answers from what its origin answers everywhere.
import { newId } from "../io/ids.ts"

export const controlPlace = (url: string): string => new URL(`/${newId("nothing")}`, url).href
