/** An archive is sent to a desk in parts: by the window, in order, and to no other place than its own. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { dropArchives } from '../../../../server/app/leaving/start.ts'
import { NO_BOOK } from '../../../../server/context.ts'
import type { InputOf, OperationName, OutputOf } from '../../../../server/api/contracts.ts'
import { archiveOf, EmptyDesk, PERSON } from '../../../support/leaving/archive.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'

const AT = '2026-11-24T10:00:00+01:00'
const PART = 50_000

async function ask<Name extends OperationName>(
  desk: EmptyDesk,
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  const ctx = desk.sello.ctx(NO_BOOK, PERSON)
  return (await runOperation(await loadOperation(name), ctx, input)) as OutputOf<Name>
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

async function send(desk: EmptyDesk, whole: Buffer): Promise<string> {
  let id: string | null = null
  for (let position = 0; position < whole.length; position += PART) {
    const content = base64(whole.subarray(position, position + PART))
    const answer: OutputOf<'leaving.send'> = await ask(desk, 'leaving.send', { id, position, content })
    // A part whose answer was lost is sent again.
    if (id !== null) expect(await ask(desk, 'leaving.send', { id, position, content })).toEqual(answer)
    ;({ id } = answer)
  }
  return id ?? ''
}

test('in parts, taken in, and gone from beside the books', { timeout: 60_000 }, async () => {
  const world = await openWorld({ at: AT })
  await world.run('invoices.create', EXAMPLE_DRAFT)
  const { file } = await archiveOf(world.ctx())
  const whole = readFileSync(file)
  const desk = await EmptyDesk.open(new Date(AT))
  const id = await send(desk, whole)
  const folder = join(desk.folder, 'archive')
  expect(readFileSync(join(folder, `${id}.zip`)).equals(whole)).toBe(true)
  // The next one takes its place.
  const second = await send(desk, whole)
  expect(readdirSync(folder)).toEqual([`${second}.zip`])
  await expect(ask(desk, 'leaving.takeIn', { id })).rejects.toMatchObject({ code: 'not_found' })
  const taking = ask(desk, 'leaving.takeIn', { id: second })
  await expect(ask(desk, 'leaving.takeIn', { id: second })).rejects.toMatchObject({ code: 'too_busy' })
  await expect(
    ask(desk, 'leaving.send', { id: null, position: 0, content: base64(whole.subarray(0, 9)) }),
  ).rejects.toMatchObject({ code: 'too_busy' })
  expect((await ask(desk, 'leaving.takeInProgress', {})).inFlight).not.toBeNull()
  const taken = await taking
  expect(taken.books).toHaveLength(2)
  expect(await desk.failedChecks()).toEqual([])
  expect(existsSync(folder)).toBe(false)
  expect((await ask(desk, 'leaving.takeInProgress', {})).inFlight).toBeNull()
})

test('is refused out of order, as no archive, and with a name that leads elsewhere', async () => {
  const desk = await EmptyDesk.open(new Date(AT))
  const content = base64(Buffer.from('PK and more'))
  await expect(
    ask(desk, 'leaving.send', { id: null, position: 0, content: base64(Buffer.from('text')) }),
  ).rejects.toMatchObject({ code: 'archive_unreadable' })
  const { id } = await ask(desk, 'leaving.send', { id: null, position: 0, content })
  await expect(ask(desk, 'leaving.send', { id, position: 99, content })).rejects.toMatchObject({
    code: 'archive_unreadable',
  })
  writeFileSync(join(desk.folder, 'other.zip'), 'PK of somebody else')
  for (const elsewhere of ['../other', 'req_../../other', `${id}/../../other`]) {
    await expect(ask(desk, 'leaving.send', { id: elsewhere, position: 0, content })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await expect(ask(desk, 'leaving.takeIn', { id: elsewhere })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  }
  expect(readFileSync(join(desk.folder, 'other.zip'), 'utf8')).toBe('PK of somebody else')
  dropArchives(desk.folder)
  expect(existsSync(join(desk.folder, 'archive'))).toBe(false)
  await expect(ask(desk, 'leaving.send', { id, position: 11, content })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('an archive that the window asked for is removed once it was read', { timeout: 60_000 }, async () => {
  const world = await openWorld({ at: AT })
  const { stream } = await world.run('leaving.archive', {})
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  expect(Buffer.concat(pieces).toString('latin1', 0, 2)).toBe('PK')
  expect(existsSync(join(world.folder, 'archive'))).toBe(false)
})
