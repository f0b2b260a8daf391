// The upstream of the benchmark, in a process of its own.
import { createServer } from "node:http"

const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { "content-type": "application/json" }).end('{"id":1,"name":"thing"}')
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`)
})
