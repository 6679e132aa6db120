/** Notices of deadlines that come near: each once, only of returns that must be filed and are not. */
import { describe, expect, test } from 'vitest'
import { announceDeadlines } from '../../../../../server/accounting/returns/index.ts'
import { runCalendar } from '../../../../../server/app/calendar.ts'
import { eventsAfter, newestEventId } from '../../../../../server/platform/events/index.ts'
import { EVENTS } from '../../../../../server/platform/events/contract.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World, WorldOptions } from '../../../../support/world.ts'

async function open(options: WorldOptions = {}) {
  const world = await openWorld({ at: '2026-09-30T10:00:00+02:00', ...options })
  return {
    world,
    /** Returns the notices of a day: `model period of daysLeft day`. */
    on: async (at: string): Promise<string[]> => {
      world.setTime(`${at}T10:00:00Z`)
      const before = await newestEventId(world.env.store.reader)
      await announceDeadlines(world.ctx())
      // A second run gives none again.
      await announceDeadlines(world.ctx())
      const events = await eventsAfter(world.env.store.reader, before)
      return events.map(({ type, data }) => {
        expect(type).toBe('filing.due_soon')
        const { model, year, period, of, day, daysLeft } = EVENTS['filing.due_soon'].data.parse(data)
        return `${model} ${period} ${year} ${of} ${daysLeft} ${day}`
      })
    },
  }
}

/** Issues an invoice so that VAT is paid in the quarter of the day. */
async function sell(world: World): Promise<void> {
  const draft = await world.createDraft({})
  await world.issue(draft.id)
}

describe('notices', () => {
  test('are given 7 days and 1 day before the last day, and 2 before that of the direct debit, once each', async () => {
    const { world, on } = await open()
    await sell(world)
    const days: [string, string[]][] = [
      ['2026-10-12', []],
      ['2026-10-13', ['303 3T 2026 direct_debit 2 2026-10-15', '303 3T 2026 term 7 2026-10-20']],
      ['2026-10-14', []],
      ['2026-10-15', []],
      ['2026-10-18', []],
      ['2026-10-19', ['303 3T 2026 term 1 2026-10-20']],
      ['2026-10-20', []],
      ['2026-10-21', []],
    ]
    for (const [day, said] of days) expect(await on(day), day).toEqual(said)
  })

  test('missed while Sello was closed are given late, the last step only', async () => {
    const { world, on } = await open()
    await sell(world)
    expect(await on('2026-10-15')).toEqual([
      '303 3T 2026 direct_debit 0 2026-10-15',
      '303 3T 2026 term 5 2026-10-20',
    ])
    const late = await open()
    await sell(late.world)
    expect(await late.on('2026-10-20')).toEqual(['303 3T 2026 term 0 2026-10-20'])
  })

  test('are not repeated after the clock was set back', async () => {
    const { on } = await open()
    expect(await on('2026-10-19')).toEqual(['303 3T 2026 term 1 2026-10-20'])
    expect(await on('2026-10-14')).toEqual([])
    expect(await on('2026-10-20')).toEqual([])
  })

  test('of a direct debit are not given when there is nothing to pay', async () => {
    const { on } = await open()
    expect(await on('2026-10-13')).toEqual(['303 3T 2026 term 7 2026-10-20'])
  })

  test('are not given of a filed return, nor of one that may not be due', async () => {
    const { world, on } = await open()
    await sell(world)
    world.setTime('2026-10-05T10:00:00+02:00')
    await world.run('fiscal.markFiled', { model: '303', year: 2026, quarter: 3 })
    const models = (await world.run('fiscal.models', { year: 2026, quarter: 3 })).models
    expect(models.find(({ model }) => model === '111')).toMatchObject({ applies: null })
    expect(await on('2026-10-14')).toEqual([])
    world.setTime('2026-10-14T11:00:00+02:00')
    await world.run('fiscal.withdrawFiling', { model: '303', year: 2026, quarter: 3 })
    expect(await on('2026-10-15')).toEqual([
      '303 3T 2026 direct_debit 0 2026-10-15',
      '303 3T 2026 term 5 2026-10-20',
    ])
  })

  test('of the year follow the moved last days', async () => {
    const { on } = await open()
    expect(await on('2027-01-24')).toEqual([])
    expect(await on('2027-01-25')).toEqual(['303 4T 2026 term 7 2027-02-01', '390 0A 2026 term 7 2027-02-01'])
    expect(await on('2027-01-31')).toEqual(['303 4T 2026 term 1 2027-02-01', '390 0A 2026 term 1 2027-02-01'])
  })

  test('are part of the history and of the work of each day', async () => {
    const { world } = await open()
    world.setTime('2026-10-13T10:00:00+02:00')
    const { book } = world.ctx()
    for (let run = 0; run < 2; run++) await runCalendar(world.env, [book], () => undefined)
    const { items } = await world.run('audit.list', { action: 'filing.due_soon' })
    expect(items.map(({ target, actor }) => [target?.label, actor.kind])).toEqual([
      ['303 3T 2026: 2026-10-20', 'system'],
    ])
  })
})

describe('the dashboard', () => {
  test('has the direct debit as an item of its own in its last days', async () => {
    const { world } = await open()
    await sell(world)
    const titles = async (at: string) => {
      world.setTime(`${at}T10:00:00Z`)
      const { attention } = await world.run('dashboard.get', {})
      return attention
        .filter(({ kind }) => kind === 'deadline')
        .map(({ title, params }) => `${title} ${params['form']} ${params['dueTo']} ${params['days']}`)
    }
    expect(await titles('2026-10-12')).toEqual(['return_due 303 2026-10-20 8'])
    for (const [at, left] of [
      ['2026-10-13', 2],
      ['2026-10-15', 0],
    ] as const)
      expect(await titles(at)).toEqual([
        `return_debit_due 303 2026-10-15 ${left}`,
        `return_due 303 2026-10-20 ${left + 5}`,
      ])
    expect(await titles('2026-10-16')).toEqual(['return_due 303 2026-10-20 4'])
    const { deadlines } = await world.run('dashboard.get', {})
    expect(deadlines.find(({ model }) => model === '303')).toMatchObject({
      directDebitTo: '2026-10-15',
      sure: 'official',
    })
  })
})
