/** First data of the window: the session, its preferences and the recovery code. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listAudit } from '../../../../server/platform/audit/index.ts'
import { Session } from '../../../../server/app/session/contract.ts'
import { savePreferences } from '../../../../server/app/preferences/index.ts'
import { readPersonal, savePersonal } from '../../../../server/app/preferences/personal.ts'
import { confirmRecovery, revealRecovery } from '../../../../server/app/session/recovery-code.ts'
import { getSession } from '../../../../server/app/session/session.ts'
import { readRecoveryCode, unwrapMasterKey } from '../../../../server/db/embedded/keys/recovery-code.ts'
import { readRecoveryFile } from '../../../../server/db/embedded/store.ts'
import { embedded } from '../../../../server/db/embedded/port.ts'
import { openTestStore } from '../../../support/store.ts'

describe('the session', () => {
  test('of a new installation has no company and the default preferences', async () => {
    const world = await openTestStore()
    const session = await getSession(world.bookless(), {})
    expect(Session.parse(session)).toEqual(session)
    expect(session).toMatchObject({
      companies: [],
      preferences: { language: 'es', theme: 'system', activeBook: null },
      recovery: { confirmed: false },
      store: { keyProtection: 'file', dataFolder: world.folder, sandbox: false, restUrl: null },
    })
  })

  test('names the companies with their books', async () => {
    const world = await openTestStore()
    const books = await world.company({ tradeName: 'Talleres' })
    expect((await getSession(world.bookless(), {})).companies).toMatchObject([
      {
        tradeName: 'Talleres',
        nif: 'B12345674',
        books: [
          { id: books.live.publicId, mode: 'live' },
          { id: books.test.publicId, mode: 'test' },
        ],
      },
    ])
  })

  test('stores the given preferences and keeps the others', async () => {
    const world = await openTestStore()
    const { test: book } = await world.company()
    await savePreferences(world.bookless(), { theme: 'dark', activeBook: book.publicId })
    const kept = await savePreferences(world.bookless(), { language: 'en' })
    expect(kept).toMatchObject({
      theme: 'dark',
      language: 'en',
      activeBook: book.publicId,
      density: 'normal',
    })
    expect((await getSession(world.bookless(), {})).preferences).toEqual(kept)
  })

  test('reads preferences that another version saved: an unknown value falls back alone', async () => {
    const world = await openTestStore()
    const saved = {
      language: 'en',
      theme: 'sepia',
      textSize: 14,
      startPage: 'calendar',
      menu: 'warehouse',
      singleKeyShortcuts: 'no',
      hiddenPlaces: ['quotes', 'payroll'],
      notices: { mail: false, approvals: 'never', payroll: true },
      tour: 'seen',
      payroll: { shown: true },
    }
    await savePersonal(world.bookless(), 'preferences', saved)
    const session = await getSession(world.bookless(), {})
    expect(Session.parse(session)).toEqual(session)
    expect(session.preferences).toMatchObject({
      language: 'en',
      theme: 'system',
      textSize: 'normal',
      startPage: 'home',
      menu: null,
      singleKeyShortcuts: true,
      hiddenPlaces: ['quotes'],
      notices: { mail: false, approvals: true },
      tour: 'seen',
    })
    // The other version finds its own values again.
    await savePreferences(world.bookless(), { theme: 'dark' })
    expect(await readPersonal(world.bookless(), 'preferences')).toEqual({ ...saved, theme: 'dark' })
  })

  test.each([null, 'text', 7, [], ['es']])(
    'reads a setting that is no object as the defaults: %j',
    async (saved) => {
      const world = await openTestStore()
      await savePersonal(world.bookless(), 'preferences', saved)
      const { preferences } = await getSession(world.bookless(), {})
      expect(preferences).toMatchObject({ language: 'es', menu: null, startPage: 'home', textSize: 'normal' })
    },
  )

  test('does not switch to a book that does not exist', async () => {
    const world = await openTestStore()
    await expect(savePreferences(world.bookless(), { activeBook: 'book_nothing' })).rejects.toMatchObject({
      code: 'validation_failed',
      field: 'activeBook',
    })
    expect((await getSession(world.bookless(), {})).preferences.activeBook).toBeNull()
  })
})

describe('the recovery code', () => {
  test('is stored only after two of its groups were typed, and then opens the books', async () => {
    const world = await openTestStore()
    const { live } = await world.company()
    const { code, groups } = await revealRecovery(world.bookless(), {})
    expect(groups).toHaveLength(7)
    expect(code).toBe(groups.join('-'))
    expect(existsSync(join(world.folder, 'recovery.json'))).toBe(false)
    const typed = [2, 5].map((index) => ({ index, text: ` ${groups[index]!.toLowerCase()} ` }))
    expect(await confirmRecovery(world.bookless(), { groups: typed })).toEqual({
      confirmed: true,
      keyChanged: null,
    })
    expect((await getSession(world.bookless(), {})).recovery.confirmed).toBe(true)
    const key = unwrapMasterKey(
      readRecoveryFile(world.folder)!,
      readRecoveryCode(code)!,
      world.env.store.storeId,
    )
    expect(key?.length).toBe(32)
    expect((await listAudit(world.ctx(live), { action: 'recovery.confirmed' })).items).toHaveLength(1)
  })

  test('accepts letters that look like its digits as those digits', async () => {
    const world = await openTestStore()
    // A code is random: repeat until one has a digit that people write as a letter in two of its groups.
    let groups: string[] = []
    let indexes: number[] = []
    while (indexes.length < 2) {
      groups = (await revealRecovery(world.bookless(), {})).groups
      indexes = groups.flatMap((group, index) => (/[01]/.test(group) ? [index] : []))
    }
    const typed = indexes
      .slice(0, 2)
      .map((index) => ({ index, text: groups[index]!.replace(/0/g, 'o').replace(/1/g, 'l') }))
    expect(await confirmRecovery(world.bookless(), { groups: typed })).toEqual({
      confirmed: true,
      keyChanged: null,
    })
  })

  test('is not stored after a wrong group, which may be typed again', async () => {
    const world = await openTestStore()
    const { groups } = await revealRecovery(world.bookless(), {})
    const right = { index: 0, text: groups[0]! }
    await expect(
      confirmRecovery(world.bookless(), { groups: [right, { index: 3, text: 'UUUU' }] }),
    ).rejects.toMatchObject({
      code: 'recovery_code_wrong',
      details: { groups: [3] },
    })
    expect(embedded(world.env.store).hasRecoveryCode()).toBe(false)
    await confirmRecovery(world.bookless(), { groups: [right, { index: 3, text: groups[3]! }] })
    expect(embedded(world.env.store).hasRecoveryCode()).toBe(true)
  })

  test('is not proved by one group typed twice, nor is a code that was never shown', async () => {
    const world = await openTestStore()
    const none = [
      { index: 0, text: 'AAAA' },
      { index: 1, text: 'AAAA' },
    ]
    await expect(confirmRecovery(world.bookless(), { groups: none })).rejects.toMatchObject({
      code: 'recovery_code_wrong',
    })
    const { groups } = await revealRecovery(world.bookless(), {})
    const same = { index: 0, text: groups[0]! }
    await expect(confirmRecovery(world.bookless(), { groups: [same, same] })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  test('shown later replaces the one shown before, and the stored one is valid until then', async () => {
    const world = await openTestStore()
    const type = (groups: string[]) => ({ groups: [0, 1].map((index) => ({ index, text: groups[index]! })) })
    const first = await revealRecovery(world.bookless(), {})
    await confirmRecovery(world.bookless(), type(first.groups))
    const second = await revealRecovery(world.bookless(), {})
    const opens = (code: string) =>
      unwrapMasterKey(readRecoveryFile(world.folder)!, readRecoveryCode(code)!, world.env.store.storeId) !==
      null
    expect([opens(first.code), opens(second.code)]).toEqual([true, false])
    await confirmRecovery(world.bookless(), type(second.groups))
    expect([opens(first.code), opens(second.code)]).toEqual([false, true])
  })
})
