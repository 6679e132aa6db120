/**
 * Identity of this computer as reported by its operating system, to detect books copied to another one. Without an
 * identity nothing is reported.
 */
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { deriveKey } from '../../seal.ts'

/** Timeout of the system's program: after it the books open without an identity. */
const TIMEOUT_MS = 2_000
/** Blank identities of systems copied as an image for many computers. */
const BLANK = /^[0-]*$|^uninitialized$/

const run = async (program: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(program, [...args], { timeout: TIMEOUT_MS, windowsHide: true })).stdout

/** Readers of the identity of the installed operating system, by platform. */
const READERS: Partial<Record<NodeJS.Platform, () => Promise<string | undefined>>> = {
  // Read synchronously: one line is read faster than a thread starts.
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

/** Returns the identity that the system gives this computer, or null if it gives none. */
export async function readComputer(platform: NodeJS.Platform = process.platform): Promise<string | null> {
  try {
    const id = await READERS[platform]?.()
    return id === undefined || BLANK.test(id) ? null : id.toLowerCase()
  } catch {
    return null
  }
}

/**
 * Returns the mark of a computer that is stored beside the books: it reveals nothing without their key and differs
 * between books.
 */
export function computerMark(masterKey: Uint8Array, computer: string): string {
  const key = deriveKey(masterKey, 'computer-v1')
  return createHmac('sha256', key).update(computer, 'utf8').digest('base64url')
}
