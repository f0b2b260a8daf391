// Files on their way into a pipeline: one after the other, each with what became of it.
import { useRef, useState } from "react"
import type { DocumentAdded } from "toolplane/client"
import { client } from "../../api/client.ts"
import { messageOf } from "../../ui/states.tsx"
import { refreshPipelines } from "./queries.ts"

export type Upload = { readonly id: number; readonly file: File; readonly state: UploadState }

type UploadState =
  | { readonly step: "waits" | "sending" }
  | { readonly step: "done"; readonly added: DocumentAdded }
  | { readonly step: "failed"; readonly message: string }

/** The server takes bodies of 33 MB, and base64 makes four bytes of three. */
const megabytesMax = 24

export function useUploads(pipelineId: string) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const queue = useRef<Upload[]>([])
  const isRunning = useRef(false)
  const count = useRef(0)
  const set = (id: number, state: UploadState): void =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, state } : upload)))
  const run = async (): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    for (let next = queue.current.shift(); next !== undefined; next = queue.current.shift()) {
      set(next.id, { step: "sending" })
      try {
        set(next.id, { step: "done", added: await send(pipelineId, next.file) })
      } catch (error) {
        set(next.id, { step: "failed", message: messageOf(error) })
      }
    }
    isRunning.current = false
    await refreshPipelines()
  }
  const add = (files: Iterable<File>): void => {
    const added = Array.from(files, (file): Upload => ({ id: count.current++, file, state: { step: "waits" } }))
    queue.current.push(...added)
    setUploads((all) => [...all, ...added])
    void run()
  }
  const retry = (upload: Upload): void => {
    set(upload.id, { step: "waits" })
    queue.current.push(upload)
    void run()
  }
  return {
    uploads,
    add,
    retry,
    clear: () => setUploads((all) => all.filter(({ state }) => state.step === "waits" || state.step === "sending")),
  }
}

async function send(pipelineId: string, file: File): Promise<DocumentAdded> {
  if (file.size > megabytesMax * 1024 * 1024)
    throw new Error(`It is larger than ${megabytesMax} MB. Split it, or add it with: executor pipelines add`)
  if (file.size === 0) throw new Error("It is empty. Add a file that has text.")
  // Of a folder that was chosen, files of the same name in different places are different documents.
  const source = file.webkitRelativePath === "" ? file.name : file.webkitRelativePath
  return client.pipelines.documents.add(pipelineId, { source, file: { name: file.name, data: await base64Of(file) } })
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener("load", () => resolve(typeof reader.result === "string" ? reader.result.replace(/^[^,]*,/, "") : ""))
    reader.addEventListener("error", () => reject(new Error("The browser could not read it. Choose it again.")))
    reader.readAsDataURL(file)
  })
}
