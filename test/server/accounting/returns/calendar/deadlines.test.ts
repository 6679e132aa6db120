/** The deadlines of a company as data and as a calendar file, which a parser that is not ours reads. */
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { icsOf } from '../../../../../server/accounting/returns/calendar/ics.ts'
import type { ReturnDeadline } from '../../../../../server/accounting/returns/contract.ts'
import { faultsOfRefusal } from '../../../../support/books.ts'
import { openExchange } from '../../../../support/exchange/exchange-books.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'

const AT = '2026-11-21T10:00:00+01:00'

const bought = (world: World, fields: Record<string, unknown>) =>
  world.post('/api/v1/received-invoices', {
    supplierName: 'Sol',
    supplierNif: 'B58818501',
    supplierNumber: '1',
    issueDate: '2026-10-20',
    receptionDate: '2026-10-22',
    ...fields,
  })

async function listed(world: World, input: Record<string, string> = {}): Promise<string[]> {
  const { deadlines } = await world.run('fiscal.deadlines', input)
  return deadlines.map(
    ({ model, period, year, due, applies }) =>
      `${model} ${period} ${year} ${due}${applies ? '' : ' perhaps'}`,
  )
}

describe('the deadlines', () => {
  test('of the next year are those that apply or may, the first to end first', async () => {
    const world = await openWorld({ at: AT })
    expect(await listed(world)).toEqual([
      '111 4T 2026 2027-01-20 perhaps',
      '303 4T 2026 2027-02-01',
      '390 0A 2026 2027-02-01',
      '190 0A 2026 2027-02-01 perhaps',
      '303 1T 2027 2027-04-20',
      '111 1T 2027 2027-04-20 perhaps',
      '303 2T 2027 2027-07-20',
      '111 2T 2027 2027-07-20 perhaps',
      '303 3T 2027 2027-10-20',
      '111 3T 2027 2027-10-20 perhaps',
    ])
  })

  test('carry the direct-debit day and how certain they are', async () => {
    const world = await openWorld({ at: AT })
    const { deadlines } = await world.run('fiscal.deadlines', { from: '2026-10-01', to: '2027-02-28' })
    expect(deadlines.find(({ period, model }) => `${model} ${period}` === '303 3T')).toEqual({
      model: '303',
      name: { es: 'IVA, autoliquidación', en: 'VAT return' },
      year: 2026,
      period: '3T',
      opens: '2026-10-01',
      due: '2026-10-20',
      directDebitUntil: '2026-10-15',
      sure: 'official',
      applies: true,
      filed: false,
    })
    expect(deadlines.find(({ period, model }) => `${model} ${period}` === '303 4T')).toMatchObject({
      due: '2027-02-01',
      directDebitUntil: '2027-01-27',
      sure: 'computed',
    })
    expect(deadlines.find(({ model }) => model === '390')).toMatchObject({ directDebitUntil: null })
  })

  test('of a period that has not ended contain what its last ones contained, as perhaps', async () => {
    const world = await openWorld({ at: AT })
    expect((await listed(world)).join()).not.toContain('115')
    await bought(world, {
      taxLines: [{ base: 1000, vatRate: 21 }],
      withholding: { rate: 19, base: 1000, reason: 'rent' },
    })
    expect((await listed(world)).filter((line) => /^1[18][05] /.test(line))).toEqual([
      '115 4T 2026 2027-01-20',
      '180 0A 2026 2027-02-01',
      '115 1T 2027 2027-04-20 perhaps',
      '115 2T 2027 2027-07-20 perhaps',
      '115 3T 2027 2027-10-20 perhaps',
    ])
    // A period that ended without it stays without it.
    expect((await listed(world, { from: '2026-10-01', to: '2026-10-31' })).join()).not.toContain('115')
  })

  test('are marked when filed, until the mark is withdrawn', async () => {
    const world = await openWorld({ at: AT })
    const range = { from: '2026-10-01', to: '2026-10-31' }
    const filed = async () =>
      (await world.run('fiscal.deadlines', range)).deadlines.map(({ model, filed: is }) => `${model} ${is}`)
    expect(await filed()).toEqual(['303 false', '111 false'])
    const period = { model: '303', year: 2026, quarter: 3 } as const
    await world.run('fiscal.markFiled', period)
    expect(await filed()).toEqual(['303 true', '111 false'])
    await world.run('fiscal.withdrawFiling', period)
    expect(await filed()).toEqual(['303 false', '111 false'])
  })

  test('of a monthly filer are months', async () => {
    const world = await openWorld({ at: AT })
    expect(await listed(world, { from: '2026-11-01', to: '2026-12-31', filer: 'monthly' })).toEqual([
      '111 10 2026 2026-11-20 perhaps',
      '303 10 2026 2026-11-30',
      '111 11 2026 2026-12-21 perhaps',
      '303 11 2026 2026-12-30',
    ])
  })

  test('are the same over REST, and asked for a sensible range', async () => {
    const world = await openWorld({ at: AT })
    const rest = await world.get('/api/v1/fiscal/deadlines?from=2026-10-01&to=2026-12-31')
    expect(rest.body.data).toEqual(
      await world.run('fiscal.deadlines', { from: '2026-10-01', to: '2026-12-31' }),
    )
    expect(
      await faultsOfRefusal(world.run('fiscal.deadlines', { from: '2026-12-31', to: '2026-12-30' })),
    ).toEqual(['from: dates_reversed'])
    expect(
      await faultsOfRefusal(world.run('fiscal.deadlines', { from: '2026-01-01', to: '2028-01-02' })),
    ).toEqual(['to: range_too_long'])
    expect(await listed(world, { from: '2000-01-01', to: '2001-12-31' })).not.toEqual([])
    const blind = await world.makeKey({ scopes: ['invoices.read'] })
    const refused = await world.get('/api/v1/fiscal/deadlines', { key: blind.key })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'scope_missing'])
  })
})

/** Returns what the parser finds in a file: events by UID, with their alarms. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  return {
    calendar,
    events: calendar.getAllSubcomponents('vevent').map((component) => {
      const event = new ICAL.Event(component)
      return {
        uid: event.uid,
        start: event.startDate.toString(),
        end: event.endDate.toString(),
        isDate: event.startDate.isDate,
        summary: event.summary,
        description: event.description,
        stamp: String(component.getFirstPropertyValue('dtstamp')),
        alarms: component
          .getAllSubcomponents('valarm')
          .map((alarm) =>
            [alarm.getFirstPropertyValue('action'), alarm.getFirstPropertyValue('trigger')].join(' '),
          ),
      }
    }),
  }
}

async function fileOf(world: World, query = ''): Promise<string> {
  const answer = await world.get(`/api/v1/fiscal/deadlines.ics${query}`)
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/calendar'])
  expect(String(answer.headers['content-disposition'])).toContain('.ics')
  return answer.raw.rawPayload.toString('utf8')
}

describe('the calendar file', () => {
  test('has an all-day event for each last day and for each direct debit, with an alarm', async () => {
    const world = await openWorld({ at: AT })
    const text = await fileOf(world, '?from=2027-01-01&to=2027-02-28')
    const { calendar, events } = read(text)
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
    expect(calendar.getFirstPropertyValue('prodid')).toContain('Sello')
    expect(events.map(({ start, end, summary }) => `${start} ${end} ${summary}`)).toEqual([
      '2027-01-20 2027-01-21 Modelo 111, 4T 2026: último día (si te toca)',
      '2027-01-15 2027-01-16 Modelo 111, 4T 2026: último día para domiciliar (si te toca)',
      '2027-02-01 2027-02-02 Modelo 303, 4T 2026: último día',
      '2027-01-27 2027-01-28 Modelo 303, 4T 2026: último día para domiciliar',
      '2027-02-01 2027-02-02 Modelo 390, 2026: último día',
      '2027-02-01 2027-02-02 Modelo 190, 2026: último día (si te toca)',
    ])
    for (const event of events) {
      expect(event.isDate).toBe(true)
      expect(event.alarms).toEqual(['DISPLAY -P3D'])
      expect(event.stamp).toBe('2026-11-21T09:00:00Z')
      expect(event.description).toContain('Fecha calculada por las reglas')
    }
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length)
  })

  test('leaves out what is filed, and gives the same return the same UID on another day', async () => {
    const world = await openWorld({ at: AT })
    const range = '?from=2026-10-01&to=2027-02-28'
    const before = read(await fileOf(world, range)).events
    await world.run('fiscal.markFiled', { model: '303', year: 2026, quarter: 3 })
    world.setTime('2026-12-01T10:00:00+01:00')
    const after = read(await fileOf(world, range)).events
    const uids = before.map(({ uid }) => uid)
    expect(after.map(({ uid }) => uid)).toEqual(uids.filter((uid) => !uid.startsWith('303-2026-3T')))
    expect(uids.length - after.length).toBe(2)
  })

  test('of a company that writes in English is in English, and of Catalan in Spanish', async () => {
    const world = await openWorld({ at: AT })
    const first = async () => read(await fileOf(world, '?from=2026-10-01&to=2026-10-31')).events[0]?.summary
    expect(await first()).toBe('Modelo 303, 3T 2026: último día')
    await world.run('company.update', { defaults: { language: 'en' } })
    expect(await first()).toBe('Form 303, 3T 2026: last day')
    await world.run('company.update', { defaults: { language: 'ca' } })
    expect(await first()).toBe('Modelo 303, 3T 2026: último día')
  })

  test('has the last day of each report to the public platform until it is admitted', async () => {
    const books = await openExchange('2027-10-06T10:00:00Z')
    await books.deliver('S-1', '2027-10-06')
    await books.turn()
    const { items } = await books.run('exchange.list', { direction: 'received' })
    const id = items[0]?.id ?? ''
    const choice = { id, kind: 'rejected', day: '2027-10-07', reason: 'commercial' } as const
    const reports = async () => {
      const file = await books.run('fiscal.deadlinesCalendar', { from: '2027-10-07', to: '2027-12-31' })
      return read(Buffer.from(file.bytes).toString('utf8')).events.filter(({ uid }) => uid.startsWith('exr_'))
    }
    expect(await reports()).toEqual([])
    books.setTime('2027-10-07T10:00:00Z')
    const { confirmationToken } = await books.run('exchange.prepare', choice)
    await books.run('exchange.report', { id, confirmationToken })
    const [report, ...others] = await reports()
    expect(others).toEqual([])
    // Thursday; the weekend and 12 October do not count.
    expect(report).toMatchObject({
      start: '2027-10-14',
      end: '2027-10-15',
      isDate: true,
      summary: 'Factura S-1 de Talleres Ejemplo, S.L.: último día para comunicar el rechazo',
      description: expect.stringContaining('RD 238/2026'),
      alarms: ['DISPLAY -P1D'],
    })
    await books.quiet()
    expect(await reports()).toEqual([])
  })

  const DEADLINE: ReturnDeadline = {
    model: '303',
    name: { es: 'IVA; régimen, «ñ» \\ y\nmás '.repeat(9), en: 'VAT' },
    year: 2026,
    period: '3T',
    opens: '2026-10-01',
    due: '2026-10-20',
    directDebitUntil: null,
    sure: 'official',
    applies: true,
    filed: false,
  }
  const OF = { language: 'es', bookId: 'bok_1', mode: 'live', writtenAt: new Date(AT) } as const

  test('ends lines with CRLF, folds them at 75 octets and escapes text', () => {
    const text = icsOf([DEADLINE], OF)
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75)
    expect(read(text).events[0]?.description).toBe(
      `${DEADLINE.name.es}\nSello no conoce los festivos de tu comunidad ni presenta nada por sí solo.`,
    )
    expect(text).not.toContain('Fecha calculada')
  })

  test('of the test book says so in its name', () => {
    const nameOf = (mode: 'live' | 'test') =>
      read(icsOf([], { ...OF, mode })).calendar.getFirstPropertyValue('x-wr-calname')
    expect([nameOf('live'), nameOf('test')]).toEqual(['Plazos de impuestos', 'Plazos de impuestos (pruebas)'])
  })
})
