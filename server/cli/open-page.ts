/** Opens the page in the person's browser. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Time for a browser to read the file that redirects it to the page. */
export const LEAD_LIVES_MS = 60_000

/** Returns a folder that browsers can read: some on Linux have a private temporary folder. */
const leadFolder = (): string => (process.platform === 'linux' ? homedir() : tmpdir())

/**
 * Opens an address. An address with a link that admits a browser is passed in a file that only this user can read, as
 * long as this process runs: every user of this computer can read the arguments of a program.
 */
export function openPage(address: string): void {
  if (!address.includes('#')) return openInBrowser(address)
  const folder = mkdtempSync(join(leadFolder(), 'sello-open-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const file = join(folder, 'open.html')
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Sello</title><meta http-equiv="refresh" content="0;url=${address}">`
  writeFileSync(file, page, { flag: 'wx', mode: 0o600 })
  setTimeout(remove, LEAD_LIVES_MS).unref()
  process.once('exit', remove)
  openInBrowser(pathToFileURL(file).href)
}

function openInBrowser(address: string): void {
  const [command, args] =
    process.platform === 'win32'
      ? ['cmd', ['/c', 'start', '""', address.replaceAll('&', '^&')]]
      : [process.platform === 'darwin' ? 'open' : 'xdg-open', [address]]
  spawn(command as string, args as string[], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
