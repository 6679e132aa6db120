/**
 * Two years of filing in a deterministic world: answers that are lost, halved, late or wrong, crashes at every step, a second
 * yes, rectifications, and a clock that goes on. Nothing is filed twice, nothing is lost, and what is carried forward is what
 * was filed.
 */
import { expect, test } from 'vitest'
import { createFilingService } from '../../../../../server/accounting/returns/filing/aeat/index.ts'
import { fileWith } from '../../../../../server/accounting/returns/filing/file.ts'
import { askForBook, recoverSendings } from '../../../../../server/accounting/returns/filing/jobs.ts'
import type { Transport } from '../../../../../server/accounting/returns/filing/service.ts'
import {
  createReturnsFaultControl,
  createReturnsSimulator,
  memoryReturnsState,
} from '../../../../../server/accounting/returns/simulator/index.ts'
import type { ReturnsFault } from '../../../../../server/accounting/returns/simulator/index.ts'
import { openBooks } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { stateSchemes } from '../../../../support/schemes.ts'
import { dice } from '../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../support/sweep.ts'

const STEPS = sweptCount(10_000, 2_000)
const IBAN = 'ES9121000418450200051332'
const MODELS = ['303', '130', '111', '115'] as const
type Model = (typeof MODELS)[number]
const QUARTERS = [2026, 2027].flatMap((year) => [1, 2, 3, 4].map((quarter) => ({ year, quarter })))

/** The program dies here: nothing after it runs. */
class Crash extends Error {}

const FAULTS: readonly ReturnsFault[] = [
  { kind: 'drop_request' },
  { kind: 'drop_reply' },
  { kind: 'slow', ms: 1 },
  { kind: 'error_500' },
  { kind: 'error_500', processed: true },
  { kind: 'html_200' },
  { kind: 'html_200', processed: true },
  { kind: 'redirect_302' },
  { kind: 'half_body' },
  { kind: 'errors', codes: ['E0100803'] },
  { kind: 'errors', codes: ['Z9999'] },
  { kind: 'hidden', seconds: 600 },
]

const day = (year: number, month: number, date: number) =>
  `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`

async function tradeIn(world: TestBooks, { year, quarter }: { year: number; quarter: number }, at: number) {
  const month = quarter * 3 - 1
  const date = day(year, month, 10)
  world.setTime(`${date}T10:00:00Z`)
  await world.invoice({
    issueDate: date,
    lines: [{ description: 'Servicio', quantity: 1, unitPrice: 1_000 + 137 * at }],
    withholdingPct: 15,
  })
  // In every other quarter more is bought than sold, so that an amount is carried forward.
  await world.run('received.create', {
    supplierName: 'Proveedor, S.A.',
    supplierNif: 'A58818501',
    supplierNumber: `P-${at}`,
    issueDate: date,
    receptionDate: date,
    taxLines: [{ base: at % 2 === 0 ? 4_000 : 120, vatRate: 21 }],
  })
  await world.run('received.create', {
    supplierName: 'Asesora, S.L.',
    supplierNif: 'B12345674',
    supplierNumber: `A-${at}`,
    issueDate: date,
    receptionDate: date,
    taxLines: [{ base: 200, vatRate: 21 }],
    withholding: { rate: 15, reason: 'professional' },
  })
  for (const box of ['01', '02', '03', '04', '05', '06'])
    await world.run('fiscal.setInput', { model: '111', year, quarter, box, amount: 0 })
}

test(
  `${STEPS} steps of filing: none twice, none lost, every receipt stored`,
  { timeout: 1_200_000 },
  async () => {
    const die = dice(20_261)
    const world = await openBooks({ at: '2026-02-10T10:00:00Z' })
    await world.tamper(
      "update companies set kind = 'natural', nif = '12345678Z', legal_name = 'García Álvarez, María José'",
    )
    for (const year of [2026, 2027]) await stateSchemes(world, year)
    const { env, book, test: ctx } = await parts(world)
    const faults = createReturnsFaultControl()
    const state = memoryReturnsState()
    const simulator = createReturnsSimulator({ state, now: () => env.now(), faults })
    let crashAt: 'before' | 'after' | null = null
    const nif = '12345678Z'
    const transport: Transport = async (message) => {
      if (crashAt === 'before') throw new Crash()
      const answer = await simulator.handle({
        method: message.method,
        path: message.path,
        headers: { host: 'localhost', ...message.headers },
        body: message.body,
        callers: message.certificate ? [nif] : null,
      })
      if (crashAt === 'after') throw new Crash()
      return answer.kind === 'dropped' ? { kind: 'no_answer', detail: 'dropped' } : answer
    }
    const service = createFilingService(transport)
    const signer = { nif, name: 'García Álvarez, María José', representation: null }
    const serviceOf = async () => service
    let now = Date.parse('2026-02-10T10:00:00Z')
    const goOn = (ms: number) => {
      now += ms
      world.setTime(new Date(now).toISOString())
    }
    const counts = {
      filed: 0,
      refused: 0,
      unknown: 0,
      notSent: 0,
      crashed: 0,
      rectified: 0,
      changed: 0,
      repeated: 0,
      asked: 0,
    }

    /** Runs work that a crash may end; then the program starts again. */
    async function survived<T>(work: () => Promise<T>): Promise<T | null> {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Crash)) throw error
        counts.crashed += 1
        crashAt = null
        const rows = await ctx.db
          .selectFrom('filing_sendings')
          .selectAll()
          .where('state', 'in', ['preparing', 'sent'])
          .orderBy('id')
          .execute()
        await recoverSendings(ctx, rows)
        return null
      }
    }
    async function ask() {
      counts.asked += 1
      await survived(() => askForBook(env, book, { serviceOf }))
    }
    async function quiet() {
      faults.clear()
      crashAt = null
      for (let at = 0; at < 12; at++) {
        goOn(40 * 60_000)
        await ask()
      }
    }
    async function file(model: Model, quarter: { year: number; quarter: number }) {
      const earlier = (await world.run('fiscal.filings', { year: quarter.year })).items.find(
        (each) => each.model === model && each.period === `${quarter.quarter}T` && each.state === 'accepted',
      )
      const rectifies = earlier && model === '303' && die.below(3) === 0
      if (earlier && !rectifies) return
      // What was forgotten raises or lowers the tax of a filed quarter.
      if (rectifies && die.below(2) === 0) {
        const date = day(quarter.year, quarter.quarter * 3 - 1, 20)
        counts.changed += 1
        await world.run('received.create', {
          supplierName: 'Olvidada, S.L.',
          supplierNif: 'B87654323',
          supplierNumber: `O-${counts.changed}`,
          issueDate: date,
          receptionDate: date,
          taxLines: [{ base: 10 + die.below(900), vatRate: 21 }],
        })
      }
      const preview = await world.run('fiscal.prepareFiling', {
        model,
        ...quarter,
        iban: IBAN,
        ...(rectifies ? { nature: 'rectifying' as const, previousReceipt: earlier.receipt ?? '' } : {}),
      })
      const errors = preview.faults.filter(({ severity }) => severity === 'error').map(({ code }) => code)
      if (preview.confirmationToken === null) {
        // Only what is under way, or the end of the term for a direct debit, may stand against it.
        expect(
          errors.every((code) => code === 'debit_term_over') &&
            (errors.length > 0 ||
              preview.kind === 'I' ||
              preview.sendings.some(({ state: is }) => is === 'unknown')),
          JSON.stringify({ errors, kind: preview.kind }),
        ).toBe(true)
        return
      }
      const input = {
        model,
        ...quarter,
        confirmationToken: preview.confirmationToken,
        withoutValidation: die.below(4) === 0,
      }
      const sending = await survived(() => fileWith(world.test, input, { service, signer }))
      if (die.below(2) === 0) {
        counts.repeated += 1
        const again = await survived(() => fileWith(world.test, input, { service, signer }))
        if (sending && again) expect(again.id).toBe(sending.id)
      }
      if (sending?.state === 'accepted') counts[rectifies ? 'rectified' : 'filed'] += 1
      if (sending?.state === 'refused') counts.refused += 1
      if (sending?.state === 'unknown') counts.unknown += 1
      if (sending?.state === 'not_sent') counts.notSent += 1
    }

    const each = Math.ceil(STEPS / QUARTERS.length)
    for (const [at, quarter] of QUARTERS.entries()) {
      await tradeIn(world, quarter, at)
      const opens =
        quarter.quarter === 4 ? day(quarter.year + 1, 1, 4) : day(quarter.year, quarter.quarter * 3 + 1, 4)
      now = Date.parse(`${opens}T09:00:00Z`)
      goOn(0)
      for (let step = 0; step < each; step++) {
        faults.clear()
        for (const on of ['file', 'validate', 'query', 'document'] as const)
          if (die.below(3) === 0) faults.next(FAULTS[die.below(FAULTS.length)]!, { on })
        crashAt = die.below(12) === 0 ? (die.below(2) === 0 ? 'before' : 'after') : null
        if (die.below(3) === 0) {
          goOn(die.below(20) * 60_000)
          await ask()
        } else await file(MODELS[die.below(MODELS.length)]!, quarter)
        goOn(die.below(5) * 60_000)
      }
      await quiet()
      for (const model of MODELS) await file(model, quarter)
      await quiet()
    }

    const declared = state.allDeclared()
    if (declared.length === 0)
      console.log(
        JSON.stringify({
          counts,
          first: (await world.run('fiscal.filings', { year: 2026 })).items.slice(-3),
        }),
      )
    const sendings = (
      await Promise.all([2026, 2027].map((year) => world.run('fiscal.filings', { year })))
    ).flatMap(({ items }) => items)
    const accepted = sendings.filter(({ state: is }) => is === 'accepted')
    // One registration each, in both places, with its receipt.
    expect(accepted.map(({ csv }) => csv).toSorted()).toEqual(declared.map(({ csv }) => csv).toSorted())
    expect(accepted.filter(({ hasDocument }) => !hasDocument)).toEqual([])
    expect(
      sendings.filter(({ state: is }) => is === 'unknown' || is === 'sent' || is === 'preparing'),
    ).toEqual([])
    const firsts = declared
      .filter(({ nature }) => nature === 'first')
      .map(({ model, year, period }) => `${model} ${year} ${period}`)
    expect(new Set(firsts).size).toBe(firsts.length)
    // All that is due is filed in the end.
    for (const { year, quarter } of QUARTERS) expect(firsts).toContain(`303 ${year} ${quarter}T`)
    // What is carried forward follows what was filed.
    for (const [at, { year, quarter }] of QUARTERS.entries()) {
      const next = QUARTERS[at + 1]
      if (!next) continue
      const { filing, boxes } = await world.run('fiscal.model', { model: '303', year, quarter })
      // As filed: the books may have changed since.
      const box = (name: string) =>
        filing?.differences.find(({ box: is }) => is === name)?.filed ??
        boxes.find(({ box: is }) => is === name)?.amount ??
        0
      const inForce = await ctx.db
        .selectFrom('filings')
        .select('boxes')
        .where('model', '=', '303')
        .where('year', '=', year)
        .where('period', '=', `${quarter}T`)
        .where('withdrawn_at', 'is', null)
        .executeTakeFirst()
      const excess = ((JSON.parse(inForce?.boxes ?? '{}') as Record<string, number>)['111'] ?? 0) / 100
      const left =
        box('87') + (filing?.outcome === 'offset' ? Math.max(0, -(filing?.result ?? 0) - excess) : 0)
      const after = await world.run('fiscal.model', { model: '303', ...next })
      expect(after.boxes.find(({ box: is }) => is === '110')?.amount, `${year} ${quarter}`).toBeCloseTo(
        left,
        2,
      )
    }
    console.log(JSON.stringify({ ...counts, declared: declared.length, sendings: sendings.length }))
    expect(counts.crashed).toBeGreaterThan(0)
    expect(counts.unknown).toBeGreaterThan(0)
  },
)

async function parts(world: TestBooks) {
  const ctx = world.test
  return { env: ctx.env, book: ctx.book, test: ctx }
}
