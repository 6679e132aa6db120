/**
 * Folders that other computers write into too: network drives, and those that a program keeps alike on several computers.
 * A lock holds on one computer only, and files that are copied one by one are no store, so the books are refused there.
 * What is looked for is proof, such as what a synchronising program leaves in its folder; a name alone proves nothing.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { AppError } from '../../domain/errors/catalog.ts'

/** A file system as it is mounted: where, of which kind, and what it shows. */
interface Mount {
  at: string
  kind: string
  source: string
}

/** What is looked at, so that tests can be any computer. */
export interface Computer {
  platform: NodeJS.Platform
  home: string
  env: NodeJS.ProcessEnv
  exists: (path: string) => boolean
  /** Where a path leads in the end. */
  real: (path: string) => string
  /** Names in a folder; none where it cannot be read. */
  list: (folder: string) => readonly string[]
  /** Text of a file, or null. */
  read: (file: string) => string | null
  /** What macOS tells of its mounts. */
  mounts: () => string
}

/** `by`: the program that keeps it alike, or the network drive. */
export interface Sharing {
  how: 'network' | 'synced'
  by: string
}

const PATIENCE_MS = 2_000

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
  // The native one tells which server a drive's letter stands for.
  real: (path) => realpathSync.native(path),
  list: (folder) => orNone(() => readdirSync(folder), []),
  read: (file) => orNone(() => readFileSync(file, 'utf8'), null),
  mounts: () => orNone(() => execFileSync('/sbin/mount', { encoding: 'utf8', timeout: PATIENCE_MS }), ''),
}

/**
 * Kinds of file systems that lie on another computer, with those that a virtual machine borrows from its host. Sources:
 * filesystems(5), mount_nfs(8), mount_smbfs(8), and `fuse.` with the name of the program (mount.fuse3(8)).
 */
const NETWORK =
  /^(nfs\d?|cifs|smb\w*|9p|afpfs|afs|webdav|davfs|ceph|coda|lustre|ncpfs?|orangefs|gfs2?|ocfs2|vboxsf|prl_fs)$|^fuse\.(sshfs|rclone|gvfsd-fuse|davfs2?|curlftpfs|s3fs|gcsfuse|glusterfs|ceph\S*|google-drive-ocamlfuse|onedriver|vmhgfs-fuse)$/

/** What programs leave in the folders they keep alike, by the name of the program. */
const LEFT_BY: readonly (readonly [by: string, name: RegExp])[] = [
  ['Dropbox', /^\.dropbox\.cache$/],
  ['OneDrive', /^\.849C9593-D756-4E56-8D6E-42412F2A707B$/i],
  ['Google Drive', /^\.(tmp\.drive(upload|download)|shortcut-targets-by-id)$/],
  ['Nextcloud', /^\._?sync_[0-9a-f]+\.db$/],
  ['Syncthing', /^\.stfolder$/],
]

/** The mount table of Linux: proc_pid_mountinfo(5), with blanks and the like written in octal. */
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

/** What mount(8) of macOS prints: `//ana@nas/books on /Volumes/books (smbfs, nodev)`. */
const macMounts = (text: string): Mount[] =>
  [...text.matchAll(/^(.+?) on (\/.*) \(([^,)]+)[^()]*\)$/gm)].map(([, source = '', at = '', kind = '']) => ({
    at,
    kind,
    source,
  }))

/** What may be told of where a drive is: mounts can name a user, a password and settings as well. */
const withoutSecrets = (source: string): string => (source.split(',')[0] ?? '').replace(/[^/]*@/, '')

/** The network drive that a folder lies on. */
function networkOf(folder: string, { platform, read, mounts }: Computer): string | null {
  // `\\server\share`, and the same spelt as a device. `\\?\C:` is a disk of this computer.
  if (platform === 'win32')
    return /^\\\\(?![?.]\\)[^\\]+\\[^\\]+|^\\\\[?.]\\UNC\\[^\\]+\\[^\\]+/i.exec(folder)?.[0] ?? null
  const all = platform === 'darwin' ? macMounts(mounts()) : linuxMounts(read('/proc/self/mountinfo') ?? '')
  const holding = all
    // There is no other disk to go to where the whole system lies on the network.
    .filter(({ at }) => at !== '/' && (folder === at || folder.startsWith(`${at}/`)))
    // Of several at one place the last one is on top.
    .reduce<Mount | null>(
      (deepest, one) => (one.at.length >= (deepest?.at.length ?? 0) ? one : deepest),
      null,
    )
  return holding && NETWORK.test(holding.kind) ? withoutSecrets(holding.source) : null
}

/** Folders that are named as kept alike, by the system or by the programs themselves. */
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

/** The program that keeps a folder alike with another computer's. */
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

/** Who else may write into a folder, which need not be there yet; null when nobody is known to. */
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

/** Throws `folder_shared` for a folder in which books would not be safe. Looks only. */
export function refuseSharedFolder(folder: string): void {
  const sharing = sharingOf(folder)
  if (sharing) throw new AppError('folder_shared', { details: { folder, ...sharing } })
}
