// The key that shortcuts are held with, as the keyboard of this machine calls it.
export const commandKey = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl "
