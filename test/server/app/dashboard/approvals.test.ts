/** Approvals by the owner: with the system's prompt or the lock code, when the owner requires it. */
import { describe, expect, test, vi } from 'vitest'
import type { PersonCheck } from '../../../../server/context.ts'
import { openBooks, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { inLongRun } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const CODE = 'tres gatos pardos'
// A code is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** A sandbox's live book with the lock on, and an invoice that a program wants to issue. */
async function asked(person: PersonCheck | null = null) {
  const world = await openBooks({ environment: { sandbox: true, window: { pages: 1 }, person } })
  const { p12 } = makeP12({ password: 'clave' })
  await world.run('certificates.import', { file: p12.toString('base64'), password: 'clave' }, world.live)
  const { groups } = await world.run('recovery.reveal', {}, world.live)
  const checked = [0, 1].map((index) => ({ index, text: groups[index]! }))
  await world.run('recovery.confirm', { groups: checked }, world.live)
  await world.run('lock.set', { code: CODE }, world.live)
  const key = world.ctx(world.books.live, await world.key({ approval: 'always' }, world.books.live))
  const { id } = await world.draft({}, world.live)
  const { confirmation } = await world.run('invoices.validate', { id }, key)
  const [item] = (await world.run('approvals.list', {}, world.live)).waiting
  expect(item?.approvalId).toBe(confirmation?.approval.approvalId)
  const { approvalId, contentHash } = item!
  return { world, answer: { id: approvalId, contentHash } }
}
type Answer = Awaited<ReturnType<typeof asked>>['answer']

const approve = (world: TestBooks, answer: Answer, code?: string) =>
  world.run(
    'approvals.decide',
    { ...answer, decision: 'approve', ...(code === undefined ? {} : { code }) },
    world.live,
  )
const want = (world: TestBooks, beforeApproval: boolean, code?: string) =>
  world.run('lock.approvals', { beforeApproval, ...(code === undefined ? {} : { code }) }, world.live)
const records = async (world: TestBooks): Promise<number> =>
  (await world.run('registry.status', {}, world.live)).chain.records

const sensor = (answers: boolean[], isThere = true) => ({
  available: () => isThere,
  ask: vi.fn<PersonCheck['ask']>(async () => answers.shift() ?? false),
})

describe('with the lock code', () => {
  test('an approval without it, or with a wrong one, does nothing; with it the step is carried out', async () => {
    const { world, answer } = await asked()
    expect((await want(world, true, CODE)).beforeApproval).toBe(true)
    expect(await refused(approve(world, answer))).toMatchObject({
      code: 'identity_needed',
      details: { kind: 'passphrase' },
    })
    expect(await refused(approve(world, answer, 'otra cosa'))).toMatchObject({ code: 'lock_code_wrong' })
    expect(await records(world)).toBe(0)
    expect(await approve(world, answer, CODE)).toMatchObject({ status: 'approved' })
    expect(await records(world)).toBe(1)
  })

  longTest('attempts are counted like those at the lock, and a correct one clears them', async () => {
    const { world, answer } = await asked()
    await want(world, true, CODE)
    for (let tries = 0; tries < 2; tries += 1) await refused(approve(world, answer, 'otra cosa'))
    await approve(world, answer, CODE)
    const { waitSeconds } = await world.run('session.lockState', {}, world.live)
    expect(waitSeconds).toBe(0)
    for (let tries = 0; tries < 5; tries += 1) await refused(want(world, false, 'otra cosa'))
    expect(await refused(want(world, false, CODE))).toMatchObject({ code: 'lock_wait' })
  })

  test('only the owner turns the requirement on or off, and a rejection needs no code', async () => {
    const { world, answer } = await asked()
    expect(await refused(want(world, true))).toMatchObject({ code: 'identity_needed' })
    // On by default.
    expect((await world.run('lock.get', {}, world.live)).beforeApproval).toBe(true)
    await want(world, true, CODE)
    expect(await refused(want(world, false))).toMatchObject({ code: 'identity_needed' })
    expect((await world.run('lock.get', {}, world.live)).beforeApproval).toBe(true)
    const denied = await world.run('approvals.decide', { ...answer, decision: 'deny' }, world.live)
    expect(denied.status).toBe('denied')
  })

  test('a click is enough when the owner turned it off; without a lock the owner cannot be proved', async () => {
    const { world, answer } = await asked()
    await want(world, false, CODE)
    expect(await approve(world, answer)).toMatchObject({ status: 'approved' })
    const other = await asked()
    await other.world.run('lock.remove', { current: CODE }, other.world.live)
    expect(await refused(want(other.world, true, CODE))).toMatchObject({ code: 'lock_not_set' })
    for (const code of [undefined, CODE])
      expect(await refused(approve(other.world, other.answer, code))).toMatchObject({
        code: 'identity_needed',
        details: { kind: null },
      })
  })

  longTest('the requirement survives a change of the lock options', async () => {
    const { world } = await asked()
    await want(world, true, CODE)
    expect(await world.run('lock.options', { idleMinutes: 5 }, world.live)).toMatchObject({
      idleMinutes: 5,
      beforeApproval: true,
    })
    await world.run('lock.set', { code: 'siete perros rubios', current: CODE }, world.live)
    expect((await world.run('lock.get', {}, world.live)).beforeApproval).toBe(true)
  })
})

describe('with the system’s own prompt', () => {
  test('a confirmed owner needs no code; an unconfirmed one can still enter it', async () => {
    const person = sensor([true, false])
    const { world, answer } = await asked(person)
    await want(world, true)
    expect(person.ask).toHaveBeenLastCalledWith('setting')
    expect(await refused(approve(world, answer))).toMatchObject({ code: 'identity_needed' })
    expect(person.ask).toHaveBeenLastCalledWith('approve')
    expect(await records(world)).toBe(0)
    expect(await approve(world, answer, CODE)).toMatchObject({ status: 'approved' })
    expect(person.ask).toHaveBeenCalledTimes(2)
  })

  test('an approval by it carries out the step', async () => {
    const { world, answer } = await asked(sensor([true, true]))
    await want(world, true)
    expect(await approve(world, answer)).toMatchObject({ status: 'approved' })
    expect(await records(world)).toBe(1)
  })

  longTest('an unreachable sensor is not waited for', async () => {
    const person = sensor([true], false)
    const { world, answer } = await asked(person)
    await want(world, true, CODE)
    expect(await refused(approve(world, answer))).toMatchObject({ code: 'identity_needed' })
    expect(person.ask).not.toHaveBeenCalled()
  })

  longTest('a request that expired during the prompt is not approved', async () => {
    const { world, answer } = await asked({
      available: () => true,
      ask: async (deed) => {
        if (deed === 'approve') world.setTime(new Date(world.env.now().getTime() + 11 * 60_000).toISOString())
        return true
      },
    })
    await want(world, true)
    expect(await refused(approve(world, answer))).toMatchObject({ code: 'approval_closed' })
    expect(await records(world)).toBe(0)
  })
})
