/** Mailboxes against a real server: nothing is lost, repeated or marked, and each fault says what is wrong. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { archiveCompany, restoreCompany } from '../../../../../server/app/companies/archive.ts'
import { pruneRejected } from '../../../../../server/purchases/incoming/index.ts'
import { createWorker, inAllCompanies } from '../../../../../server/platform/jobs/index.ts'
import { endIdleParsers } from '../../../../../server/platform/processes/parsers.ts'
import {
  createMailboxJobs,
  mailboxWork,
} from '../../../../../server/purchases/incoming/sources/mailbox/jobs.ts'
import type { MailStep } from '../../../../../server/purchases/incoming/sources/mailbox/read-mailbox.ts'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import type { World } from '../../../../support/world.ts'
import { hasDovecot, mailOf, openDovecot, openSourceWorld, PASSWORD, pdfOf, USER } from './dovecot.ts'

type MailboxInput = NonNullable<InputOf<'incoming.addSource'>['mailbox']>
const mailboxAt = (port: number, changes: Partial<MailboxInput> = {}): InputOf<'incoming.addSource'> => ({
  name: 'Compras',
  mailbox: { host: '127.0.0.1', port, user: USER, signIn: 'password', password: PASSWORD, ...changes },
})

afterEach(() => endIdleParsers())

interface PassOptions {
  onStep?: (step: MailStep) => void
  log?: (line: string) => void
}

/** Looks into the mailboxes once, as the program does in the background. */
async function look({ env }: World, { onStep, log }: PassOptions = {}): Promise<void> {
  const say =
    log ??
    ((line: string) => {
      throw new Error(line)
    })
  const limits = { connectMs: 4_000, idleMs: 20_000 }
  const worker = createWorker(
    inAllCompanies(env, mailboxWork({ env, log: say, limits, ...(onStep ? { onStep } : {}) }), say),
  )
  await worker.poll()
  await worker.stop()
}

const documents = async (world: World) =>
  (
    await world
      .ctx()
      .db.selectFrom('incoming_documents')
      .select(['name', 'sender', 'source'])
      .orderBy('id')
      .execute()
  ).map(({ name, sender }) => ({ name, sender }))
const names = async (world: World) => (await documents(world)).map(({ name }) => name)
const sourceOf = async (world: World) => (await world.run('incoming.sources', {})).items[0]!

describe.runIf(hasDovecot)('a mailbox', () => {
  test('of an archived company is not read until the company is taken back', async () => {
    const dovecot = await openDovecot()
    const world = await openSourceWorld()
    await world.run('incoming.addSource', mailboxAt(dovecot.port))
    await archiveCompany(world.ctx(), {})
    dovecot.deliver(mailOf({ parts: [{ name: 'uno.pdf', bytes: pdfOf(1) }] }))
    await look(world)
    expect(await sourceOf(world)).toMatchObject({ checkedAt: null })
    expect(await names(world)).toEqual([])
    await restoreCompany(world.ctx(), {})
    await look(world)
    expect(await names(world)).toEqual(['uno.pdf'])
  })

  test('attachments become documents with their mail beside them, and nothing in it changes', async () => {
    const dovecot = await openDovecot()
    const world = await openSourceWorld()
    dovecot.deliver(
      mailOf({
        parts: [
          { name: 'uno.pdf', bytes: pdfOf(1) },
          { name: 'dos.pdf', bytes: pdfOf(2) },
        ],
      }),
    )
    dovecot.deliver(mailOf({ subject: 'Hola', text: 'Nos vemos el lunes.' }))
    dovecot.deliver(
      mailOf({ subject: 'No está en esta carpeta', parts: [{ name: 'x.pdf', bytes: pdfOf(9) }] }),
      'INBOX',
    )
    const source = await world.run('incoming.addSource', mailboxAt(dovecot.port))
    expect(source).toMatchObject({
      state: 'active',
      documents: 0,
      mailbox: { mailbox: 'Facturas', isSignedIn: true },
    })
    expect(JSON.stringify(source)).not.toContain(PASSWORD)
    const before = dovecot.files().map((name) => name.split(':')[0])
    await look(world)
    expect(await documents(world)).toEqual([
      { name: 'uno.pdf', sender: 'Ana <ana@proveedor.example>' },
      { name: 'dos.pdf', sender: 'Ana <ana@proveedor.example>' },
    ])
    const { items } = await world.run('incoming.list', {})
    expect(items[0]).toMatchObject({ source: 'mailbox', sourceName: 'Compras' })
    const { attachments } = await world.run('incoming.get', { id: items[0]!.id })
    expect(attachments.map(({ mediaType }) => mediaType).toSorted()).toEqual([
      'application/pdf',
      'message/rfc822',
    ])
    expect(await sourceOf(world)).toMatchObject({ state: 'active', why: null, documents: 2 })
    // Nothing was read, moved or deleted in the eyes of other programs.
    expect(dovecot.files().map((name) => name.split(':')[0])).toEqual(before)
    expect(dovecot.files().filter((name) => /:2,.*[A-Z]/.test(name))).toEqual([])
    dovecot.deliver(
      mailOf({
        parts: [
          { name: 'tres.pdf', bytes: pdfOf(3) },
          { name: 'uno.pdf', bytes: pdfOf(1) },
        ],
      }),
    )
    world.advance(5 * 60_000)
    await look(world)
    expect(await names(world)).toEqual(['uno.pdf', 'dos.pdf', 'tres.pdf'])
  })

  test(
    'of 500 mails none comes twice and none is lost, wherever a look ends',
    { timeout: 300_000 },
    async () => {
      const dovecot = await openDovecot()
      const world = await openSourceWorld()
      const MAILS = 500
      for (let index = 0; index < MAILS; index++) {
        const parts = [{ name: `f${index}.pdf`, bytes: pdfOf(index) }]
        if (index % 50 === 0) parts.push({ name: `f${index}-b.pdf`, bytes: pdfOf(`${index}-b`) })
        dovecot.deliver(mailOf({ subject: `Factura ${index}`, parts }))
      }
      await world.run('incoming.addSource', mailboxAt(dovecot.port))
      const steps: MailStep[] = ['listed', 'fetched', 'parsed', 'added', 'finished']
      let [looks, taken] = [0, 0]
      // Each look ends at another step, after another number of mails; the last ones run through.
      for (; looks < 80 && taken < MAILS + 10; looks++) {
        const step = steps[looks % steps.length]!
        let left = step === 'listed' ? 1 : 1 + ((looks * 7) % 17)
        await look(world, {
          log: () => {},
          onStep(now) {
            if (looks < 40 && now === step && --left === 0) throw new Error('The program ended here.')
          },
        })
        taken = (await names(world)).length
        world.advance(2 * 60 * 60_000)
      }
      const wanted = Array.from({ length: MAILS }, (_, index) =>
        index % 50 === 0 ? [`f${index}.pdf`, `f${index}-b.pdf`] : [`f${index}.pdf`],
      ).flat()
      expect(looks).toBeGreaterThan(40)
      expect((await names(world)).toSorted()).toEqual(wanted.toSorted())
      expect((await sourceOf(world)).left).toEqual([])
      world.advance(5 * 60_000)
      await look(world)
      expect(await names(world)).toHaveLength(wanted.length)
    },
  )

  test('after a new UIDVALIDITY nothing comes again, also what was rejected and deleted', async () => {
    const dovecot = await openDovecot()
    const world = await openSourceWorld()
    for (const number of [1, 2, 3])
      dovecot.deliver(mailOf({ parts: [{ name: `${number}.pdf`, bytes: pdfOf(number) }] }))
    await world.run('incoming.addSource', mailboxAt(dovecot.port))
    await look(world)
    const [first] = (await world.run('incoming.list', {})).items
    await world.run('incoming.reject', { id: first!.id })
    world.advance(40 * 86_400_000)
    expect(await pruneRejected(world.ctx())).toBe(1)
    const position = async () =>
      (await world.ctx().db.selectFrom('incoming_sources').select('position').executeTakeFirstOrThrow())
        .position
    const before = JSON.parse((await position())!) as { uidValidity: string }
    await dovecot.renumber()
    dovecot.deliver(mailOf({ parts: [{ name: '4.pdf', bytes: pdfOf(4) }] }))
    await look(world)
    const after = JSON.parse((await position())!) as { uidValidity: string; lastUid: number }
    expect(after.uidValidity).not.toBe(before.uidValidity)
    expect(after.lastUid).toBe(4)
    expect((await names(world)).toSorted()).toEqual(
      ['1.pdf', '2.pdf', '3.pdf', '4.pdf'].filter((name) => name !== first!.name),
    )
  })

  test('of a mailbox that takes only new mails, what was there stays there', async () => {
    const dovecot = await openDovecot()
    const world = await openSourceWorld({ at: new Date().toISOString() })
    dovecot.deliver(mailOf({ parts: [{ name: 'vieja.pdf', bytes: pdfOf(1) }] }))
    await world.run('incoming.addSource', mailboxAt(dovecot.port, { takes: 'new' }))
    await look(world)
    expect(await names(world)).toEqual([])
    dovecot.deliver(mailOf({ parts: [{ name: 'nueva.pdf', bytes: pdfOf(2) }] }))
    world.advance(5 * 60_000)
    await look(world)
    expect(await names(world)).toEqual(['nueva.pdf'])
  })

  test(
    'a hostile mailbox takes nothing down, and what cannot be taken is named',
    { timeout: 180_000 },
    async () => {
      const dovecot = await openDovecot()
      const world = await openSourceWorld()
      const head = (subject: string): string =>
        `From: Eva <eva@malo.example>\r\nTo: ${USER}\r\nSubject: ${subject}\r\n`
      const nested = Array.from(
        { length: 10_000 },
        (_, index) => `Content-Type: multipart/mixed; boundary="b${index}"\r\n\r\n--b${index}\r\n`,
      ).join('')
      dovecot.deliver(`${head('Anidado')}${nested}`)
      dovecot.deliver(`${head('Cabecera')}X-Larga: ${'x'.repeat(10 * 1024 * 1024)}\r\n\r\nhola\r\n`)
      dovecot.deliver(
        `${head('Roto')}Content-Type: multipart/mixed; boundary="\r\nContent-Transfer-Encoding: base64\r\n\r\n\u0000\u00ff%%%`,
      )
      dovecot.deliver(
        Buffer.concat([Buffer.from(`${head('Enorme')}\r\n`), Buffer.alloc(41 * 1024 * 1024, 'a\r\n')]),
      )
      dovecot.deliver(
        mailOf({
          subject: 'Nombres',
          parts: [
            { name: '../../../../tmp/fuera.pdf', bytes: pdfOf('fuera') },
            { name: 'factura.pdf', type: 'application/pdf', bytes: Buffer.from('#!/bin/sh\nrm -rf /\n') },
            {
              name: 'bomba.zip',
              type: 'application/zip',
              bytes: Buffer.from('PK\u0003\u0004'.padEnd(5_000, '\0')),
            },
          ],
        }),
      )
      dovecot.deliver(
        mailOf({
          subject: 'Grande',
          parts: [
            { name: 'grande.pdf', bytes: Buffer.concat([pdfOf(1), Buffer.alloc(21 * 1024 * 1024, 'x')]) },
          ],
        }),
      )
      dovecot.deliver(mailOf({ subject: 'Buena', parts: [{ name: 'buena.pdf', bytes: pdfOf('buena') }] }))
      await world.run('incoming.addSource', mailboxAt(dovecot.port))
      await look(world, { log: (line) => world.logged.push(line) })
      const source = await sourceOf(world)
      expect(source).toMatchObject({ state: 'active', why: null })
      expect(await names(world)).toEqual([
        'Anidado.eml',
        'Cabecera.eml',
        'fuera.pdf',
        'Grande.txt',
        'buena.pdf',
      ])
      expect(source.left).toEqual([
        { name: 'grande.pdf', why: 'too_large' },
        { name: 'bomba.zip', why: 'unreadable' },
        { name: 'Enorme', why: 'too_large' },
      ])
    },
  )

  test.each([
    ['of another authority', { issuer: 'Otra autoridad' }],
    ['of another host', { hosts: ['correo.example'] }],
  ])('a server with a certificate %s gets no password', async (_name, wish) => {
    const dovecot = await openDovecot(wish)
    const world = await openSourceWorld()
    dovecot.deliver(mailOf())
    const { id } = await world.run('incoming.addSource', mailboxAt(dovecot.port))
    await look(world)
    expect(await sourceOf(world)).toMatchObject({ state: 'failing', why: 'not_trusted' })
    expect(await world.run('incoming.checkSource', { id })).toMatchObject({ why: 'not_trusted', found: null })
  })

  test('a check says exactly what is wrong, and a right one begins at once', async () => {
    const dovecot = await openDovecot()
    const world = await openSourceWorld()
    dovecot.deliver(mailOf({ parts: [{ name: 'uno.pdf', bytes: pdfOf(1) }] }))
    const { id } = await world.run('incoming.addSource', mailboxAt(dovecot.port, { password: 'otra' }))
    const check = () => world.run('incoming.checkSource', { id })
    const change = (changes: Partial<MailboxInput>) =>
      world.run('incoming.changeSource', { id, mailbox: mailboxAt(dovecot.port, changes).mailbox! })
    const refused = await check()
    expect(refused).toMatchObject({
      why: 'login_refused',
      source: { state: 'failing', why: 'login_refused' },
    })
    expect(JSON.stringify(refused)).not.toContain('otra"')
    await look(world)
    expect(await names(world)).toEqual([])
    await change({ mailbox: 'Otra' })
    const missing = await check()
    expect(missing).toMatchObject({ why: 'mailbox_missing' })
    expect(missing.mailboxes).toEqual(expect.arrayContaining(['Facturas', 'INBOX']))
    await change({ port: 1 })
    expect(await check()).toMatchObject({ why: 'unreachable' })
    // Its certificate is for the address.
    await change({ host: 'localhost' })
    expect(await check()).toMatchObject({ why: 'not_trusted' })
    await change({})
    expect(await check()).toMatchObject({ why: null, found: 1, source: { state: 'active' } })
    await look(world)
    expect(await names(world)).toEqual(['uno.pdf'])
  })

  test('a lost server is asked again later and later, and goes on where it was', async () => {
    const dovecot = await openDovecot()
    const world = await openSourceWorld()
    dovecot.deliver(mailOf({ parts: [{ name: 'uno.pdf', bytes: pdfOf(1) }] }))
    await world.run('incoming.addSource', mailboxAt(dovecot.port))
    await look(world)
    dovecot.deliver(mailOf({ parts: [{ name: 'dos.pdf', bytes: pdfOf(2) }] }))
    await dovecot.stop()
    const waits: number[] = []
    for (let index = 0; index < 4; index++) {
      world.advance(60 * 60_000)
      await look(world)
      const { nextAt, checkedAt, why } = await sourceOf(world)
      expect(why).toBe('unreachable')
      waits.push((Date.parse(nextAt!) - Date.parse(checkedAt!)) / 60_000)
    }
    expect(waits).toEqual([1, 2, 4, 8])
    await dovecot.start()
    world.advance(60 * 60_000)
    await look(world)
    expect(await names(world)).toEqual(['uno.pdf', 'dos.pdf'])
    expect(await sourceOf(world)).toMatchObject({ state: 'active', why: null })
  })

  test(
    'on a desk a new mail is taken within seconds, without anybody asking',
    { timeout: 60_000 },
    async () => {
      const dovecot = await openDovecot()
      const world = await openSourceWorld({ at: new Date().toISOString() })
      dovecot.deliver(mailOf({ parts: [{ name: 'uno.pdf', bytes: pdfOf(1) }] }))
      await world.run('incoming.addSource', mailboxAt(dovecot.port))
      const env = { ...world.env, now: () => new Date() }
      const jobs = createMailboxJobs({ env, log: (line) => world.logged.push(line) })
      onTestFinished(() => jobs.stop())
      jobs.wake()
      const until = async (count: number): Promise<void> => {
        for (let wait = 0; wait < 200 && (await names(world)).length < count; wait++) await pause(100)
      }
      await until(1)
      dovecot.deliver(mailOf({ parts: [{ name: 'dos.pdf', bytes: pdfOf(2) }] }))
      await until(2)
      expect(await names(world)).toEqual(['uno.pdf', 'dos.pdf'])
      // A connection that breaks while it waits for news is made again.
      await dovecot.stop()
      await dovecot.start()
      dovecot.deliver(mailOf({ parts: [{ name: 'tres.pdf', bytes: pdfOf(3) }] }))
      await world.run('incoming.checkSource', { id: (await sourceOf(world)).id })
      jobs.wake()
      await until(3)
      expect(await names(world)).toEqual(['uno.pdf', 'dos.pdf', 'tres.pdf'])
    },
  )

  test('a source that is paused, changed or removed in the middle of a look takes nothing more', async () => {
    const dovecot = await openDovecot()
    const world = await openSourceWorld()
    for (const number of [1, 2, 3])
      dovecot.deliver(mailOf({ parts: [{ name: `${number}.pdf`, bytes: pdfOf(number) }] }))
    const { id } = await world.run('incoming.addSource', mailboxAt(dovecot.port))
    let pausing: Promise<unknown> | null = null
    await look(world, {
      onStep(step) {
        if (step === 'finished') pausing ??= world.run('incoming.changeSource', { id, paused: true })
      },
    })
    await pausing
    const taken = (await names(world)).length
    expect(taken).toBeLessThan(3)
    expect(await sourceOf(world)).toMatchObject({ state: 'paused', nextAt: null })
    world.advance(60 * 60_000)
    await look(world)
    expect(await names(world)).toHaveLength(taken)
    await world.run('incoming.changeSource', { id, paused: false })
    await look(world)
    expect(await names(world)).toEqual(['1.pdf', '2.pdf', '3.pdf'])
    await world.run('incoming.removeSource', { id })
    expect((await world.run('incoming.sources', {})).items).toEqual([])
    expect((await world.run('incoming.list', {})).items).toHaveLength(3)
  })
})
