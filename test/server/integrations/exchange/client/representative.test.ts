/**
 * Two companies of one adviser at a platform over mutual TLS, through the work of the program: with a certificate of their own,
 * with that of a representative who has the power, and with that of one who has none.
 */
import { expect, onTestFinished, test } from 'vitest'
import { createSystemCtx } from '../../../../../server/context.ts'
import type { Book, Ctx } from '../../../../../server/context.ts'
import { portFor } from '../../../../../server/integrations/exchange/index.ts'
import { exchangeTurn } from '../../../../../server/integrations/exchange/sending/turn.ts'
import { startPlatformServer } from '../../../../../server/integrations/exchange/simulator/server.ts'
import { CLIENT_ADDRESS, openBooks, refused } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { makeP12 } from '../../../../support/files/certificates.ts'
import { EXAMPLE_COMPANY } from '../../../../support/store.ts'

const AT = '2027-10-07T10:00:00Z'
const ADVISER = '12345678Z'
const OTHER = 'A58818501'
const YEARS = { from: '2025-01-01T00:00:00Z', to: '2039-01-01T00:00:00Z', password: 'clave' }

const sealOf = (organizationNif: string, organization: string) =>
  makeP12({ kind: 'seal', organization, organizationNif, ...YEARS })
const personOf = (nif: string) => makeP12({ kind: 'person', nif, ...YEARS })
const fileOf = ({ p12 }: { p12: Buffer }) => ({ file: p12.toString('base64'), password: YEARS.password })

async function opened() {
  let world: TestBooks | null = null
  let now = Date.parse(AT)
  const platform = await startPlatformServer({ now: () => new Date(now), controlPort: 0 })
  onTestFinished(() => platform.close())
  world = await openBooks({
    at: AT,
    environment: {
      sandbox: true,
      platformMockEndpoint: { url: platform.url, caPem: platform.caPem },
    },
  })
  const books = world
  const other = await books.company({ legalName: 'Comercial Sur, S.A.', nif: OTHER })
  return {
    books,
    platform,
    first: books.books.live,
    second: other.live,
    /** Says who may act for whom. */
    async powers(powers: readonly { nif: string; for: string; as: 'attorney' | 'collaborator' }[]) {
      const answer = await fetch(platform.controlUrl ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ powers }),
      })
      expect(answer.status).toBe(200)
    },
    /** Does what is due a while later, and returns what keeps the book from the platform. */
    async turn(book: Book): Promise<{ code: string; detail: string | null } | null> {
      now += 2 * 3_600_000
      books.setTime(new Date(now).toISOString())
      await exchangeTurn(createSystemCtx(books.env, book), portFor)
      return (await books.run('exchange.due', {}, books.ctx(book))).fault
    },
  }
}

/** Turns sending on, and issues an invoice to the other company. */
async function issue(books: TestBooks, ctx: Ctx, clientNif: string): Promise<string> {
  await books.run('exchange.setSettings', { sending: true }, ctx)
  const invoice = await books.invoice(
    { clientNif, clientName: 'Cliente', client: { address: CLIENT_ADDRESS } },
    ctx,
  )
  return invoice.id
}

async function stateOf(books: TestBooks, ctx: Ctx, invoiceId: string): Promise<string | undefined> {
  return (await books.run('exchange.list', { invoiceId }, ctx)).items[0]?.state
}

test('a company sends with its own certificate, and another one of the adviser receives', async () => {
  const { books, platform, first, second, turn } = await opened()
  const [ctx, theirs] = [books.ctx(first), books.ctx(second)]
  await books.run('certificates.import', fileOf(sealOf(EXAMPLE_COMPANY.nif, EXAMPLE_COMPANY.legalName)), ctx)
  await books.run('certificates.import', fileOf(sealOf(OTHER, 'Comercial Sur, S.A.')), theirs)
  await books.run('exchange.setSettings', { sending: true }, theirs)
  const id = await issue(books, ctx, OTHER)
  expect(await turn(first)).toBeNull()
  expect(await stateOf(books, ctx, id)).toBe('admitted')
  expect(platform.state.all()).toMatchObject([{ presenterNif: EXAMPLE_COMPANY.nif, recipientTaxId: OTHER }])
  expect(await turn(second)).toBeNull()
  expect((await books.run('exchange.list', { direction: 'received' }, theirs)).items).toMatchObject([
    { issuerNif: EXAMPLE_COMPANY.nif, state: 'open' },
  ])
  // Each book has what is its own.
  expect((await books.run('exchange.list', { direction: 'received' }, ctx)).items).toEqual([])
})

test('an adviser acts for one company with a power, and for another without one', async () => {
  const { books, platform, first, second, powers, turn } = await opened()
  const [ctx, theirs] = [books.ctx(first), books.ctx(second)]
  await powers([{ nif: ADVISER, for: EXAMPLE_COMPANY.nif, as: 'attorney' }])
  for (const each of [ctx, theirs]) await books.run('certificates.import', fileOf(personOf(ADVISER)), each)
  const id = await issue(books, ctx, OTHER)
  const theirId = await issue(books, theirs, EXAMPLE_COMPANY.nif)

  // Nobody has stated that the holder acts for them: nothing leaves.
  expect(await turn(first)).toMatchObject({ code: 'representation_missing' })
  expect(platform.state.all()).toEqual([])
  const settings = await books.run('exchange.settings', {}, ctx)
  expect(settings).toMatchObject({ representation: null, certificateHolder: { nif: ADVISER } })
  const representation = { as: 'attorney' as const, nif: ADVISER }
  for (const each of [ctx, theirs]) await books.run('exchange.setSettings', { representation }, each)

  expect(await turn(first)).toBeNull()
  expect(await stateOf(books, ctx, id)).toBe('admitted')
  expect(platform.state.all()).toMatchObject([
    { presenterNif: ADVISER, invoice: { issuerTaxId: EXAMPLE_COMPANY.nif } },
  ])

  // The platform knows of no power for the second company.
  expect(await turn(second)).toMatchObject({ code: 'not_allowed', detail: expect.stringContaining('SPFE-') })
  expect(await stateOf(books, theirs, theirId)).toBe('to_send')
  expect(platform.state.all()).toHaveLength(1)

  // With one it goes on by itself, and the first one's answers are unchanged.
  await powers([ADVISER_FOR(EXAMPLE_COMPANY.nif), ADVISER_FOR(OTHER)])
  expect(await turn(second)).toBeNull()
  expect(await stateOf(books, theirs, theirId)).toBe('admitted')
  await turn(first)
  expect((await books.run('exchange.list', { direction: 'received' }, ctx)).items).toMatchObject([
    { issuerNif: OTHER, state: 'open' },
  ])
})

const ADVISER_FOR = (nif: string) => ({ nif: ADVISER, for: nif, as: 'attorney' as const })

test('the statement ends with the certificate, and without a certificate nothing leaves', async () => {
  const { books, platform, first, powers, turn } = await opened()
  const ctx = books.ctx(first)
  await powers([ADVISER_FOR(EXAMPLE_COMPANY.nif)])
  await books.run('certificates.import', fileOf(personOf(ADVISER)), ctx)
  const id = await issue(books, ctx, OTHER)
  await books.run('certificates.remove', {}, ctx)
  expect(await turn(first)).toMatchObject({ code: 'no_certificate' })
  await books.run('certificates.import', fileOf(personOf(ADVISER)), ctx)
  await books.run('exchange.setSettings', { representation: { as: 'attorney', nif: ADVISER } }, ctx)
  await books.run('certificates.import', fileOf(personOf('00000000T')), ctx)
  expect(await turn(first)).toMatchObject({ code: 'representation_missing' })
  expect(platform.state.all()).toEqual([])
  await books.run('certificates.import', fileOf(sealOf(EXAMPLE_COMPANY.nif, EXAMPLE_COMPANY.legalName)), ctx)
  expect(await turn(first)).toBeNull()
  expect(await stateOf(books, ctx, id)).toBe('admitted')
})

test('the real platform stays closed: without a mock endpoint a live book of a sandbox cannot send', async () => {
  const books = await openBooks({ at: AT, environment: { sandbox: true } })
  const error = await refused(books.run('exchange.setSettings', { sending: true }, books.live))
  expect(error.code).toBe('exchange_live_closed')
  const outside = await openBooks({
    at: AT,
    environment: { platformMockEndpoint: { url: 'https://127.0.0.1:1/', caPem: '' } },
  })
  expect(await portFor(outside.live)).toEqual({ port: null, why: 'live_closed' })
})
