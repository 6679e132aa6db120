/** Faults, technical codes, duplicates and suspensions: nothing loops, and nothing blocks other records. */
import { describe, expect, test } from 'vitest'
import { faultTreatment, isTechnical } from '../../../../server/registry/systems/verifactu/wire/codes.ts'
import { eventsAfter } from '../../../../server/platform/events/index.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { changed, faulting, listening, recordsIn, unheard } from '../authorities.ts'
import type { Listening } from '../authorities.ts'

const START = Date.parse('2026-11-21T09:00:00Z')
const at = (world: TestBooks, minutes: number) =>
  world.setTime(new Date(START + minutes * 60_000).toISOString())
const statusOf = async (world: TestBooks, id: string) => (await world.run('invoices.get', { id })).registry
const codes = async (world: TestBooks) =>
  (await world.run('registry.status', {})).attention.map(({ code, action }) => `${code} ${action}`)
const eventTypes = async (world: TestBooks) =>
  (await eventsAfter(world.env.store.reader, 0, 1000))
    .filter((event) => event.type.startsWith('registry.'))
    .map((event) => event.type)

/** Refuses every message that contains a record, as the authority does for one that violates its schema. */
function refusing(world: TestBooks, record: string, code = '4102'): Listening {
  return listening(world, async (envelope, real) =>
    recordsIn(envelope).includes(record)
      ? faulting('Client', `Codigo[${code}].El XML no cumple el esquema.`)
      : real.submit(envelope),
  )
}

/** Returns the answer to a query as if nothing were held. */
function emptied(answer: string): string {
  return answer
    .replace('ConDatos', 'SinDatos')
    .replace(/<q:RegistroRespuestaConsultaFactuSistemaFacturacion>.*<\/q:Registro\w+>/, '')
}

async function issued(world: TestBooks, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push((await world.invoice()).id)
  return ids
}

describe('a message refused as a whole', () => {
  test('is halved until the one invalid record is found and rejected; the others arrive in order', async () => {
    const world = await openBooks()
    const ids = await issued(world, 9)
    const authority = refusing(world, 'rec-6')
    for (let minute = 0; minute < 20; minute++) {
      at(world, minute)
      await world.send(authority)
    }
    expect(await statusOf(world, ids[5] ?? '')).toMatchObject({
      status: 'rejected',
      errors: [{ code: 'message_unfit', authorityCode: '4102', action: 'call' }],
    })
    expect((await world.run('registry.status', {})).counts).toMatchObject({ rejected: 1, unknown: 0 })
    expect((await world.run('registry.status', {})).queue.pending).toBe(0)
    const taken = authority.envelopes.map(recordsIn).filter((records) => !records.includes('rec-6'))
    expect(taken.flat()).toEqual(['rec-1', 'rec-2', 'rec-3', 'rec-4', 'rec-5', 'rec-7', 'rec-8', 'rec-9'])
    expect(authority.envelopes.length).toBeLessThan(12)
  })

  test('for its issuer or certificate loses nothing, is retried each hour, and is shown on the page', async () => {
    const world = await openBooks()
    const [id = ''] = await issued(world, 1)
    const refuses = listening(world, async () =>
      faulting('Client', 'Codigo[4112].El titular del certificado debe ser Obligado Emisión.'),
    )
    await world.send(refuses)
    expect(await statusOf(world, id)).toMatchObject({ status: 'pending' })
    expect(await codes(world)).toContain('message_refused certificate')
    expect((await world.run('registry.status', {})).queue.nextAttemptAt).toBe('2026-11-21T10:00:00.000Z')
    at(world, 59)
    await world.send(refuses)
    expect(refuses.envelopes).toHaveLength(1)
    at(world, 60)
    expect(await world.send()).toBe(1)
    expect(await codes(world)).toEqual([])
  })

  test('for a suspension stops sending until a person resumes it', async () => {
    const world = await openBooks()
    await issued(world, 2)
    const suspends = listening(world, async () =>
      faulting('Client', 'Codigo[4141].Acceso suspendido temporalmente.'),
    )
    await world.send(suspends)
    expect(await world.run('registry.status', {})).toMatchObject({ queue: { pending: 2, stopped: true } })
    expect(await codes(world)).toContain('sending_suspended call')
    expect(await eventTypes(world)).toEqual(['registry.stopped'])
    at(world, 60 * 24 * 30)
    await world.run('registry.send', {})
    const idle = listening(world)
    expect(await world.send(idle)).toBe(0)
    await world.restart()
    expect(await world.send(idle)).toBe(0)
    expect(idle.envelopes).toEqual([])
    expect(await world.run('registry.resume', {})).toEqual({ pending: 2 })
    expect(await world.send()).toBe(2)
    expect((await world.run('registry.status', {})).queue.stopped).toBe(false)
  })

  test('for a suspension that answers a query stops sending too', async () => {
    const world = await openBooks()
    await issued(world, 1)
    await world.send(listening(world, async () => unheard()))
    at(world, 2)
    await world.send(
      listening(world, undefined, async () => faulting('Client', 'Codigo[4141].Acceso suspendido.')),
    )
    expect((await world.run('registry.status', {})).queue.stopped).toBe(true)
  })

  test.each(['4103', '4134', '3500'])('with a technical fault (%s) is retried unchanged', async (code) => {
    const world = await openBooks()
    const [id = ''] = await issued(world, 1)
    const fails = listening(world, async () => faulting('Client', `Codigo[${code}].Error técnico.`))
    await world.send(fails)
    expect(await statusOf(world, id)).toMatchObject({ status: 'pending' })
    at(world, 1)
    const takes = listening(world)
    expect(await world.send(takes)).toBe(1)
    expect(takes.queries).toEqual([])
    expect(takes.envelopes[0]).toBe(fails.envelopes[0])
  })

  test('has one treatment for every code of a fault', () => {
    expect(faultTreatment('4141')).toBe('stop')
    expect(faultTreatment('4102')).toBe('find_record')
    expect(faultTreatment('4104')).toBe('hold')
    expect(faultTreatment('4108')).toBe('retry')
    expect(faultTreatment(null)).toBe('hold')
    expect(faultTreatment('9999')).toBe('hold')
  })
})

describe('a refused record', () => {
  test('with a technical code is sent again, alone and unchanged', async () => {
    const world = await openBooks()
    const ids = await issued(world, 3)
    const stumbles = listening(world, async (envelope, real) => {
      // The authority itself failed on the second record, so it is not held.
      const without = envelope.replace(
        /<sfLR:RegistroFactura>(?:(?!<\/sfLR:RegistroFactura>).)*rec-2<.*?<\/sfLR:RegistroFactura>/s,
        '',
      )
      return changed(await real.submit(without), (text) =>
        text
          .replace('<sfR:EstadoEnvio>Correcto<', '<sfR:EstadoEnvio>ParcialmenteCorrecto<')
          .replace(
            '</sfR:RespuestaRegFactuSistemaFacturacion>',
            `<sfR:RespuestaLinea><sfR:IDFactura><sf:IDEmisorFactura>B12345674</sf:IDEmisorFactura><sf:NumSerieFactura>T-F2026-0002</sf:NumSerieFactura><sf:FechaExpedicionFactura>21-11-2026</sf:FechaExpedicionFactura></sfR:IDFactura><sfR:Operacion><sf:TipoOperacion>Alta</sf:TipoOperacion></sfR:Operacion><sfR:RefExterna>rec-2</sfR:RefExterna><sfR:EstadoRegistro>Incorrecto</sfR:EstadoRegistro><sfR:CodigoErrorRegistro>1241</sfR:CodigoErrorRegistro><sfR:DescripcionErrorRegistro>Error técnico al obtener el sistema informático</sfR:DescripcionErrorRegistro></sfR:RespuestaLinea></sfR:RespuestaRegFactuSistemaFacturacion>`,
          ),
      )
    })
    expect(isTechnical('1241')).toBe(true)
    expect(await world.send(stumbles)).toBe(2)
    expect(await statusOf(world, ids[1] ?? '')).toMatchObject({ status: 'pending' })
    at(world, 1)
    const again = listening(world)
    expect(await world.send(again)).toBe(1)
    expect(again.envelopes.map(recordsIn)).toEqual([['rec-2']])
    expect(await statusOf(world, ids[1] ?? '')).toMatchObject({ status: 'accepted', errors: [] })
  })

  test('with a number of another program is a conflict that blocks only its series until a person decides', async () => {
    const world = await openBooks()
    const [id = ''] = await issued(world, 1)
    // The authority answers that it holds the number, and shows other content.
    const first = listening(world)
    await world.send(first)
    await world.invoice()
    const foreign = listening(
      world,
      async (envelope, real) =>
        real
          .submit(envelope.replaceAll('T-F2026-0002', 'T-F2026-0001'))
          .then((answer) => changed(answer, (text) => text.replaceAll('T-F2026-0001', 'T-F2026-0002'))),
      async (envelope, real) =>
        changed(await real.query(envelope.replaceAll('T-F2026-0002', 'T-F2026-0001')), (text) =>
          text.replaceAll('T-F2026-0001', 'T-F2026-0002'),
        ),
    )
    expect(await world.send(foreign)).toBe(1)
    expect(foreign.queries).toHaveLength(1)
    const status = await world.run('registry.status', { invoiceId: 'T-F2026-0002' })
    expect(status.attention).toEqual([
      expect.objectContaining({
        code: 'registry_conflict',
        action: 'decide',
        number: 'T-F2026-0002',
        recordId: 'rec-2',
      }),
    ])
    expect(status.registrations?.[0]).toMatchObject({ status: 'rejected', conflict: true, action: 'decide' })
    expect(status.registrations?.[0]?.attempts.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
      'submission rejected',
      'query held',
    ])
    expect(await eventTypes(world)).toEqual(['registry.accepted', 'registry.rejected', 'registry.conflict'])
    // The series is blocked with a reason; another one still works.
    const draft = await world.draft()
    const { valid, issues } = await world.run('invoices.validate', { id: draft.id })
    expect(valid).toBe(false)
    expect(issues).toContainEqual(
      expect.objectContaining({ code: 'series_in_conflict', params: { number: 'T-F2026-0002' } }),
    )
    await world.run('series.create', { code: 'T-OTRA', kind: 'ordinary' })
    const other = await world.draft({ series: 'T-OTRA' })
    expect((await world.run('invoices.validate', { id: other.id })).valid).toBe(true)
    // A person marks the record as handled, and the series works again.
    await expect(world.run('registry.close', { recordId: 'rec-77' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await world.run('registry.close', { recordId: 'rec-2', note: 'Era del TPV antiguo' })).toEqual({
      closed: true,
    })
    expect((await world.run('registry.status', {})).attention).toEqual([])
    expect((await world.run('invoices.validate', { id: draft.id })).valid).toBe(true)
    expect((await world.run('audit.list', {})).items).toContainEqual(
      expect.objectContaining({ action: 'registry.record_closed' }),
    )
    expect(await statusOf(world, id)).toMatchObject({ status: 'accepted' })
  })

  test('cannot be closed while it waits', async () => {
    const world = await openBooks()
    await issued(world, 1)
    await expect(world.run('registry.close', { recordId: 'rec-1' })).rejects.toMatchObject({
      code: 'record_open',
    })
  })

  test('is not settled by an answer for another issuer or about other invoices', async () => {
    const world = await openBooks()
    const [id = ''] = await issued(world, 1)
    await world.send(
      listening(world, async (envelope, real) =>
        changed(await real.submit(envelope), (text) => text.replaceAll('B12345674', 'B87654323')),
      ),
    )
    expect(await statusOf(world, id)).toMatchObject({ status: 'unknown' })
    at(world, 2)
    expect(await world.send()).toBe(1)
    expect(await statusOf(world, id)).toMatchObject({ status: 'accepted' })
  })
})

describe('an answer to another query', () => {
  test.each<[what: string, change: (text: string) => string]>([
    ["of another issuer's", (text) => emptied(text).replaceAll('B12345674', 'B87654323')],
    ['of another month', (text) => emptied(text).replace('<q:Periodo>11<', '<q:Periodo>10<')],
    ['with other invoices in it', (text) => text.replaceAll('F2026-0001', 'F2026-0002')],
  ])(
    '%s proves nothing: a record that the authority took is not sent a second time',
    async (_what, change) => {
      const world = await openBooks()
      const [id = ''] = await issued(world, 1)
      await world.send()
      const { confirmation } = await world.run('invoices.validate', { id, action: 'cancel' })
      await world.run('invoices.cancel', { id, confirmationToken: confirmation?.confirmationToken ?? '' })
      at(world, 2)
      // The authority accepts the same annulment any number of times.
      await world.send(
        listening(world, async (envelope, real) => {
          await real.submit(envelope)
          return unheard()
        }),
      )
      at(world, 4)
      const misled = listening(world, undefined, async (envelope, real) =>
        changed(await real.query(envelope), (text) => {
          expect(change(text)).not.toBe(text)
          return change(text)
        }),
      )
      expect(await world.send(misled)).toBe(0)
      expect(misled.queries).toHaveLength(1)
      expect(misled.envelopes).toEqual([])
      expect(await statusOf(world, id)).toMatchObject({ status: 'unknown' })
      at(world, 10)
      const right = listening(world)
      expect(await world.send(right)).toBe(1)
      expect(right.envelopes).toEqual([])
      expect(await statusOf(world, id)).toMatchObject({ status: 'cancelled' })
    },
  )
})

describe('the sender', () => {
  test("warns of a clock far from the authority's, then blocks issuing until a person accepts it", async () => {
    const world = await openBooks()
    await issued(world, 1)
    const away = (seconds: number) =>
      listening(world, async (envelope, real) =>
        changed(await real.submit(envelope), (text) =>
          text.replace(
            /<sf:TimestampPresentacion>[^<]+</,
            `<sf:TimestampPresentacion>${new Date(world.test.now().getTime() - seconds * 1000).toISOString().slice(0, 19)}Z<`,
          ),
        ),
      )
    await world.send(away(90))
    expect(await world.run('registry.status', {})).toMatchObject({ clock: { skewSeconds: 90 } })
    expect(await codes(world)).toEqual(['clock_differs clock'])
    await issued(world, 1)
    await world.send(away(400))
    expect(await codes(world)).toEqual(['clock_wrong clock'])
    const draft = await world.draft()
    expect(await world.run('invoices.validate', { id: draft.id })).toMatchObject({ valid: false })
    expect(await world.run('registry.acceptClock', {})).toEqual({ skewSeconds: 400 })
    expect(await world.run('invoices.validate', { id: draft.id })).toMatchObject({ valid: true })
    expect(await codes(world)).toEqual(['clock_differs clock'])
  })

  test('reads the same number with another date as an answer: ours is not held, and is sent', async () => {
    const world = await openBooks()
    const [id = ''] = await issued(world, 1)
    await world.send(
      listening(world, async (envelope, real) => {
        await real.submit(envelope)
        return unheard()
      }),
    )
    at(world, 4)
    const another = listening(world, undefined, async (envelope, real) =>
      changed(await real.query(envelope), (text) => {
        const told = text.replace(/(FechaExpedicionFactura>)\d\d-/g, '$101-')
        expect(told).not.toBe(text)
        return told
      }),
    )
    await world.send(another)
    expect(another.envelopes).toHaveLength(1)
    expect(await statusOf(world, id)).not.toMatchObject({ status: 'unknown' })
  })
})
