/** Warnings before a certificate expires: once for each step, certificate and book. */
import { expect, test } from 'vitest'
import { listAudit } from '../../../../server/platform/audit/index.ts'
import {
  importCertificate,
  removeCertificate,
  watchCertificates,
} from '../../../../server/company/certificates/index.ts'
import type { CompanyOfBook } from '../../../../server/company/certificates/index.ts'
import { findCompany } from '../../../../server/company/index.ts'
import { booksOfCompany } from '../../../../server/platform/books/index.ts'
import { eventsAfter, newestEventId } from '../../../../server/platform/events/index.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { openTestStore } from '../../../support/store.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const OF: CompanyOfBook = { company: findCompany, books: (ctx) => booksOfCompany(ctx.db, ctx.book.companyId) }

async function open() {
  const store = await openTestStore({ at: '2026-01-10T09:00:00+01:00' })
  const books = await store.company()
  const contexts = [store.ctx(books.live), store.ctx(books.test)]
  const live = store.ctx(books.live)
  const { env } = store
  return {
    live,
    setTime: store.setTime,
    importUntil: (to: string) => {
      const { p12 } = makeP12({ password: 'clave', to })
      return importCertificate(OF)(live, { file: p12.toString('base64'), password: 'clave' })
    },
    /** Returns the warnings of maintenance at an instant: `mode daysLeft expiresOn`, with `ended` after expiry. */
    watchAt: async (at: string): Promise<string[]> => {
      store.setTime(at)
      const before = await newestEventId(env.store.reader)
      for (const ctx of contexts) await watchCertificates(ctx)
      // A second run finds nothing new.
      for (const ctx of contexts) await watchCertificates(ctx)
      const events = await eventsAfter(env.store.reader, before)
      return events.map(({ mode, type, data }) => {
        expect(['certificate.expiring', 'certificate.expired']).toContain(type)
        const left = type === 'certificate.expired' ? 'ended' : String(data.daysLeft)
        return `${mode} ${left} ${String(data.expiresOn)}`
      })
    },
  }
}

const both = (text: string): string[] => [`live ${text}`, `test ${text}`]

test('with 30, 15, 7 and 1 days left and at expiry both books are warned, once each', async () => {
  const { live, importUntil, watchAt } = await open()
  await importUntil('2026-03-01T12:00:00Z')
  const days: [string, string[]][] = [
    ['2026-01-29T23:59:00+01:00', []],
    ['2026-01-30T00:00:00+01:00', both('30 2026-03-01')],
    ['2026-01-31T10:00:00+01:00', []],
    ['2026-02-14T10:00:00+01:00', both('15 2026-03-01')],
    ['2026-02-22T10:00:00+01:00', both('7 2026-03-01')],
    ['2026-02-27T10:00:00+01:00', []],
    ['2026-02-28T00:00:01+01:00', both('1 2026-03-01')],
    ['2026-03-01T13:00:00+01:00', []],
    ['2026-03-01T13:00:01+01:00', both('ended 2026-03-01')],
    ['2026-04-01T13:00:00+02:00', []],
  ]
  for (const [at, said] of days) expect(await watchAt(at), at).toEqual(said)
  const { items } = await listAudit(live, { limit: 50 })
  expect(items.slice(0, 6).map((item) => item.action)).toEqual([
    'certificate.expired',
    'certificate.expiring',
    'certificate.expiring',
    'certificate.expiring',
    'certificate.expiring',
    'certificate.imported',
  ])
})

longTest('after an interruption only the current step is reported', async () => {
  const { importUntil, watchAt } = await open()
  await importUntil('2026-03-01T12:00:00Z')
  expect(await watchAt('2026-02-24T10:00:00+01:00')).toEqual(both('5 2026-03-01'))
  expect(await watchAt('2026-03-20T10:00:00+01:00')).toEqual(both('ended 2026-03-01'))
})

test('a clock set back repeats no step', async () => {
  const { importUntil, watchAt } = await open()
  await importUntil('2026-03-01T12:00:00Z')
  expect(await watchAt('2026-02-23T10:00:00+01:00')).toEqual(both('6 2026-03-01'))
  expect(await watchAt('2026-02-05T10:00:00+01:00')).toEqual([])
  expect(await watchAt('2026-02-28T10:00:00+01:00')).toEqual(both('1 2026-03-01'))
})

test('a new certificate starts with new steps, and a removed one is not watched', async () => {
  const { live, importUntil, watchAt } = await open()
  expect(await watchAt('2026-01-10T10:00:00+01:00')).toEqual([])
  await importUntil('2026-02-01T12:00:00Z')
  expect(await watchAt('2026-01-10T10:00:00+01:00')).toEqual(both('22 2026-02-01'))
  await importUntil('2026-02-05T12:00:00Z')
  expect(await watchAt('2026-01-10T10:00:00+01:00')).toEqual(both('26 2026-02-05'))
  await removeCertificate(OF)(live, {})
  expect(await watchAt('2026-02-05T10:00:00+01:00')).toEqual([])
})
