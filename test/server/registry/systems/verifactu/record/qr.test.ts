import { expect, test } from 'vitest'
import { qrAddress, qrUrl } from '../../../../../../server/registry/systems/verifactu/record/qr.ts'
import vectors from '../../../vectors.json' with { type: 'json' }

test.each(vectors.qr)(
  'the address matches the published example $url',
  ({ environment, nif, number, date, amount, url }) => {
    expect(qrAddress(environment as 'production' | 'test', nif, number, date, amount)).toBe(url)
  },
)

test("an invoice's address has exactly four parameters, in order, that a form parser returns", () => {
  const facts = { issuerNif: '89890001K', number: 'A/1 &+#%ñ', issueDate: '2026-11-16', totalCents: -24_140 }
  const url = new URL(qrUrl('test', facts))
  expect(url.origin + url.pathname).toBe('https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR')
  expect([...url.searchParams]).toEqual([
    ['nif', '89890001K'],
    ['numserie', 'A/1 &+#%ñ'],
    ['fecha', '16-11-2026'],
    ['importe', '-241.40'],
  ])
  expect(url.hash).toBe('')
})

test('a test invoice never carries the address of the real registry', () => {
  const facts = { issuerNif: '89890001K', number: 'T-F2026-0001', issueDate: '2026-11-16', totalCents: 1 }
  expect(qrUrl('test', facts)).not.toContain('agenciatributaria')
  expect(qrUrl('production', facts)).toContain('https://www2.agenciatributaria.gob.es/')
})
