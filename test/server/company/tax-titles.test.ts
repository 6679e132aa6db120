/** Lists, accounts and texts of rectifying invoices name the tax of the company, and exported lists can be imported. */
import { expect, test } from 'vitest'
import { accountNames } from '../../../server/accounting/ledger/index.ts'
import { openWorld } from '../../support/world.ts'

const place = (postalCode: string) => ({
  address: { street: 'Calle Real, 1', postalCode, city: 'Ciudad', country: 'ES' },
})

test.each([
  ['mainland', '28013', 'IVA'],
  ['canary', '35002', 'IGIC'],
  ['ceuta_melilla', '51001', 'IPSI'],
] as const)('lists of a company of %s have columns of its tax', async (territory, postalCode, tax) => {
  const world = await openWorld({ company: { territory, ...place(postalCode) } })
  const titles = async (path: string): Promise<string> => {
    const answer = await world.post(path, {})
    expect(answer.status, path).toBe(200)
    return answer.raw.body.split('\n')[0] ?? ''
  }
  expect(await titles('/api/v1/items/export')).toContain(`;${tax} incluido;${tax} %;`)
  expect(await titles('/api/v1/invoices/export')).toContain(`;${tax};Total;`)
  expect(await titles('/api/v1/received-invoices/export')).toContain(`;Cuota ${tax};`)
  const named = await accountNames(world.ctx(), 'es')
  expect(named('4770700')).toBe(`${tax} repercutido 7 %`)
  expect(named('472')).toBe(`Hacienda Pública, ${tax} soportado`)
})
