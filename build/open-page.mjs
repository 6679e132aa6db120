/** Opens the page in the person's browser. Like `run.mjs` it imports only modules of Node. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** Time for a browser to read the file that redirects it to the page. */
const LEAD_LIVES_MS = 60_000

/** Returns a folder that browsers can read: some on Linux have a private temporary folder. */
const leadFolder = () => (process.platform === 'linux' ? os.homedir() : os.tmpdir())

/**
 * Opens an address. An address with a link that admits a browser is passed in a file that only this user can read:
 * every user of this computer can read the arguments of a program.
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
