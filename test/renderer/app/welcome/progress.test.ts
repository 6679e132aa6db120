/** Progress of the set-up across a reload. */
import { expect, test } from 'vitest'
import {
  forgetProgress,
  saveLogo,
  saveProgress,
  savedLogo,
  savedProgress,
} from '../../../../renderer/app/welcome/progress.ts'

class Memory implements Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  readonly entries = new Map<string, string>()
  private readonly quota: number
  constructor(quota = Infinity) {
    this.quota = quota
  }
  getItem(name: string): string | null {
    return this.entries.get(name) ?? null
  }
  setItem(name: string, text: string): void {
    if (text.length > this.quota) throw new DOMException('Full', 'QuotaExceededError')
    this.entries.set(name, text)
  }
  removeItem(name: string): void {
    this.entries.delete(name)
  }
}

const LOGO = { base64: 'iVBORw0K', url: 'data:image/png;base64,iVBORw0K', width: 40, height: 20, bytes: 6 }
const STEP = { step: 'look' as const, another: false, typed: { iban: 'ES91' } }

test('the chosen logo is restored with the typed values, and removed with them', () => {
  const storage = new Memory()
  saveProgress(storage, STEP)
  saveLogo(storage, LOGO)
  expect([savedProgress(storage), savedLogo(storage)]).toEqual([STEP, LOGO])
  saveLogo(storage, null)
  expect([savedProgress(storage), savedLogo(storage)]).toEqual([STEP, null])
  saveLogo(storage, LOGO)
  forgetProgress(storage)
  expect(storage.entries.size).toBe(0)
})

test("a logo over the browser's quota leaves the rest unchanged", () => {
  const storage = new Memory(120)
  saveProgress(storage, STEP)
  saveLogo(storage, { ...LOGO, url: `data:image/png;base64,${'A'.repeat(200)}` })
  expect([savedProgress(storage), savedLogo(storage)]).toEqual([STEP, null])
})

test.each(['', '{', '{"url":"https://example.test/a.png","width":1,"height":1}', '{"url":1}'])(
  'an invalid logo (%j) is none',
  (text) => {
    const storage = new Memory()
    storage.setItem('sello.welcome.logo', text)
    expect(savedLogo(storage)).toBeNull()
  },
)
