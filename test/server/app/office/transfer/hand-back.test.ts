/** A company of an office as one file for its owner: what is in it, what is not, and who issues afterwards. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadContracts } from '../../../../../server/api/operations.ts'
import { restoreBooks } from '../../../../../server/app/maintenance/restore-books.ts'
import { shapeOfBuild } from '../../../../../server/app/company-rows/index.ts'
import type { CompanyDigest } from '../../../../../server/app/company-copy/digest.ts'
import {
  forgetCompany,
  handBackCompany,
  takeBackCompany,
} from '../../../../../server/app/office/transfer/index.ts'
import { newRecoveryCode } from '../../../../../server/db/embedded/keys/recovery-code.ts'
import { openDatabase } from '../../../../../server/db/embedded/open.ts'
import { startChild } from '../../../../support/children/run.ts'
import { diedAt } from '../../../../support/cuts/steps.ts'
import { decryptedBooks, unpackFixture } from '../../../../support/fixtures.ts'
import {
  bookOf,
  createFolder,
  databaseForTest,
  digestOfFolder,
  digestOfOffice,
  folderForTest,
  forServers,
  issueIn,
  now,
  openFolder,
  ownTemporaryFolder,
  run,
} from '../../../../support/office/folders.ts'
import { faultsOf, moveIn, moveOut, refusal, withOffice } from '../../../../support/office/moves.ts'
import { keyOf } from '../../../../support/key-of.ts'
import { ENGINE, testKey } from '../../../../support/postgres/databases.ts'

const OTHER_NIF = 'B65410011'

/** Hands a company back as a server of the office does, with the role of the servers. */
async function handBack(url: string, company: string, code = newRecoveryCode()) {
  const file = join(folderForTest(), 'empresa.sellobak')
  const result = await handBackCompany({
    office: { url: forServers(url), masterKey: testKey(), name: 'office.example', isPooled: true },
    company,
    code,
    to: file,
    version: '1.0.0',
    loadContracts,
    now,
  })
  return { file, code, ...result }
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  ((await refusal(work)) as [string] | null)?.[0] ?? 'done'

/** Opens the file in an empty folder, as the window of a desk does. */
async function restored(file: string, code: string | null): Promise<string> {
  const folder = join(folderForTest(), 'books')
  await restoreBooks({ folder, file, code, keychain: null, now })
  return folder
}

/** Counts the rows of every table of the books in a folder. */
function countsOf(folder: string): Record<string, number> {
  const { handle } = openDatabase({ folder, masterKey: keyOf(folder), role: 'reader', cacheKib: 1024 })
  const counts = [...shapeOfBuild().byName.keys()].map((name) => [
    name,
    handle.prepare(`select count(*) from "${name}"`).pluck().get() as number,
  ])
  handle.close()
  return Object.fromEntries(counts) as Record<string, number>
}

/** Returns the digest of each table. The file differs from the office in the chain of the live book alone, which waits. */
const tablesIn = ({ tables }: CompanyDigest): Record<string, unknown> =>
  Object.fromEntries([...tables].filter(([name]) => name !== 'registry_chains'))

async function twoCompanies() {
  const [made, other] = [folderForTest(), folderForTest()]
  const { company } = await createFolder(made, { invoices: 3 })
  const { company: otherCompany } = await createFolder(other, { invoices: 2, nif: OTHER_NIF })
  const { url, database } = await databaseForTest()
  await moveIn(made, url)
  await moveIn(other, url)
  return { made, company, otherCompany, url, database }
}

describe.runIf(ENGINE === 'pg')('a company that is handed back', () => {
  test('is opened by the restore of a desk with all its rows, and nothing of another company', async () => {
    const { made, company, otherCompany, url } = await twoCompanies()
    const temporary = ownTemporaryFolder()
    const before = await digestOfOffice(url, company)
    const { file, code, sha256, rows, left, checks, bytes } = await handBack(url, company)
    console.log(`handed back: ${rows} rows, ${checks} checks, ${bytes} bytes`)
    expect([sha256, left]).toEqual([before.sha256, []])
    const folder = await restored(file, code)
    expect(tablesIn(await digestOfFolder(folder))).toEqual(tablesIn(before))
    // All tables but those of an installation have the rows that the folder of the company had.
    const [own, first] = [countsOf(folder), countsOf(made)]
    const differing = Object.keys(own).filter((name) => own[name] !== first[name])
    expect(differing).toEqual([])
    const sello = await openFolder(folder)
    expect(await faultsOf(sello)).toEqual([])
    const book = await bookOf(sello, 'test', 0)
    expect((await run(sello, book, 'invoices.list', {})).items).toHaveLength(3)
    await sello.close()
    const content = decryptedBooks(folder)
    expect(content.includes('B12345674')).toBe(true)
    for (const foreign of [OTHER_NIF, otherCompany]) expect(content.includes(foreign), foreign).toBe(false)
    expect(readFileSync(file).includes('B12345674')).toBe(false)
    expect(readdirSync(temporary).filter((name) => name.startsWith('sello-hand-back-'))).toEqual([])
  })

  test('is only read in the office, gives the same rows again, and may be taken back', async () => {
    const { company, otherCompany, url } = await twoCompanies()
    await withOffice(url, async (office) => {
      const one = await handBack(url, company)
      const book = await bookOf(office, 'test', 0)
      expect((await run(office, book, 'invoices.list', {})).items).toHaveLength(3)
      expect(await refusal(issueIn(office, 'test', 0))).toEqual(['company_handed_back', undefined])
      expect(await issueIn(office, 'test', 1)).toMatch(/0003$/)
      const two = await handBack(url, company)
      expect([two.sha256, two.rows]).toEqual([one.sha256, one.rows])
      const [first, second] = [await restored(one.file, one.code), await restored(two.file, two.code)]
      expect((await digestOfFolder(first)).sha256).toBe((await digestOfFolder(second)).sha256)
      // Neither moves elsewhere meanwhile, nor is removed.
      expect(await codeOf(moveOut(company, url, join(folderForTest(), 'x')))).toBe('company_moving')
      const address = { url, masterKey: testKey(), name: 'office.example' }
      expect(await codeOf(forgetCompany({ office: address, company, prove: async () => {} }))).toBe(
        'company_here',
      )
      const servers = { ...address, url: forServers(url), isPooled: true }
      await takeBackCompany({ office: servers, company, now })
      expect(await issueIn(office, 'test', 0)).toMatch(/0004$/)
      // Both places wait for somebody to begin a new installation of the live book.
      const live = await bookOf(office, 'live', 0)
      expect((await run(office, live, 'registry.status', {})).chain.held).toBe('restored_copy')
      expect(await refusal(takeBackCompany({ office: servers, company, now }))).toMatchObject([
        'company_here',
        { state: 'open' },
      ])
      expect(await codeOf(handBack(url, 'com_missing'))).toBe('company_not_here')
      expect((await digestOfOffice(url, otherCompany)).rows).toBeGreaterThan(0)
    })
  })

  test('on the desk issues in its live book only as a new installation', async () => {
    const { company, url } = await twoCompanies()
    const { file, code } = await handBack(url, company)
    const sello = await openFolder(await restored(file, code))
    const live = await bookOf(sello, 'live', 0)
    expect((await run(sello, live, 'registry.status', {})).chain.held).toBe('restored_copy')
    expect(await issueIn(sello, 'test', 0)).toMatch(/0004$/)
    await sello.close()
  })

  test('with a wrong code, torn or changed, is refused and nothing is written', async () => {
    const { company, url } = await twoCompanies()
    const { file, code } = await handBack(url, company)
    const folder = join(folderForTest(), 'books')
    const opened = (path: string, typed: string | null) =>
      codeOf(restoreBooks({ folder, file: path, code: typed, keychain: null, now }))
    const changed = (name: string, change: (path: string) => void): string => {
      const path = join(folderForTest(), name)
      copyFileSync(file, path)
      change(path)
      return path
    }
    expect(await opened(file, newRecoveryCode())).toBe('recovery_code_wrong')
    expect(await opened(file, 'AAAA')).toBe('recovery_code_wrong')
    expect(await opened(file, null)).toBe('recovery_code_wrong')
    const { length } = readFileSync(file)
    for (const size of [4, 40, 2_000, Math.floor(length / 2), length - 1])
      expect(
        await opened(
          changed('torn.sellobak', (path) => truncateSync(path, size)),
          code,
        ),
        String(size),
      ).toBe(size < 8 ? 'backup_unknown' : 'backup_damaged')
    for (const at of [20, 700, 5_000, Math.floor(length / 2), length - 1]) {
      const path = changed('changed.sellobak', (name) => {
        const content = readFileSync(name)
        content[at] = (content[at] ?? 0) ^ 1
        writeFileSync(name, content)
      })
      expect(['backup_damaged', 'recovery_code_wrong', 'backup_unknown', 'store_newer']).toContain(
        await opened(path, code),
      )
    }
    expect(() => readdirSync(folder)).toThrow('ENOENT')
    expect(await codeOf(handBack(url, company, 'not a code'))).toBe('validation_failed')
  })

  test('after a kill has no file, and is handed back by the same call', async () => {
    const { company, url } = await twoCompanies()
    const code = newRecoveryCode()
    const temporary = ownTemporaryFolder()
    const { sha256 } = await digestOfOffice(url, company)
    for (const step of ['transfer.source_held', 'transfer.copied', 'transfer.finished'] as const) {
      const file = join(folderForTest(), 'empresa.sellobak')
      await diedAt(startChild('transfer', [step, '1', JSON.stringify({ company, url, file, code })]), step)
      expect(existsSync(file), step).toBe(false)
      await withOffice(url, async (office) => {
        expect(await codeOf(issueIn(office, 'test', 0)), step).toBe('company_handed_back')
      })
      // Nobody has the key of what is left.
      const left = readdirSync(temporary).filter((name) => name.startsWith('sello-hand-back-'))
      expect(left, step).toHaveLength(1)
      for (const name of left) {
        expect(readdirSync(join(temporary, name)), step).not.toContain('master.key')
        expect(await codeOf(openFolder(join(temporary, name))), step).toBe(
          step === 'transfer.source_held' ? 'store_missing' : 'keychain_locked',
        )
        rmSync(join(temporary, name), { recursive: true })
      }
    }
    expect((await handBack(url, company, code)).sha256).toBe(sha256)
  })

  test('has every kind of record that books can have', async () => {
    const folder = folderForTest()
    unpackFixture(18, folder)
    const { url } = await databaseForTest()
    const { companies } = await moveIn(folder, url)
    for (const { id, sha256 } of companies) {
      const before = tablesIn(await digestOfOffice(url, id))
      const { file, code, ...made } = await handBack(url, id)
      expect(made.sha256).toBe(sha256)
      const desk = await restored(file, code)
      expect(tablesIn(await digestOfFolder(desk))).toEqual(before)
      const sello = await openFolder(desk)
      expect(await faultsOf(sello)).toEqual([])
      await sello.close()
      const content = decryptedBooks(desk)
      const others = companies.filter((each) => each.id !== id)
      for (const other of others) expect(content.includes(other.id)).toBe(false)
      console.log(`handed back: ${made.rows} rows of schema 18`)
    }
  })
})
