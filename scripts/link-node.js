// Plain JavaScript for whatever Node npm runs on. npm 10 links node_modules/.bin/node to the Node 26
// of this platform, and then removes the link together with what it tried of the other platforms:
// all of these packages call their program `node`. This puts it back after each installation.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
const isWindows = process.platform === 'win32'
const program = isWindows ? 'bin/node.exe' : 'bin/node'
const installed = Object.keys(optionalDependencies).find((name) =>
  existsSync(new URL(`node_modules/${name}/${program}`, root)),
)
const link = new URL(`node_modules/.bin/${isWindows ? 'node.cmd' : 'node'}`, root)

if (installed && !existsSync(link)) {
  mkdirSync(new URL('.', link), { recursive: true })
  if (isWindows) writeFileSync(link, `@"%~dp0..\\${installed}\\bin\\node.exe" %*\r\n`)
  else symlinkSync(`../${installed}/${program}`, link)
}
