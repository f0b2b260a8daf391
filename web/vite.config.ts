// How the console is built: into `dist/web`, from where the server serves it.
import { fileURLToPath } from "node:url"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A busy machine is no news to whoever starts the product. */
const quiet = { checks: { bundlerTimings: false } }

export default defineConfig({
  root: from("."),
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: {
      "toolplane/client": from("../src/surfaces/client/index.ts"),
      "toolplane/tool-types": from("../src/core/tool-types.ts"),
    },
  },
  // The server puts a fresh nonce in its place.
  html: { cspNonce: "__EXECUTOR_NONCE__" },
  worker: { rolldownOptions: quiet },
  build: {
    outDir: from("../dist/web"),
    emptyOutDir: true,
    target: "es2022",
    // Data URLs of fonts and scripts are not allowed by the page's policy.
    assetsInlineLimit: 0,
    // For the test that weighs the pages.
    manifest: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: false,
    rolldownOptions: quiet,
  },
  server: { proxy: { "/api": "http://127.0.0.1:4788", "/signin": "http://127.0.0.1:4788" } },
})
