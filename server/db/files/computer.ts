/**
 * Which computer this is, as far as its system tells programs: to notice that books were copied to another one. Where it
 * tells nothing, nothing is said.
 */
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { deriveKey } from '../keys/seal.ts'

/** A program that does not answer by then is not waited for: books open without its answer. */
const PATIENCE_MS = 2_000
/** Of systems that were copied with their identity blanked, as an image for many computers. */
const BLANK = /^[0-]*$|^uninitialized$/

const run = async (program: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(program, [...args], { timeout: PATIENCE_MS, windowsHide: true })).stdout

/** The system's own name for this installation of it, by platform. */
const READERS: Partial<Record<NodeJS.Platform, () => Promise<string | undefined>>> = {
  // A line: done before a thread to read it with would have begun.
  linux: async () => readFileSync('/etc/machine-id', 'utf8').trim(),
  darwin: async () =>
    /"IOPlatformUUID" = "([^"]+)"/.exec(
      await run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']),
    )?.[1],
  win32: async () => {
    const { SystemRoot = 'C:\\Windows' } = process.env
    const reg = `${SystemRoot}\\System32\\reg.exe`
    return /MachineGuid\s+REG_SZ\s+(\S+)/.exec(
      await run(reg, ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid']),
    )?.[1]
  },
}

/** The identity that the system gives this computer, or null when it gives none. */
export async function readComputer(platform: NodeJS.Platform = process.platform): Promise<string | null> {
  try {
    const id = await READERS[platform]?.()
    return id === undefined || BLANK.test(id) ? null : id.toLowerCase()
  } catch {
    return null
  }
}

/** What may be kept of it beside books: says nothing to whoever lacks their key, and another thing for other books. */
export function computerMark(masterKey: Uint8Array, computer: string): string {
  const key = deriveKey(masterKey, 'computer-v1')
  return createHmac('sha256', key).update(computer, 'utf8').digest('base64url')
}
