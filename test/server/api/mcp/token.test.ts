/**
 * The effect of a confirmation token over MCP: one issue, of the content shown, by the caller that received it,
 * within its validity.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import { CONFIRMATION_LIFE_MS } from '../../../../server/sales/invoices/issue/confirmations.ts'
import type { Era } from '../../../../server/api/mcp/resources.ts'
import { ERAS, MCP_PATH, mcpRequest, toolAnswer } from '../../../support/mcp.ts'
import type { ToolAnswer } from '../../../support/mcp.ts'
import { oneTokenRounds, proveOnce } from '../../../support/stages/one-token.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'
import { startRunning } from './running.ts'

/** test/long/crashes/one-token.test.ts has ten times as many. */
const ROUNDS = sweptCount(20, 5)

test('of fifty issues with one token over all transports one succeeds', { timeout: 120_000 }, async () => {
  const running = await startRunning()
  onTestFinished(() => running.close())
  await oneTokenRounds(running, ROUNDS, 7)
  await proveOnce(running, ROUNDS)
})

// A token of one wire is used on the other below.
describe.each(swept(ERAS, (era) => era === '2026'))('on the %s wire a token', (era) => {
  test('issues once, and returns the same invoice to the same caller', async () => {
    const { world, id, confirmationToken } = await validated(era)
    const first = await issue(world, era, { id, confirmationToken })
    expect(first).toMatchObject({ isError: false, isReplay: false, data: { id, state: 'issued' } })
    const again = await issue(world, era, { id, confirmationToken })
    expect(again).toMatchObject({ isReplay: true, data: { id, number: first.data.number } })
    await expectIssued(world, 1)
  })

  test('is useless to another key, of the same book or of the live one', async () => {
    const { world, id, confirmationToken } = await validated(era)
    const other = (await world.makeKey()).key
    expect((await issue(world, era, { id, confirmationToken }, other)).error.code).toBe(
      'confirmation_invalid',
    )
    const live = await world.key('live')
    // In the other book the invoice itself does not exist.
    expect((await issue(world, era, { id, confirmationToken }, live)).error.code).toBe('not_found')
    await expectIssued(world, 0)
    expect((await issue(world, era, { id, confirmationToken })).isError).toBe(false)
  })

  test('of the live book is useless in the test book, and the reverse', async () => {
    const { world, confirmationToken } = await validated(era)
    const live = await world.key('live')
    const liveDraft = (await world.createDraft({}, { key: live })).id
    expect((await issue(world, era, { id: liveDraft, confirmationToken }, live)).error.code).toBe(
      'confirmation_invalid',
    )
    const testDraft = (await world.createDraft()).id
    expect((await issue(world, era, { id: liveDraft, confirmationToken })).error.code).toBe('not_found')
    expect((await issue(world, era, { id: testDraft, confirmationToken })).error.code).toBe(
      'confirmation_invalid',
    )
    await expectIssued(world, 0)
  })

  test('is stale once the draft has another version, whatever was changed', async () => {
    const { world, id, confirmationToken } = await validated(era)
    const path = `/api/v1/invoices/${id}`
    const { version } = (await world.get(path)).body.data
    const edited = await world.patch(path, { expectedVersion: version, notes: 'Otra cosa' })
    expect(edited.status, edited.raw.body).toBe(200)
    expect((await issue(world, era, { id, confirmationToken })).error.code).toBe('confirmation_stale')
    await expectIssued(world, 0)
  })

  test('is stale once the data to register have changed outside the draft', async () => {
    const { world, id, confirmationToken } = await validated(era)
    await world.run('company.update', { legalName: 'Otro Nombre, S.L.' })
    expect((await issue(world, era, { id, confirmationToken })).error.code).toBe('confirmation_stale')
    await expectIssued(world, 0)
  })

  test('is valid for ten minutes by the clock of the books', async () => {
    const { world, id, confirmationToken } = await validated(era)
    world.advance(CONFIRMATION_LIFE_MS)
    expect((await issue(world, era, { id, confirmationToken })).error.code).toBe('confirmation_expired')
    const anew = await tokenOf(world, era, id)
    world.advance(CONFIRMATION_LIFE_MS - 1)
    expect((await issue(world, era, { id, confirmationToken: anew })).isError).toBe(false)
  })

  test('is valid for its invoice only, and no other may be tried with it', async () => {
    const { world, id, confirmationToken } = await validated(era)
    const other = (await world.createDraft({ clientName: 'Otra' })).id
    expect((await issue(world, era, { id: other, confirmationToken })).error.code).toBe(
      'confirmation_invalid',
    )
    expect((await issue(world, era, { id, confirmationToken })).isError).toBe(false)
    expect((await issue(world, era, { id: other, confirmationToken })).error.code).toBe(
      'confirmation_invalid',
    )
    await expectIssued(world, 1)
  })

  test('is valid for its action only', async () => {
    const { world, id, confirmationToken } = await validated(era)
    const cancelled = await world.post(`/api/v1/invoices/${id}/cancel`, { confirmationToken })
    expect(cancelled.body.error.code).toBe('invoice_not_issued')
    await issue(world, era, { id, confirmationToken })
    const spent = await world.post(`/api/v1/invoices/${id}/cancel`, { confirmationToken })
    expect(spent.body.error.code).toBe('confirmation_invalid')
    await expectIssued(world, 1)
  })

  test('is replaced by that of a later validation', async () => {
    const { world, id, confirmationToken } = await validated(era)
    const later = await tokenOf(world, era, id)
    expect((await issue(world, era, { id, confirmationToken })).error).toMatchObject({
      code: 'confirmation_invalid',
      details: { why: 'superseded' },
    })
    expect((await issue(world, era, { id, confirmationToken: later })).isError).toBe(false)
  })

  test('survives a restart before the issue, and so does the lost answer in one after it', async () => {
    const { world, id, confirmationToken } = await validated(era)
    await world.restart()
    const first = await issue(world, era, { id, confirmationToken })
    expect(first).toMatchObject({ isError: false, isReplay: false })
    await world.restart()
    const again = await issue(world, era, { id, confirmationToken })
    expect(again).toMatchObject({ isReplay: true, data: { number: first.data.number } })
    await expectIssued(world, 1)
  })
})

test('a token of one wire works on the other and over REST, and repeats there', async () => {
  const { world, id, confirmationToken } = await validated('2025')
  const first = await issue(world, '2026', { id, confirmationToken })
  expect(first.isReplay).toBe(false)
  const again = await world.post(`/api/v1/invoices/${id}/issue`, { confirmationToken })
  expect(again.body.data).toMatchObject({ number: first.data.number, replayed: true })
})

async function ask(world: World, era: Era, name: string, args: unknown, key?: string): Promise<ToolAnswer> {
  const { headers, body } = mcpRequest(era, 'tools/call', { name, arguments: args })
  const { status, raw } = await world.post(MCP_PATH, body, { headers, ...(key ? { key } : {}) })
  return toolAnswer(status, raw.body)
}

const issue = (
  world: World,
  era: Era,
  args: { id: string; confirmationToken: string },
  key?: string,
): Promise<ToolAnswer> => ask(world, era, 'svc_issue_registry_invoice', args, key)

async function tokenOf(world: World, era: Era, id: string): Promise<string> {
  const { data } = await ask(world, era, 'svc_validate_registry_invoice', { id })
  return data.confirmation.confirmationToken as string
}

async function validated(era: Era): Promise<{ world: World; id: string; confirmationToken: string }> {
  const world = await openWorld()
  const { id } = await world.createDraft()
  return { world, id, confirmationToken: await tokenOf(world, era, id) }
}

async function expectIssued(world: World, count: number): Promise<void> {
  const reader = world.ctx().db
  const issued = await reader.selectFrom('invoices').select('id').where('state', '=', 'issued').execute()
  const records = await reader.selectFrom('registry_records').select('id').execute()
  expect([issued.length, records.length]).toEqual([count, count])
  expect(world.logged.filter((line) => line.includes('"bug"'))).toEqual([])
}
