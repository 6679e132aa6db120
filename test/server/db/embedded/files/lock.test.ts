/** One Sello per store, also between processes, and released when one dies. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../../../server/db/embedded/store.ts'
import { refusal } from '../../../../support/books.ts'
import { startChild } from '../../../../support/children/run.ts'

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const open = (folder: string) =>
  openStore({ folder, keychain: null, now: () => new Date(), create: true, cacheKib: 1024 })

test('a second process is rejected while the first holds the store, and accepted after kill -9', async () => {
  const folder = folderOfTest()
  const holder = startChild('hold', [folder, 'none'])
  const first = await holder.line()
  expect(first).toMatchObject({ open: true, protection: 'file' })
  expect(await refusal(open(folder))).toBe('store_in_use')
  await holder.kill()
  const store = await open(folder)
  expect(store.storeId).toBe(first.storeId)
  expect(await startChild('hold', [folder, 'none']).line()).toMatchObject({
    open: false,
    code: 'store_in_use',
  })
  store.close()
})

test('a second opening in the same process is rejected, and the rejection releases nothing', async () => {
  const folder = folderOfTest()
  const store = await open(folder)
  expect(await refusal(open(folder))).toBe('store_in_use')
  expect(await refusal(open(folder))).toBe('store_in_use')
  store.close()
  store.close()
  ;(await open(folder)).close()
})

test('a failed opening releases the store', async () => {
  const folder = folderOfTest()
  ;(await open(folder)).close()
  rmSync(join(folder, 'master.key'))
  expect(await refusal(open(folder))).toBe('keychain_locked')
  expect(await refusal(open(folder))).toBe('keychain_locked')
})
