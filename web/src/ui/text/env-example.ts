// How a secret names a variable of the server in its place.
export const envExample = `\${env:NAME}`
