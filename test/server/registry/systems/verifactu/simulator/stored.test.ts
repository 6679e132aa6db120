import { describe, expect, test } from 'vitest'
import { simulatedAuthority } from '../../../../../../server/registry/systems/verifactu/simulator/stored.ts'
import {
  buildCancellation,
  buildRegistration,
} from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import {
  buildQuery,
  buildSubmission,
} from '../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import { readQueryReply } from '../../../../../../server/registry/systems/verifactu/wire/query-reply.ts'
import { readReply } from '../../../../../../server/registry/systems/verifactu/wire/reply.ts'
import { openBooks } from '../../../../../support/books.ts'
import { cancellation, invoice, ISSUER, PREVIOUS, SYSTEM, verdict } from '../../../samples.ts'
import type { Exchange } from '../../../../../../server/registry/queue/authority.ts'
import type { RegistryInvoice } from '../../../../../../server/registry/systems/verifactu/record/fields.ts'

const AT = '2026-11-20T10:00:00+01:00'
const bodyOf = (exchange: Exchange) => {
  if (exchange.kind !== 'answered') throw new Error(exchange.kind)
  return exchange.body
}

async function opened() {
  const world = await openBooks()
  world.setTime(AT)
  const authority = () => simulatedAuthority(world.test)
  const record = (changes: Partial<RegistryInvoice> = {}) =>
    buildRegistration(invoice(changes), PREVIOUS, SYSTEM, AT).xml
  const send = async (...records: string[]) =>
    readReply(bodyOf(await authority().submit(buildSubmission({ issuer: ISSUER }, records))))
  const ask = async (query: Partial<Parameters<typeof buildQuery>[0]> = {}) => {
    const message = buildQuery({ issuer: ISSUER, month: '2026-11', ...query })
    const reply = readQueryReply(bodyOf(await authority().query(message)))
    if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply))
    return reply
  }
  return { world, authority, record, send, ask }
}

describe("a test book's authority", () => {
  test('answers like the real one, with its clock, and asks for no wait', async () => {
    const { authority, record } = await opened()
    const exchange = await authority().submit(buildSubmission({ issuer: ISSUER }, [record()]))
    expect(exchange).toMatchObject({ kind: 'answered', status: 200, serverTime: Date.parse(AT) })
    expect(readReply(bodyOf(exchange))).toMatchObject({ state: 'Correcto', waitSeconds: 0 })
  })

  test('keeps over a restart what it holds and how it was accepted', async () => {
    const { send, ask, record } = await opened()
    expect(verdict(await send(record({ totalCents: 99_999 })))).toBe('AceptadoConErrores 2005')
    expect(verdict(await send(record()))).toBe('Incorrecto 3000')
    expect(await ask({ number: 'T-F2026-0002' })).toMatchObject({
      items: [
        { state: 'AceptadoConErrores', code: '2005', total: '999.99', recordRef: 'rec_0000000000000001' },
      ],
    })
    const { xml } = buildCancellation(cancellation(), PREVIOUS, SYSTEM, AT)
    expect(verdict(await send(xml))).toBe('Correcto')
    expect(await ask()).toMatchObject({ items: [{ state: 'Anulado', total: '999.99' }] })
  })

  test('returns its pages in the order of the numbers', async () => {
    const { send, ask, record } = await opened()
    const numbers = Array.from({ length: 230 }, (_, index) => `F-${1000 + index}`)
    await send(...numbers.toReversed().map((number) => record({ number })))
    await send(record({ number: 'F-1100', issueDate: '2026-11-17' }))
    const all = (await ask()).items.map(({ key }) => `${key.number} ${key.issueDate.slice(8)}`)
    expect(all).toEqual(
      numbers.flatMap((number) =>
        number === 'F-1100' ? [`${number} 16`, `${number} 17`] : [`${number} 16`],
      ),
    )
    expect((await ask({ number: 'F-1100' })).items).toHaveLength(2)
    const after = { issuerNif: ISSUER.nif, number: 'F-1100', issueDate: '2026-11-16' }
    expect((await ask({ after })).items[0]?.key).toEqual({ ...after, issueDate: '2026-11-17' })
  })

  test('detects a second beginning of the same chain', async () => {
    const { send } = await opened()
    const first = (number: string, installationNumber = 'A') =>
      buildRegistration(invoice({ number }), null, { ...SYSTEM, installationNumber }, AT).xml
    expect(verdict(await send(first('F-1')))).toBe('Correcto')
    expect(verdict(await send(first('F-2')))).toBe('AceptadoConErrores 2007')
    expect(verdict(await send(first('F-3', 'B')))).toBe('Correcto')
  })

  test('stores an invoice in few bytes: facts and record are packed together', async () => {
    const { world, send, record } = await opened()
    await send(record())
    const row = await world
      .ctx(world.books.test)
      .db.selectFrom('simulator_records')
      .select('entry')
      .executeTakeFirstOrThrow()
    expect(record().length).toBeGreaterThan(2_000)
    // Beyond about a thousand bytes a row takes a page of its own.
    expect(row.entry.length).toBeLessThan(900)
  })
})
