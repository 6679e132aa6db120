/** Life of the company's certificate: imported, used, replaced, removed; its key exists only sealed in the store. */
import { inEmbedded } from '../../../support/engines.ts'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listAudit, verifyAudit } from '../../../../server/platform/audit/index.ts'
import {
  certificateState,
  credentialOf,
  getCertificate,
  hasHadCertificate,
  importCertificate,
  removeCertificate,
} from '../../../../server/company/certificates/index.ts'
import type { CompanyOfBook } from '../../../../server/company/certificates/index.ts'
import { currentCompany, findCompany } from '../../../../server/company/index.ts'
import { booksOfCompany } from '../../../../server/platform/books/index.ts'
import type { InputOf } from '../../../../server/api/contracts.ts'
import { eventsAfter, newestEventId } from '../../../../server/platform/events/index.ts'
import type { Ctx } from '../../../../server/context.ts'
import { fingerprintOf, makeP12 } from '../../../support/files/certificates.ts'
import type { CertificateWish } from '../../../support/files/certificates.ts'
import { allPages, piecesHeld, piecesOf } from '../../../support/checks/store-pages.ts'
import { openTestStore } from '../../../support/store.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const AT = '2026-07-01T10:00:00+02:00'
const PASSWORD = 'contraseña ñ€'

const OF: CompanyOfBook = { company: findCompany, books: (ctx) => booksOfCompany(ctx.db, ctx.book.companyId) }
const importFor = importCertificate(OF)
const removeFor = removeCertificate(OF)

async function open(options: Parameters<typeof openTestStore>[0] = {}) {
  const store = await openTestStore({ at: AT, ...options })
  const books = await store.company()
  return { ...store, books, live: store.ctx(books.live), test: store.ctx(books.test) }
}

function inputOf(p12: Buffer, password = PASSWORD): InputOf<'certificates.import'> {
  return { file: p12.toString('base64'), password }
}

async function importInto(ctx: Ctx, wish: Partial<CertificateWish> = {}) {
  const made = makeP12(wish)
  return { made, ...(await importFor(ctx, inputOf(made.p12, wish.password ?? PASSWORD))) }
}

describe('an imported certificate', () => {
  test('is shown with its holder and its dates, in both books', async () => {
    const { live, test: testBook } = await open()
    expect(await getCertificate(live, {})).toEqual({ certificate: null })
    const { made, certificate, warnings } = await importInto(live)
    expect(warnings).toEqual([])
    expect(certificate).toEqual({
      id: expect.stringMatching(/^cert_[0-9a-z]{16}$/),
      kind: 'representative',
      subject:
        'CN=12345678Z ANA MARÍA NÚÑEZ GÜELL (R: B12345674), O=Talleres Ejemplo, S.L., ' +
        'organizationIdentifier=VATES-B12345674, SN=María Núñez Güell, GN=Ana, serialNumber=IDCES-12345678Z, C=ES',
      holderName: 'Ana María Núñez Güell',
      holderNif: '12345678Z',
      organizationNif: 'B12345674',
      issuer: 'AC RAIZ FNMT-RCM',
      serial: new X509Certificate(made.certPem).serialNumber,
      fingerprint: fingerprintOf(made.certPem),
      keyType: 'ec',
      validFrom: '2025-01-01T00:00:00.000Z',
      validTo: '2028-12-31T23:59:59.000Z',
      status: 'ok',
      daysLeft: 915,
      importedAt: '2026-07-01T08:00:00.000Z',
    })
    expect(await getCertificate(live, {})).toEqual({ certificate })
    expect(await getCertificate(testBook, {})).toEqual({ certificate })
  })

  test('gives its key and chain to the connection, unchanged from the file', async () => {
    const { live, test: testBook } = await open()
    expect(await credentialOf(live)).toBeNull()
    const { made, certificate } = await importInto(live, { keyType: 'rsa', intermediate: true })
    const credential = await credentialOf(live)
    expect(credential).toMatchObject({
      certificateId: certificate.id,
      kind: 'representative',
      chainPem: made.chainPem,
      keyPem: made.keyPem,
      fingerprint: fingerprintOf(made.certPem),
      validFrom: Date.parse('2025-01-01T00:00:00Z'),
      validTo: Date.parse('2028-12-31T23:59:59Z'),
      holderName: 'Ana María Núñez Güell',
      holderNif: '12345678Z',
      organizationNif: 'B12345674',
    })
    const leaf = new X509Certificate(credential?.chainPem ?? '')
    expect(leaf.checkPrivateKey(createPrivateKey(credential?.keyPem ?? ''))).toBe(true)
    expect(await credentialOf(testBook)).toEqual(credential)
  })

  longTest(
    'may belong to a social collaborator: a representative of another entity causes a warning, and works',
    async () => {
      const { live } = await open()
      const { certificate, warnings } = await importInto(live, { organizationNif: 'A58818501' })
      expect(warnings.map(({ code }) => code)).toEqual(['certificate_third_party'])
      expect(certificate.organizationNif).toBe('A58818501')
      expect(await credentialOf(live)).not.toBeNull()
    },
  )

  test('belongs to its company alone', async () => {
    const { live, company, ctx } = await open()
    await importInto(live)
    const others = await company({ nif: '12345678Z', legalName: 'Ana Ruiz' })
    expect(await getCertificate(ctx(others.live), {})).toEqual({ certificate: null })
    expect(await credentialOf(ctx(others.live))).toBeNull()
    expect(await certificateState(ctx(others.live))).toEqual({ status: 'missing' })
  })

  test('is recorded in the history and sent to the window in both books, without a secret', async () => {
    const { live, test: testBook, env, wakes } = await open()
    const before = await newestEventId(env.store.reader)
    wakes.length = 0
    const { certificate } = await importInto(testBook)
    expect(wakes).toContain('sender')
    const events = await eventsAfter(env.store.reader, before)
    expect(events.map(({ mode, type, data }) => ({ mode, type, data }))).toEqual([
      { mode: 'live', type: 'certificate.changed', data: { certificateId: certificate.id } },
      { mode: 'test', type: 'certificate.changed', data: { certificateId: certificate.id } },
    ])
    for (const ctx of [live, testBook]) {
      const { items } = await listAudit(ctx, { limit: 50 })
      expect(items[0]).toMatchObject({
        action: 'certificate.imported',
        target: { type: 'certificate', id: certificate.id, label: 'Ana María Núñez Güell' },
        outcome: 'ok',
      })
      expect(await verifyAudit(ctx, {})).toMatchObject({ ok: true })
    }
  })

  test('is rejected as a whole when anything is wrong: nothing is stored, and the earlier one stays', async () => {
    const { live } = await open()
    const { certificate } = await importInto(live)
    const refusals: [InputOf<'certificates.import'>, object][] = [
      [inputOf(makeP12({ to: '2026-06-30T00:00:00Z' }).p12), { code: 'certificate_expired' }],
      [inputOf(makeP12({ from: '2026-07-02T00:00:00Z' }).p12), { code: 'certificate_expired' }],
      [inputOf(makeP12({ keyType: 'rsa1024' }).p12), { code: 'certificate_invalid' }],
      [inputOf(makeP12().p12, 'wrong'), { code: 'certificate_password', field: 'password' }],
      [inputOf(Buffer.from('garbage')), { code: 'certificate_invalid', details: { why: 'unreadable' } }],
    ]
    // Each starts a process; files.test.ts reads the faults of a file without one.
    for (const [input, refusal] of swept(refusals, (_, index) => index === 0 || index === 3))
      await expect(importFor(live, input)).rejects.toMatchObject(refusal)
    expect(await getCertificate(live, {})).toEqual({ certificate })
    const rows = await live.db.selectFrom('certificates').select('id').execute()
    expect(rows).toHaveLength(1)
  })

  longTest('of a private authority is accepted with a warning, and in a sandbox without one', async () => {
    const { live } = await open()
    const codes = (await importInto(live, { issuer: 'Casera' })).warnings.map((one) => one.code)
    expect(codes).toEqual(['certificate_unknown_issuer'])
    const sandbox = await open({ environment: { sandbox: true } })
    expect((await importInto(sandbox.live, { issuer: 'Casera' })).warnings).toEqual([])
  })
})

describe('readiness of a live book', () => {
  const codes = async (ctx: Ctx) =>
    (await currentCompany(ctx, {})).readiness
      .map((one) => one.code)
      .filter((code) => code !== 'producer_missing')

  test('requires the first certificate, and no later one', async () => {
    const { live, test: testBook, setTime } = await open()
    expect(await hasHadCertificate(live)).toBe(false)
    expect(await codes(live)).toEqual(['certificate_missing'])
    expect(await codes(testBook)).toEqual([])
    await importInto(live)
    expect(await codes(live)).toEqual([])
    setTime('2029-01-01T10:00:00+01:00')
    expect((await currentCompany(live, {})).certificate.status).toBe('expired')
    expect(await codes(live)).toEqual([])
    await removeFor(live, {})
    expect((await currentCompany(live, {})).certificate).toEqual({ status: 'missing' })
    expect(await codes(live)).toEqual([])
    expect(await hasHadCertificate(live)).toBe(true)
  })
})

test('the state follows the calendar day in Spain, and validity ends at the second', async () => {
  const { live, setTime } = await open()
  // Still the 15th in London when it is the 16th in Madrid.
  await importInto(live, { to: '2026-08-15T22:30:00Z' })
  const cases: [string, string, number][] = [
    ['2026-07-16T23:59:59+02:00', 'ok', 31],
    ['2026-07-17T00:00:00+02:00', 'expiring', 30],
    ['2026-08-15T12:00:00+02:00', 'expiring', 1],
    ['2026-08-16T00:30:00+02:00', 'expiring', 0],
    ['2026-08-16T00:30:01+02:00', 'expired', 0],
    ['2027-01-01T00:00:00+01:00', 'expired', 0],
  ]
  for (const [at, status, daysLeft] of cases) {
    setTime(at)
    const expected = { status, subject: 'Ana María Núñez Güell', expiresOn: '2026-08-16', daysLeft }
    expect(await certificateState(live), at).toEqual(expected)
    expect((await getCertificate(live, {})).certificate, at).toMatchObject({ status, daysLeft })
  }
  setTime('2024-01-01T00:00:00+01:00')
  expect((await getCertificate(live, {})).certificate?.status).toBe('not_yet_valid')
})

describe('a replaced or removed key', () => {
  const sealedKey = async (ctx: Ctx): Promise<string> => {
    const row = await ctx.db
      .selectFrom('certificates')
      .select('sealed_key')
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow()
    return row.sealed_key ?? ''
  }
  inEmbedded(test)('is erased from every page of the file and of its log', async () => {
    const { live, folder } = await open()
    const first = await importInto(live, { keyType: 'rsa' })
    const sealed = await sealedKey(live)
    // Also proves that reading pages works: the key is there while it is in use.
    expect(piecesHeld(folder, sealed)).toBeGreaterThan(piecesOf(sealed).length - 3)

    const second = await importInto(live, { keyType: 'rsa', freshKey: true })
    expect(second.certificate.id).not.toBe(first.certificate.id)
    expect(piecesHeld(folder, sealed)).toBe(0)
    const replaced = await sealedKey(live)
    expect(piecesHeld(folder, replaced)).toBeGreaterThan(piecesOf(replaced).length - 3)

    expect(await removeFor(live, {})).toEqual({ removed: true })
    expect(piecesHeld(folder, replaced)).toBe(0)
    expect(await credentialOf(live)).toBeNull()
    expect(await getCertificate(live, {})).toEqual({ certificate: null })
    // Their description stays, for the history.
    const rows = await live.db.selectFrom('certificates').select(['sealed_key', 'removed_at']).execute()
    expect(rows).toEqual([
      { sealed_key: null, removed_at: Date.parse(AT) },
      { sealed_key: null, removed_at: Date.parse(AT) },
    ])
    await expect(removeFor(live, {})).rejects.toMatchObject({ code: 'not_found' })
  })

  longTest('is erased also while other work runs in the store', async () => {
    const { live, folder, env } = await open()
    await importInto(live, { keyType: 'rsa' })
    const sealed = await sealedKey(live)
    const removal = removeFor(live, {})
    // They queue behind it, so the next has begun when it is committed.
    const work = Array.from({ length: 30 }, () =>
      env.store.transaction(null, async () => new Promise((resolve) => setImmediate(resolve))),
    )
    const [removed] = await Promise.all([removal, ...work])
    expect(removed).toEqual({ removed: true })
    expect(piecesHeld(folder, sealed)).toBe(0)
  })

  test('is reported to both books', async () => {
    const { live, env } = await open()
    const { certificate } = await importInto(live)
    const before = await newestEventId(env.store.reader)
    await removeFor(live, {})
    const events = await eventsAfter(env.store.reader, before)
    expect(events.map(({ mode, type }) => `${mode} ${type}`)).toEqual([
      'live certificate.changed',
      'test certificate.changed',
    ])
    const { items } = await listAudit(live, { limit: 50 })
    expect(items[0]).toMatchObject({ action: 'certificate.removed', target: { id: certificate.id } })
  })

  longTest('was sealed for its own row only', async () => {
    const { live } = await open()
    await importInto(live)
    const stolen = await sealedKey(live)
    await importInto(live, { freshKey: true })
    await live.transaction((tx) =>
      tx.db.updateTable('certificates').set({ sealed_key: stolen }).where('removed_at', 'is', null).execute(),
    )
    await expect(credentialOf(live)).rejects.toThrow()
  })
})

inEmbedded(describe)('password and key', () => {
  test('are in no file of the data folder', async () => {
    const password = 'CANARY-clave-ñ-9f2c'
    const { live, folder } = await open()
    const { made } = await importInto(live, { keyType: 'rsa', freshKey: true, password })
    const der = createPrivateKey(made.keyPem).export({ type: 'pkcs8', format: 'der' })
    // Within the private exponent: the modulus before it is public, and in the certificate.
    const canaries = [
      Buffer.from(password, 'utf8'),
      Buffer.from(password, 'utf16le'),
      Buffer.from(made.keyPem.split('\n')[10] ?? '', 'ascii'),
      der.subarray(400, 440),
      Buffer.from(der.subarray(399, 441).toString('base64'), 'ascii'),
      Buffer.from(der.subarray(400, 440).toString('hex'), 'ascii'),
      made.p12.subarray(200, 240),
    ]
    for (const canary of canaries) expect(canary.length).toBeGreaterThan(19)
    for (const name of readdirSync(folder)) {
      const content = readFileSync(join(folder, name))
      for (const canary of canaries) expect(content.includes(canary), name).toBe(false)
    }
    // Nor inside the store's own encryption, which contains only the sealed key.
    const pages = allPages(folder)
    for (const canary of canaries) expect(pages.includes(canary)).toBe(false)
  })
})
