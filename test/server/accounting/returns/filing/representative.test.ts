/** Filing with the certificate of a representative: only as stated, and only while its holder is the same. */
import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { simulatedTransport } from '../../../../../server/accounting/returns/filing/simulated.ts'
import { createFilingService } from '../../../../../server/accounting/returns/filing/aeat/index.ts'
import { fileWith } from '../../../../../server/accounting/returns/filing/file.ts'
import type { Transport } from '../../../../../server/accounting/returns/filing/service.ts'
import type { Ctx } from '../../../../../server/context.ts'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import { CLIENT_ADDRESS, faultsOfRefusal, refused } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { makeP12 } from '../../../../support/files/certificates.ts'
import { workedQuarter } from '../worked.ts'

const Q4 = { year: 2026, quarter: 4 } as const
const VAT = { model: '303', ...Q4 } as const
const COMPANY = { nif: 'B12345674', name: 'Talleres Ejemplo, S.L.' }
const ADVISER = { nif: 'A28000982', name: 'Gestoría Núñez, S.A.' }
const SETTINGS = {
  surnames: null,
  firstName: null,
  contactName: 'Ana Núñez',
  contactPhone: '912345678',
  iban: null,
  live: false,
}

type Wish = Parameters<typeof makeP12>[0]
const OF_ADVISER: Wish = { kind: 'seal', organizationNif: ADVISER.nif, organization: ADVISER.name }
const OF_PERSON: Wish = { kind: 'person', nif: '12345678Z', name: 'ANA NÚÑEZ' }

async function worked(): Promise<TestBooks> {
  const world = await workedQuarter()
  world.setTime('2027-01-12T10:00:00+01:00')
  return world
}

let minute = 0
/** Imports a certificate, a minute later each time. */
async function importOf(world: TestBooks, wish: Wish): Promise<void> {
  minute += 1
  world.setTime(new Date(Date.parse('2027-01-12T10:00:00+01:00') + minute * 60_000).toISOString())
  const file = makeP12(wish).p12.toString('base64')
  await world.run('certificates.import', { file, password: 'contraseña ñ€' })
}

const state = (
  world: TestBooks,
  representation: InputOf<'fiscal.setFilingSettings'>['representation'],
  ctx: Ctx = world.test,
  live = false,
) => world.run('fiscal.setFilingSettings', { ...SETTINGS, live, representation }, ctx)

const prepared = (world: TestBooks, ctx: Ctx = world.test) => world.run('fiscal.prepareFiling', VAT, ctx)

async function filed(world: TestBooks) {
  const { confirmationToken } = await prepared(world)
  return world.run('fiscal.fileReturn', { ...VAT, confirmationToken: confirmationToken ?? '' })
}

const actions = async (world: TestBooks): Promise<string[]> =>
  (
    await world.test.db
      .selectFrom('audit_events')
      .select(['action', 'target_label'])
      .orderBy('sequence')
      .execute()
  )
    .filter(({ action }) => action.startsWith('filing.representation'))
    .map(({ action, target_label }) => `${action}: ${target_label}`)

describe('the statement that the holder of a certificate may file for the company', () => {
  test('takes number and name from the certificate, and is in the history with who made it', async () => {
    const world = await worked()
    expect(await world.run('fiscal.filingSettings', {})).toMatchObject({
      certificateHolder: null,
      representation: null,
    })
    await importOf(world, OF_ADVISER)
    expect(await world.run('fiscal.filingSettings', {})).toMatchObject({
      certificateHolder: ADVISER,
      representation: null,
    })
    const settings = await state(world, { as: 'collaborator', nif: ADVISER.nif })
    expect(settings.representation).toEqual({
      as: 'collaborator',
      since: world.env.now().toISOString(),
      by: world.test.actor.name,
    })
    const stored = await world.test.db.selectFrom('filing_settings').selectAll().executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ representative_nif: ADVISER.nif, representative_name: ADVISER.name })
    expect(await actions(world)).toEqual([
      `filing.representation_stated: ${ADVISER.name} (${ADVISER.nif}), collaborator`,
    ])
    // Other data saved again, with or without it, change nothing of the statement.
    world.setTime('2027-01-13T10:00:00+01:00')
    await state(world, { as: 'collaborator', nif: ADVISER.nif })
    expect((await state(world, undefined)).representation).toEqual(settings.representation)
    expect(await actions(world)).toHaveLength(1)
    // It is that of one book.
    expect(await world.run('fiscal.filingSettings', {}, world.live)).toMatchObject({
      certificateHolder: ADVISER,
      representation: null,
    })
    expect((await state(world, null)).representation).toBeNull()
    expect((await actions(world)).at(-1)).toMatch(/^filing\.representation_ended: Gestoría/)
  })

  test('is refused without a certificate, for the company’s own, and for another than was shown', async () => {
    const world = await worked()
    const as = 'attorney' as const
    const refusedFor = (nif: string) => faultsOfRefusal(state(world, { as, nif }))
    expect(await refusedFor(ADVISER.nif)).toEqual(['representation: representative_unknown'])
    // A representative of the company itself files for it as it always did.
    await importOf(world, { kind: 'representative', organizationNif: COMPANY.nif })
    expect(await refusedFor(COMPANY.nif)).toEqual(['representation: representative_is_company'])
    expect((await prepared(world)).signer).toEqual({ ...COMPANY, representation: null })
    await importOf(world, OF_PERSON)
    expect(await refusedFor(ADVISER.nif)).toEqual(['representation: representative_changed'])
    expect(await world.run('fiscal.filingSettings', {})).toMatchObject({ representation: null })
  })

  test('ends with another holder’s certificate, and with its removal, and does not come back', async () => {
    const world = await worked()
    await importOf(world, OF_ADVISER)
    await state(world, { as: 'attorney', nif: ADVISER.nif })
    // Renewed: the same number.
    await importOf(world, { ...OF_ADVISER, freshKey: true })
    expect((await prepared(world)).signer?.nif).toBe(ADVISER.nif)
    await importOf(world, OF_PERSON)
    expect((await prepared(world)).signer).toEqual({ ...COMPANY, representation: null })
    await importOf(world, OF_ADVISER)
    expect((await prepared(world)).signer?.nif).toBe(COMPANY.nif)
    expect((await world.run('fiscal.filingSettings', {})).representation).toBeNull()

    await state(world, { as: 'attorney', nif: ADVISER.nif })
    expect((await prepared(world)).signer?.nif).toBe(ADVISER.nif)
    await world.run('certificates.remove', {})
    expect((await prepared(world)).signer?.nif).toBe(COMPANY.nif)
    await importOf(world, OF_ADVISER)
    expect((await prepared(world)).signer?.nif).toBe(COMPANY.nif)
  })

  test('opens the real service of a live book, which no other certificate of somebody else does', async () => {
    const world = await worked()
    await importOf(world, OF_ADVISER)
    await state(world, undefined, world.live, true)
    expect(await prepared(world, world.live)).toMatchObject({
      way: 'upload',
      wayWhy: 'certificate_of_other',
      signer: null,
      confirmationToken: null,
    })
    await state(world, { as: 'attorney', nif: ADVISER.nif }, world.live, true)
    expect(await prepared(world, world.live)).toMatchObject({
      way: 'service',
      signer: { ...ADVISER, representation: 'attorney' },
      nif: COMPANY.nif,
    })
    await state(world, null, world.live, true)
    expect(await prepared(world, world.live)).toMatchObject({ wayWhy: 'certificate_of_other' })
  })

  test('names the entity of a representative’s certificate, not the person', async () => {
    const world = await worked()
    await importOf(world, {
      kind: 'representative',
      organizationNif: ADVISER.nif,
      organization: ADVISER.name,
      nif: '12345678Z',
      name: 'ANA NÚÑEZ',
    })
    expect((await world.run('fiscal.filingSettings', {})).certificateHolder).toEqual(ADVISER)
  })
})

describe('a return filed by a representative', () => {
  async function represented(as: 'attorney' | 'collaborator' | 'legal' = 'attorney'): Promise<TestBooks> {
    const world = await worked()
    await importOf(world, OF_ADVISER)
    await state(world, { as, nif: ADVISER.nif })
    return world
  }

  test.each([
    ['attorney', 'Apoderado'],
    ['collaborator', 'Colaborador social'],
    ['legal', 'Representante legal'],
  ] as const)('as %s is the company’s, and says who presented it', async (as, named) => {
    const world = await represented(as)
    const sending = await filed(world)
    expect(sending).toMatchObject({
      state: 'accepted',
      filer: COMPANY,
      signer: { ...ADVISER, representation: as },
      presenter: ADVISER,
      presenterAs: named,
      declarant: { nif: COMPANY.nif },
      otherParties: [],
    })
    const text = Buffer.from((await world.run('fiscal.filedFile', { id: sending.id })).bytes).toString(
      'latin1',
    )
    expect(text).toContain(COMPANY.nif)
    expect(text).not.toContain(ADVISER.nif)
    const { bytes } = await world.run('fiscal.filingDocument', { id: sending.id })
    expect(textIn(bytes)).toContain(`Presenta como ${named} de TALLERES EJEMPLO SL (${COMPANY.nif})`)
  })

  test('an informative one names the company as declarant too', async () => {
    const world = await represented()
    for (const [name, nif] of [
      ['Cliente Primero, S.L.', 'B87654323'],
      ['Proveedor, S.A.', 'A58818501'],
    ] as const)
      await world.run('contacts.create', { name, nif, address: CLIENT_ADDRESS })
    world.setTime('2027-02-10T10:00:00+01:00')
    const place = { model: '347', year: 2026 } as const
    const { confirmationToken, faults } = await world.run('fiscal.prepareFiling', place)
    expect(faults.filter(({ severity }) => severity === 'error')).toEqual([])
    const sending = await world.run('fiscal.fileReturn', {
      ...place,
      confirmationToken: confirmationToken ?? '',
    })
    expect(sending).toMatchObject({ state: 'accepted', signer: ADVISER, presenter: null, otherParties: [] })
    const kept = await world.test.db.selectFrom('simulated_returns').select('facts').executeTakeFirstOrThrow()
    expect(JSON.parse(kept.facts)).toMatchObject({ nif: COMPANY.nif, presenterNif: ADVISER.nif })
  })

  test('is bound to the signer that was shown: another capacity, or another holder, needs another yes', async () => {
    const world = await represented()
    const tokenOf = async () => (await prepared(world)).confirmationToken ?? ''
    const codeOf = async (confirmationToken: string) =>
      (await refused(world.run('fiscal.fileReturn', { ...VAT, confirmationToken }))).code
    const first = await tokenOf()
    await state(world, { as: 'legal', nif: ADVISER.nif })
    expect(await codeOf(first)).toBe('confirmation_stale')
    const second = await tokenOf()
    await importOf(world, OF_PERSON)
    expect(await codeOf(second)).toBe('confirmation_stale')
    const third = await tokenOf()
    await state(world, { as: 'legal', nif: '12345678Z' })
    expect(await codeOf(third)).toBe('confirmation_stale')
    expect((await filed(world)).signer).toMatchObject({ nif: '12345678Z', representation: 'legal' })
  })

  test('that another one presented, or for another one, is filed, and says so', async () => {
    const world = await represented()
    const signer = { ...ADVISER, representation: 'attorney' } as const
    const simulated = simulatedTransport(world.test, { signer, filerNif: COMPANY.nif })
    const transport: Transport = async (message) => {
      const answer = await simulated(message)
      if (answer.kind !== 'answered' || !message.path.endsWith('PresBasicaDos')) return answer
      const text = Buffer.from(answer.body)
        .toString('utf8')
        .replace(`"NIFPresentador":"${ADVISER.nif}"`, '"NIFPresentador":"12345678Z"')
        .replace(`"NIFDeclarante":"${COMPANY.nif}"`, '"NIFDeclarante":"B87654323"')
      return { ...answer, body: Buffer.from(text, 'utf8') }
    }
    const { confirmationToken } = await prepared(world)
    const input = { ...VAT, confirmationToken: confirmationToken ?? '', withoutValidation: false }
    const sending = await fileWith(world.test, input, { service: createFilingService(transport), signer })
    expect(sending).toMatchObject({
      state: 'accepted',
      presenter: { nif: '12345678Z' },
      declarant: { nif: 'B87654323' },
      otherParties: ['presenter', 'declarant'],
    })
    expect((await world.run('fiscal.model', VAT)).filing).toMatchObject({ reference: sending.csv })
  })

  test('whose answer is lost is asked for under the company’s number', async () => {
    const world = await represented()
    const signer = { ...ADVISER, representation: 'attorney' } as const
    const simulated = simulatedTransport(world.test, { signer, filerNif: COMPANY.nif })
    const asked: string[] = []
    const transport: Transport = async (message) => {
      if (message.path.endsWith('ConsultaExt')) asked.push(Buffer.from(message.body).toString('utf8'))
      const answer = await simulated(message)
      return message.path.endsWith('PresBasicaDos') ? { kind: 'no_answer', detail: 'lost' } : answer
    }
    const { confirmationToken } = await prepared(world)
    const input = { ...VAT, confirmationToken: confirmationToken ?? '', withoutValidation: false }
    const lost = await fileWith(world.test, input, { service: createFilingService(transport), signer })
    expect(lost).toMatchObject({ state: 'unknown' })
    expect(asked[0]).toContain(`NIF=${COMPANY.nif}`)
    expect(await world.run('fiscal.checkFiling', { id: lost.id })).toMatchObject({
      state: 'accepted',
      why: 'found_by_query',
      presenter: null,
      otherParties: [],
    })
  })

  test('without a power that the agency knows is refused', async () => {
    const world = await represented()
    const signer = { ...ADVISER, representation: 'attorney' } as const
    // Nothing is registered for this company.
    const simulated = simulatedTransport(world.test, { signer, filerNif: 'B87654323' })
    const { confirmationToken } = await prepared(world)
    const input = { ...VAT, confirmationToken: confirmationToken ?? '', withoutValidation: false }
    const sending = await fileWith(world.test, input, { service: createFilingService(simulated), signer })
    expect(sending).toMatchObject({ state: 'not_sent', why: 'query_unavailable' })
    expect(sending.detail).toMatch(/^S0010 - /)
  })
})

/** Returns the text that a document draws, with its streams inflated. */
function textIn(bytes: Uint8Array): string {
  const pdf = Buffer.from(bytes).toString('latin1')
  const streams = [...pdf.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, stream = '']) => {
    const raw = Buffer.from(stream, 'latin1')
    try {
      return inflateSync(raw).toString('latin1')
    } catch {
      return stream
    }
  })
  return [pdf, ...streams].join('\n').replace(/\\([()\\])/g, '$1')
}
