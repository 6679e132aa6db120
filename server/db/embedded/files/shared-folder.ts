/**
 * Detects folders that other computers write to: network drives and folders of synchronization programs. A lock holds
 * on one computer only, and files copied one by one do not form a consistent store, so that books are refused there.
 * Only evidence counts, such as the files that a synchronization program leaves in its folder; a name alone does not.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { AppError } from '../../../domain/errors/app-error.ts'

/** A mounted file system: its mount point, type and source. */
interface Mount {
  at: string
  kind: string
  source: string
}

/** The system functions used here, so that tests can simulate any computer. */
export interface Computer {
  platform: NodeJS.Platform
  home: string
  env: NodeJS.ProcessEnv
  exists: (path: string) => boolean
  /** Resolves a path to its real location. */
  real: (path: string) => string
  /** Returns the names in a folder; none if it cannot be read. */
  list: (folder: string) => readonly string[]
  /** Returns the text of a file, or null. */
  read: (file: string) => string | null
  /** Returns the mount table as macOS prints it. */
  mounts: () => string
}

/** `by`: the synchronization program, or the network drive. */
interface Sharing {
  how: 'network' | 'synced'
  by: string
}

const TIMEOUT_MS = 2_000

function orNone<T>(work: () => T, none: T): T {
  try {
    return work()
  } catch {
    return none
  }
}

const here: Computer = {
  platform: process.platform,
  home: homedir(),
  env: process.env,
  exists: existsSync,
  // The native function resolves a mapped drive letter to its server.
  real: (path) => realpathSync.native(path),
  list: (folder) => orNone(() => readdirSync(folder), []),
  read: (file) => orNone(() => readFileSync(file, 'utf8'), null),
  mounts: () => orNone(() => execFileSync('/sbin/mount', { encoding: 'utf8', timeout: TIMEOUT_MS }), ''),
}

/**
 * Types of file systems located on another computer, including those that a virtual machine shares with its host.
 * Sources: filesystems(5), mount_nfs(8), mount_smbfs(8), and `fuse.` with the name of the program (mount.fuse3(8)).
 */
const NETWORK =
  /^(nfs\d?|cifs|smb\w*|9p|afpfs|afs|webdav|davfs|ceph|coda|lustre|ncpfs?|orangefs|gfs2?|ocfs2|vboxsf|prl_fs)$|^fuse\.(sshfs|rclone|gvfsd-fuse|davfs2?|curlftpfs|s3fs|gcsfuse|glusterfs|ceph\S*|google-drive-ocamlfuse|onedriver|vmhgfs-fuse)$/

/** Marker files that synchronization programs leave in their folders, by the name of the program. */
const LEFT_BY: readonly (readonly [by: string, name: RegExp])[] = [
  ['Dropbox', /^\.dropbox\.cache$/],
  ['OneDrive', /^\.849C9593-D756-4E56-8D6E-42412F2A707B$/i],
  ['Google Drive', /^\.(tmp\.drive(upload|download)|shortcut-targets-by-id)$/],
  ['Nextcloud', /^\._?sync_[0-9a-f]+\.db$/],
  ['Syncthing', /^\.stfolder$/],
]

/** Parses the mount table of Linux: proc_pid_mountinfo(5), with blanks and similar characters in octal. */
function linuxMounts(text: string): Mount[] {
  const plain = (word = ''): string =>
    word.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
  return text
    .split('\n')
    .filter((line) => line.includes(' - '))
    .map((line) => {
      const [mount = '', shown = ''] = line.split(' - ')
      const [kind = '', source = ''] = shown.split(' ')
      return { at: plain(mount.split(' ')[4]), kind, source: plain(source) }
    })
}

/** Parses the output of mount(8) on macOS: `//ana@nas/books on /Volumes/books (smbfs, nodev)`. */
const macMounts = (text: string): Mount[] =>
  [...text.matchAll(/^(.+?) on (\/.*) \(([^,)]+)[^()]*\)$/gm)].map(([, source = '', at = '', kind = '']) => ({
    at,
    kind,
    source,
  }))

/** Returns the part of a mount's source that may be shown: a source can contain a user, a password and settings. */
const withoutSecrets = (source: string): string => (source.split(',')[0] ?? '').replace(/[^/]*@/, '')

/** Returns the network drive that contains a folder. */
function networkOf(folder: string, { platform, read, mounts }: Computer): string | null {
  // `\\server\share`, and the same as a device path. `\\?\C:` is a local disk.
  if (platform === 'win32')
    return /^\\\\(?![?.]\\)[^\\]+\\[^\\]+|^\\\\[?.]\\UNC\\[^\\]+\\[^\\]+/i.exec(folder)?.[0] ?? null
  const all = platform === 'darwin' ? macMounts(mounts()) : linuxMounts(read('/proc/self/mountinfo') ?? '')
  const holding = all
    // If the whole system is on the network there is no other disk to use.
    .filter(({ at }) => at !== '/' && (folder === at || folder.startsWith(`${at}/`)))
    // Of several mounts at one point the last one is visible.
    .reduce<Mount | null>(
      (deepest, one) => (one.at.length >= (deepest?.at.length ?? 0) ? one : deepest),
      null,
    )
  return holding && NETWORK.test(holding.kind) ? withoutSecrets(holding.source) : null
}

/** Returns the folders that the system or the programs themselves declare as synchronized. */
function namedAsSynced({ platform, home, env, read }: Computer): (readonly [by: string, folder: string])[] {
  const path = platform === 'win32' ? win32 : posix
  const settings = platform === 'win32' ? [env.APPDATA, env.LOCALAPPDATA] : [path.join(home, '.dropbox')]
  const dropbox = settings
    .filter((folder) => folder !== undefined)
    .map((folder) => path.join(folder, ...(platform === 'win32' ? ['Dropbox'] : []), 'info.json'))
    .flatMap((file) => orNone(() => Object.values(JSON.parse(read(file) ?? '{}') as object), []))
    .map((account: { path?: unknown }) => account?.path)
    .filter((folder) => typeof folder === 'string')
  return [
    ...dropbox.map((folder) => ['Dropbox', folder] as const),
    ...(platform === 'win32'
      ? [
          ...[env.OneDrive, env.OneDriveConsumer, env.OneDriveCommercial]
            .filter((folder) => folder !== undefined && folder !== '')
            .map((folder) => ['OneDrive', folder as string] as const),
          ['iCloud Drive', path.join(home, 'iCloudDrive')] as const,
        ]
      : []),
    ...(platform === 'darwin'
      ? [['iCloud Drive', path.join(home, 'Library', 'Mobile Documents')] as const]
      : []),
  ]
}

/** Returns the program that synchronizes a folder with another computer. */
function syncedBy(folder: string, computer: Computer): string | null {
  const { platform, home, real, list } = computer
  const path = platform === 'win32' ? win32 : posix
  const alike = (name: string): string => (platform === 'linux' ? name : name.toLowerCase())
  const isWithin = (outer: string): boolean => {
    const way = path.relative(alike(outer), alike(folder))
    return way === '' || (!way.startsWith('..') && !path.isAbsolute(way))
  }
  for (const [by, named] of namedAsSynced(computer)) if (isWithin(orNone(() => real(named), named))) return by
  const providers = path.join(home, 'Library', 'CloudStorage')
  if (platform === 'darwin' && isWithin(providers))
    // `GoogleDrive-ana@example.com`
    return folder.slice(providers.length + 1).split(/[-/]/)[0] || 'CloudStorage'
  for (let within = folder; ; within = path.dirname(within)) {
    const names = list(within)
    const left = LEFT_BY.find(([, name]) => names.some((one) => name.test(one)))
    if (left) return left[0]
    if (path.dirname(within) === within) return null
  }
}

/** Returns who else may write to a folder, which need not exist yet; null if nobody is known to. */
export function sharingOf(folder: string, computer: Computer = here): Sharing | null {
  const path = computer.platform === 'win32' ? win32 : posix
  let there = path.resolve(folder)
  while (!computer.exists(there) && path.dirname(there) !== there) there = path.dirname(there)
  const real = path.join(
    orNone(() => computer.real(there), there),
    path.relative(there, path.resolve(folder)),
  )
  const drive = networkOf(real, computer)
  if (drive !== null) return { how: 'network', by: drive }
  const by = syncedBy(real, computer)
  return by === null ? null : { how: 'synced', by }
}

/** Throws `folder_shared` for a folder in which books would not be safe. Changes nothing. */
export function refuseSharedFolder(folder: string): void {
  const sharing = sharingOf(folder)
  if (sharing) throw new AppError('folder_shared', { details: { folder, ...sharing } })
}
