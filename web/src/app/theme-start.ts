// Sets the theme before the console is drawn, so that a dark page does not flash white.
import { applyTheme, readTheme } from "./theme.ts"

applyTheme(readTheme())
