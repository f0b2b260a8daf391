// Names a location of an origin where nothing exists, to compare its response with those of real locations.
import { newId } from "../io/ids.ts"

export const controlPlace = (url: string): string => new URL(`/${newId("nothing")}`, url).href
