// The theme: light, dark, or as the system has it, kept in the browser.
export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const storageName = "executor-theme"

export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(storageName)
    return themes.find((theme) => theme === kept) ?? "system"
  } catch {
    return "system"
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
}

export function keepTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem(storageName, theme)
  } catch {
    // A browser that keeps nothing still shows the theme until the page is closed.
  }
}
