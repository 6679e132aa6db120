/** Books that cannot be opened, each by a real fault: damaged files, full and protected disks, lost keys. */
import { embedded } from '../../../server/db/embedded/port.ts'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSello } from '../../../server/api/application.ts'
import { SCHEMA_VERSION } from '../../../server/db/migrations/version.ts'
import { openDatabase } from '../../../server/db/embedded/open.ts'
import type { Keychain } from '../../../server/db/embedded/keys/keyring.ts'
import { copyTemplate } from '../setup/store-template.ts'

interface Books {
  folder: string
  /** The recovery code in its groups. */
  code: string
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-trouble-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates closed books, by default with their key in a file beside them, and a recovery code. */
export async function makeBooks(
  at?: string,
  options: { keychain?: Keychain | null; keyFile?: string } = {},
): Promise<Books> {
  const { keychain = null, keyFile } = options
  const folder = at ?? newFolder()
  // A folder of the caller may be full, protected or missing, which is what creating books there is to show.
  if (at === undefined && !keychain && !keyFile) await copyTemplate(folder)
  const sello = await openSello({
    dataDir: folder,
    create: true,
    keychain,
    cacheKib: 1024,
    ...(keyFile ? { keyFile } : {}),
  })
  const fresh = embedded(sello.env.store).newRecoveryCode()
  fresh.confirm()
  await sello.close()
  return { folder, code: fresh.code }
}

/** Creates a keychain in memory; locked, it looks empty and stores nothing, like real ones. */
export function memoryKeychain(): Keychain & { items: Map<string, string>; locked: boolean } {
  const items = new Map<string, string>()
  return {
    items,
    locked: false,
    async getPassword(_service, account) {
      return this.locked ? null : (items.get(account) ?? null)
    },
    async setPassword(_service, account, password) {
      if (this.locked) throw new Error('unlock prompt was dismissed')
      items.set(account, password)
    },
    async deletePassword(_service, account) {
      return items.delete(account)
    },
    async findCredentials() {
      return this.locked ? [] : [...items].map(([account, password]) => ({ account, password }))
    },
  }
}

/** Flips bits in the file's first pages. */
export function damage(folder: string): void {
  const file = join(folder, 'sello.db')
  const bytes = readFileSync(file)
  for (let at = 100; at < 4096; at += 7) bytes[at] = bytes[at]! ^ 0x40
  writeFileSync(file, bytes)
}

/** Sets the schema version of a later build. */
export function makeNewer(folder: string): void {
  const masterKey = Buffer.from(readFileSync(join(folder, 'master.key'), 'utf8').trim(), 'hex')
  const connection = openDatabase({ folder, masterKey, role: 'writer', cacheKib: 1024 })
  connection.handle.pragma(`user_version = ${SCHEMA_VERSION + 3}`)
  connection.close()
}

/** Returns names and bytes of everything but the lock, which every attempt changes. */
export function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !/^store\.lock|-shm$|-wal$/.test(name))
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  )
}

/** Returns true if this user may mount small memory disks: root on Linux, outside of restricted containers. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'sello-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface SmallDisk {
  folder: string
  /** Fills the disk completely. */
  fill(): void
  free(): void
  protect(readOnly: boolean): void
}

/** Mounts a separate memory disk. */
export function smallDisk(sizeKib = 8 * 1024): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'sello-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKib}k`, 'tmpfs', folder])
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      for (let bytes = 1024 * 1024; bytes >= 1; bytes = Math.floor(bytes / 2))
        for (;;)
          try {
            writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' })
          } catch {
            break
          }
    },
    free: () => rmSync(ballast, { force: true }),
    protect: (readOnly) => execFileSync('mount', ['-o', `remount,${readOnly ? 'ro' : 'rw'}`, folder]),
  }
}
