/** Opens the page in the person's browser. Like `run.mjs` it imports nothing that is not part of Node. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** How long a browser may take to read the file that leads it to the page. */
const LEAD_LIVES_MS = 60_000

/** Where a browser may read files: some of Linux see no temporary folder but their own. */
const leadFolder = () => (process.platform === 'linux' ? os.homedir() : os.tmpdir())

/**
 * Opens an address. One with a link that lets a browser in goes through a file of this user alone: the arguments of a program
 * can be read by everybody on this computer.
 */
export function openPage(address) {
  if (!address.includes('#')) return openInBrowser(address)
  const folder = fs.mkdtempSync(path.join(leadFolder(), 'sello-open-'))
  const remove = () => fs.rmSync(folder, { recursive: true, force: true })
  const file = path.join(folder, 'open.html')
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Sello</title><meta http-equiv="refresh" content="0;url=${address}">`
  fs.writeFileSync(file, page, { flag: 'wx', mode: 0o600 })
  setTimeout(remove, LEAD_LIVES_MS).unref()
  process.once('exit', remove)
  openInBrowser(pathToFileURL(file).href)
}

function openInBrowser(address) {
  const [command, args] =
    process.platform === 'win32'
      ? ['cmd', ['/c', 'start', '""', address.replaceAll('&', '^&')]]
      : [process.platform === 'darwin' ? 'open' : 'xdg-open', [address]]
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
