/**
 * Folders to which other computers write: detected by evidence on every system, and rejected before anything is
 * created in them.
 */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { restoreBackup } from '../../../../../server/app/backups/index.ts'
import { sharingOf } from '../../../../../server/db/embedded/files/shared-folder.ts'
import type { Computer } from '../../../../../server/db/embedded/files/shared-folder.ts'
import { openStore } from '../../../../../server/db/embedded/store.ts'
import { refusal } from '../../../../support/books.ts'
import { newFolder } from '../../../../support/stages/unopenable-books.ts'

/** Creates a computer with these files only; folders exist by their content. */
const computer = (changes: Partial<Computer> & { files?: Record<string, string> }): Computer => {
  const { files = {}, ...rest } = changes
  const mark = rest.platform === 'win32' ? '\\' : '/'
  return {
    platform: 'linux',
    home: '/home/ana',
    env: {},
    exists: () => true,
    real: (path) => path,
    list: (folder) =>
      Object.keys(files)
        .filter((file) => file.startsWith(folder.endsWith(mark) ? folder : folder + mark))
        .map((file) => file.slice(folder.length + (folder.endsWith(mark) ? 0 : 1)).split(mark)[0] ?? ''),
    read: (file) => files[file] ?? null,
    mounts: () => '',
    ...rest,
  }
}

const MOUNTED = [
  '27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
  '30 27 0:40 / /srv/books rw - nfs4 nas.local:/volume1/books rw,vers=4.2',
  '31 27 0:41 / /media/ana/My\\040Share rw - cifs //nas/share rw',
  '32 27 0:42 / /home/ana/remote rw - fuse.sshfs ana@nas:/books rw,user_id=1000',
  '38 27 0:47 / /home/ana/dav rw - fuse.davfs https://ana:secreta@nas.example/dav rw',
  '39 27 0:48 / /home/ana/rc rw - fuse.rclone :webdav,url="https://ana:x@nas.example",pass=secreta:/books rw',
  '33 27 0:43 / /mnt/c rw - 9p C:\\134 rw,aname=drvfs',
  '34 27 0:44 / /media/ana/USB rw - fuseblk /dev/sdb1 rw',
  '35 30 254:1 / /srv/books/local rw - ext4 /dev/vdb rw',
  '36 27 0:45 / /net rw - autofs /etc/auto.net rw',
  '37 27 0:46 / /net rw - nfs nas:/net rw',
].join('\n')

describe('a network drive is detected on', () => {
  test.each([
    ['/srv/books/sello', 'nas.local:/volume1/books'],
    ['/srv/books', 'nas.local:/volume1/books'],
    ['/media/ana/My Share/sello', '//nas/share'],
    ['/home/ana/remote/sello', 'nas:/books'],
    ['/home/ana/dav/sello', 'https://nas.example/dav'],
    ['/home/ana/rc/sello', ':webdav'],
    ['/mnt/c/Users/ana', 'C:\\'],
    ['/net/sello', 'nas:/net'],
    ['/srv/bookshop', null],
    ['/srv/books/local/sello', null],
    ['/media/ana/USB/sello', null],
    ['/home/ana/.config/sello', null],
  ])('Linux: %s', (folder, by) => {
    const found = sharingOf(folder, computer({ files: { '/proc/self/mountinfo': MOUNTED } }))
    expect(found).toEqual(by === null ? null : { how: 'network', by })
  })

  test('unless the whole system is on it, as there is no other disk', () => {
    const files = { '/proc/self/mountinfo': '1 0 0:1 / / rw - 9p none rw,trans=fd' }
    expect(sharingOf('/home/ana/sello', computer({ files }))).toBeNull()
  })

  test.each([
    ['/Volumes/books/sello', '//nas._smb._tcp.local/books'],
    ['/Volumes/My Disk (old)/sello', null],
    ['/Users/ana/sello', null],
  ])('macOS: %s', (folder, by) => {
    const mounts = () =>
      [
        '/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)',
        '//ana@nas._smb._tcp.local/books on /Volumes/books (smbfs, nodev, nosuid, mounted by ana)',
        '/dev/disk4s1 on /Volumes/My Disk (old) (exfat, local, nodev, nosuid, noowners)',
      ].join('\n')
    const found = sharingOf(folder, computer({ platform: 'darwin', home: '/Users/ana', mounts }))
    expect(found).toEqual(by === null ? null : { how: 'network', by })
  })

  test.each([
    ['\\\\nas\\share\\sello', '\\\\nas\\share'],
    ['\\\\?\\UNC\\nas\\share\\sello', '\\\\?\\UNC\\nas\\share'],
    // A drive letter of a share resolves to it.
    ['Z:\\sello', '\\\\nas\\share'],
    ['C:\\Users\\ana\\AppData\\Roaming\\Sello', null],
    ['\\\\?\\C:\\Users\\ana\\Sello', null],
  ])('Windows: %s', (folder, by) => {
    const real = (path: string) => path.replace(/^Z:/, '\\\\nas\\share')
    const found = sharingOf(folder, computer({ platform: 'win32', home: 'C:\\Users\\ana', real }))
    expect(found).toEqual(by === null ? null : { how: 'network', by })
  })
})

describe('a synchronized folder is detected by', () => {
  const linux: readonly [string, Record<string, string>, string][] = [
    ['what Dropbox leaves', { '/home/ana/Nube/.dropbox.cache/x': '' }, 'Dropbox'],
    ['what OneDrive leaves', { '/home/ana/Nube/.849C9593-D756-4E56-8D6E-42412F2A707B': '' }, 'OneDrive'],
    ['what Google Drive leaves', { '/home/ana/Nube/.tmp.driveupload/1': '' }, 'Google Drive'],
    ['the list that Nextcloud keeps', { '/home/ana/Nube/.sync_0b1f2c3d4e5f.db': '' }, 'Nextcloud'],
    ['the mark of Syncthing', { '/home/ana/Nube/.stfolder/x': '' }, 'Syncthing'],
    [
      'the settings of Dropbox',
      { '/home/ana/.dropbox/info.json': '{"personal":{"path":"/home/ana/Nube","host":1}}' },
      'Dropbox',
    ],
  ]
  test.each(linux)('%s', (_by, files, by) => {
    const ours = computer({ files })
    expect(sharingOf('/home/ana/Nube/Empresa/sello', ours)).toEqual({ how: 'synced', by })
    expect(sharingOf('/home/ana/Nube', ours)).toEqual({ how: 'synced', by })
    expect(sharingOf('/home/ana/Nubes/sello', ours)).toBeNull()
    expect(sharingOf('/home/ana/sello', ours)).toBeNull()
  })

  test('the location of such folders on macOS', () => {
    const ours = computer({ platform: 'darwin', home: '/Users/Ana' })
    const by = (folder: string) => sharingOf(folder, ours)?.by
    expect(by('/Users/ana/Library/CloudStorage/GoogleDrive-ana@example.com/Mi unidad')).toBe('GoogleDrive')
    expect(by('/Users/Ana/Library/CloudStorage/Dropbox/sello')).toBe('Dropbox')
    expect(by('/Users/Ana/Library/Mobile Documents/com~apple~CloudDocs/sello')).toBe('iCloud Drive')
    expect(by('/Users/Ana/Library/Application Support/Sello')).toBeUndefined()
  })

  test('the settings on Windows', () => {
    const home = 'C:\\Users\\ana'
    const ours = computer({
      platform: 'win32',
      home,
      env: { OneDrive: `${home}\\OneDrive`, OneDriveConsumer: '', APPDATA: `${home}\\AppData\\Roaming` },
      files: {
        [`${home}\\AppData\\Roaming\\Dropbox\\info.json`]: '{"business":{"path":"D:\\\\Dropbox (Taller)"}}',
      },
    })
    const by = (folder: string) => sharingOf(folder, ours)?.by
    expect(by('c:\\users\\ANA\\onedrive\\Documentos\\Sello')).toBe('OneDrive')
    expect(by('D:\\Dropbox (Taller)\\sello')).toBe('Dropbox')
    expect(by(`${home}\\iCloudDrive\\sello`)).toBe('iCloud Drive')
    expect(by(`${home}\\AppData\\Roaming\\Sello`)).toBeUndefined()
    expect(by('D:\\Sello')).toBeUndefined()
  })

  test('no name alone, and nothing unreadable', () => {
    const files = { '/home/ana/.dropbox/info.json': '{"personal":' }
    expect(sharingOf('/home/ana/Dropbox/sello', computer({ files }))).toBeNull()
    const real = (): string => {
      throw Object.assign(new Error('No access.'), { code: 'EACCES' })
    }
    expect(sharingOf('/home/ana/OneDrive/sello', computer({ real, exists: () => false }))).toBeNull()
  })
})

describe('on this computer', () => {
  const options = (folder: string) => ({ folder, keychain: null, now: () => new Date(), create: true })

  test('a folder of its own is not shared', () => {
    expect(sharingOf(join(newFolder(), 'not', 'there', 'yet'))).toBeNull()
  })

  test('books in a synchronized folder are neither created nor opened nor restored, and nothing is changed', async () => {
    const synced = newFolder()
    const folder = join(synced, 'sello')
    const link = join(newFolder(), 'link')
    symlinkSync(synced, link)
    ;(await openStore(options(folder))).close()
    mkdirSync(join(synced, '.stfolder'))
    const before = readdirSync(folder)

    expect(await refusal(openStore(options(folder)))).toBe('folder_shared')
    expect(await refusal(openStore(options(join(link, 'sello'))))).toBe('folder_shared')
    expect(await refusal(openStore(options(join(synced, 'new'))))).toBe('folder_shared')
    const file = join(newFolder(), 'any.sellobak')
    writeFileSync(file, 'x')
    const request = { folder: join(synced, 'new'), file, code: null, keychain: null, now: () => new Date() }
    expect(await refusal(restoreBackup(request, { faultsOf: async () => [], reseal: () => {} }))).toBe(
      'folder_shared',
    )

    expect(readdirSync(folder)).toEqual(before)
    expect(existsSync(join(synced, 'new'))).toBe(false)
  })
})
