/**
 * Random lives of invoices: issued, annulled, amended, answered and refused in any order. After every step the figures are
 * those of the invoices in force; at the end the books are whole, the registry holds what was told it last, and no record
 * was refused but those the test refused itself, for the simulated authority knows which turn each record must have.
 */
import { expect, test } from 'vitest'
import { checkBooks } from '../../../../server/app/integrity/index.ts'
import { unpackXml } from '../../../../server/registry/systems/packing.ts'
import { readEntry } from '../../../../server/registry/systems/verifactu/simulator/stored.ts'
import { openBooks } from '../../../support/books.ts'
import type { DraftInput, Invoice, TestBooks } from '../../../support/books.ts'
import { refusing, validateStep } from './steps.ts'
import type { Changes } from './steps.ts'
import { swept } from '../../../support/sweep.ts'

function dice(seed: number) {
  let state = seed
  const below = (limit: number) => (state = (state * 48_271) % 2_147_483_647) % limit
  return {
    below,
    chance: (percent: number) => below(100) < percent,
    of: <T>(list: readonly T[]): T => list[below(list.length)] as T,
  }
}
type Dice = ReturnType<typeof dice>

/** What the test knows of an invoice, by its own book-keeping. */
interface Life {
  invoice: Invoice
  inForce: boolean
  /** Of the registry: what it holds under the key. */
  held: 'none' | 'active' | 'cancelled'
  /** The last record, until it is answered. */
  waiting: { kind: 'registration' | 'cancellation'; description: string } | null
  /** Whether the registry refused the last record. */
  refused: boolean
  /** DescripcionOperacion of what is held. */
  heldDescription: string
  description: string
}

const CENTS = (euros: number) => Math.round(euros * 100)

function randomDraft({ below, chance, of }: Dice): Partial<DraftInput> {
  const line = (): DraftInput['lines'][number] => ({
    description: of(['Obra', 'Pieza', 'Hora de taller']),
    quantity: below(9) + 1,
    unitPrice: (below(2000) + 1) / 100,
    ...of<Partial<DraftInput['lines'][number]>>([
      {},
      { vatRate: 10 },
      { surcharge: 5.2 },
      { taxTreatment: 'E1' },
      { taxTreatment: 'N2' },
      { taxTreatment: 'S2' },
      { isDisbursement: true },
    ]),
  })
  return {
    operationDate: chance(30) ? of(['2026-09-30', '2026-10-15', '2026-11-01']) : null,
    withholdingPct: of([null, null, 15]),
    lines: [{ description: 'Base', quantity: 1, unitPrice: 1 }, ...Array.from({ length: below(3) }, line)],
  }
}

function randomChanges({ below, chance, of }: Dice, step: number, life: Life): Changes {
  const changes: Changes = {}
  if (chance(50)) changes.description = `Descripción ${step}`
  if (chance(30)) changes.clientNif = of(['B87654323', '12345678Z', 'B11111119'])
  if (chance(20)) changes.operationDate = of([null, '2026-10-15'])
  const untaxed = life.invoice.taxBreakdown.findIndex(({ taxTreatment }) => /^[NE]/.test(taxTreatment))
  if (untaxed >= 0 && chance(30))
    changes.breakdown = [{ index: untaxed, taxTreatment: of(['E1', 'N1', 'N2', 'E6']) }]
  if (below(9) === 0) return {}
  return changes
}

/** Month and VAT figures as they have to be: the sum over the invoices in force, from their answers. */
function expectedFigures(lives: readonly Life[]) {
  const totals = new Map<string, number[]>()
  const taxes = new Map<string, number[]>()
  const add = (sums: Map<string, number[]>, key: string, values: number[]) =>
    sums.set(
      key,
      values.map((value, index) => value + (sums.get(key)?.[index] ?? 0)),
    )
  for (const { invoice } of lives.filter(({ inForce }) => inForce)) {
    const month = (invoice.operationDate ?? invoice.issueDate ?? '').slice(0, 7)
    const withheld = CENTS(invoice.withholding?.amount ?? 0)
    // Money advanced for the customer is no operation of the issuer's.
    const operation = CENTS(invoice.total) - CENTS(invoice.disbursements)
    add(totals, month, [1, CENTS(invoice.base), operation, withheld])
    for (const tax of invoice.taxBreakdown)
      add(taxes, [month, tax.taxTreatment, tax.vatRate, tax.surchargeRate ?? null].join(' '), [
        CENTS(tax.base),
        CENTS(tax.tax),
        CENTS(tax.surcharge ?? 0),
      ])
  }
  const nonZero = (sums: Map<string, number[]>) =>
    Object.fromEntries([...sums].filter(([, values]) => values.some((value) => value !== 0)).toSorted())
  return { totals: nonZero(totals), taxes: nonZero(taxes) }
}

async function storedFigures(world: TestBooks): Promise<ReturnType<typeof expectedFigures>> {
  const reader = world.ctx(world.books.test).db
  const months = await reader.selectFrom('period_totals').selectAll().execute()
  const taxes = await reader
    .selectFrom('month_figures')
    .innerJoin('figure_groups', 'figure_groups.id', 'month_figures.group_id')
    .selectAll()
    .execute()
  const monthOf = (month: number) => `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`
  const rate = (bp: number) => (bp === -1 ? null : bp / 100)
  const entries = (rows: [string, number[]][]) =>
    Object.fromEntries(rows.filter(([, values]) => values.some((value) => value !== 0)).toSorted())
  return {
    totals: entries(
      months.map((row) => [
        monthOf(row.month),
        [row.documents, row.base_cents, row.total_cents, row.withholding_cents],
      ]),
    ),
    taxes: entries(
      taxes.map((row) => [
        [monthOf(row.month), row.tax_treatment, rate(row.vat_rate_bp), rate(row.surcharge_bp)].join(' '),
        [row.base_cents, row.tax_cents, row.surcharge_cents],
      ]),
    ),
  }
}

class Books {
  readonly world: TestBooks
  private readonly random: Dice
  private readonly lives: Life[] = []
  private minutes = 0
  readonly made = { registration: 0, cancellation: 0, refused: 0, pending: 0, already: 0 }

  constructor(world: TestBooks, seed: number) {
    this.world = world
    this.random = dice(seed)
  }

  private async issue(): Promise<void> {
    const invoice = await this.world.invoice(randomDraft(this.random))
    const description = invoice.lines.map((line) => line.description).join('; ')
    this.lives.push({
      invoice,
      inForce: true,
      held: 'none',
      waiting: { kind: 'registration', description },
      refused: false,
      heldDescription: '',
      description,
    })
    this.made.registration += 1
  }

  private async take(step: number, action: 'cancel' | 'amend'): Promise<void> {
    const life = this.random.of(this.lives)
    const { id } = life.invoice
    const changes = action === 'amend' ? randomChanges(this.random, step, life) : undefined
    const outcome = await validateStep(this.world, id, action, changes).catch(
      (error: { code: string }) => error,
    )
    if ('code' in outcome) {
      expect([outcome.code, life.waiting !== null]).toEqual(['registry_pending', true])
      this.made.pending += 1
      return
    }
    expect(life.waiting).toBe(null)
    if (!outcome.confirmation) {
      // Nothing else can be wrong with what is drawn here.
      expect([action, life.held, life.inForce]).toEqual(['cancel', 'cancelled', false])
      expect(outcome.issues.map(({ code }) => code)).toEqual(['cancel_already'])
      this.made.already += 1
      return
    }
    const { confirmationToken } = outcome.confirmation
    const answer = await this.world.run(`invoices.${action}`, { id, confirmationToken })
    life.inForce = action === 'amend'
    if (changes?.description !== undefined) life.description = changes.description
    const kind = action === 'amend' ? 'registration' : 'cancellation'
    life.waiting = { kind, description: life.description }
    this.made[kind] += 1
    expect(answer.cancelledAt === undefined).toBe(life.inForce)
    // The token is spent: once more is a repetition, and changes nothing.
    if (this.random.chance(30))
      expect(await this.world.run(`invoices.${action}`, { id, confirmationToken })).toMatchObject({
        replayed: true,
      })
  }

  /** One message; of its records the test refuses some before the registry sees them. */
  private async send(refusePercent: number): Promise<void> {
    this.minutes += 2
    this.world.setTime(new Date(Date.parse('2026-11-21T09:00:00Z') + this.minutes * 60_000).toISOString())
    const refused = new Set<string>()
    await this.world.send(
      refusing(this.world.test, ({ number }) => {
        if (!this.random.chance(refusePercent)) return null
        refused.add(number)
        return '1104'
      }),
    )
    for (const life of this.lives) {
      const { waiting } = life
      if (!waiting) continue
      life.waiting = null
      life.refused = refused.has(life.invoice.number ?? '')
      if (life.refused) this.made.refused += 1
      else {
        life.held = waiting.kind === 'registration' ? 'active' : 'cancelled'
        if (waiting.kind === 'registration') life.heldDescription = waiting.description
      }
    }
  }

  private async expectStates(): Promise<void> {
    const { items } = await this.world.run('invoices.list', { limit: 100, totals: true })
    const expected = this.lives.map((life) => {
      const annulled = life.held === 'cancelled' ? 'cancelled' : 'accepted'
      return [
        life.invoice.number,
        life.waiting ? 'pending' : life.refused ? 'rejected' : annulled,
        life.inForce,
        life.inForce ? life.invoice.amountDue : 0,
      ]
    })
    expect(
      items
        .map((item) => [item.number, item.registry.status, item.cancelledAt === undefined, item.amountDue])
        .toSorted(),
    ).toEqual(expected.toSorted())
  }

  async live(steps: number): Promise<void> {
    await this.issue()
    for (let step = 1; step <= steps; step++) {
      const drawn = this.random.below(100)
      if (drawn < 18) await this.issue()
      else if (drawn < 44) await this.take(step, 'cancel')
      else if (drawn < 70) await this.take(step, 'amend')
      else await this.send(30)
      expect(await storedFigures(this.world), `step ${step}`).toEqual(expectedFigures(this.lives))
      if (step % 10 === 0) await this.expectStates()
    }
    await this.send(0)
    await this.expectStates()
  }

  /** What the simulated authority remembers is what the answers said. */
  async expectHeld(): Promise<void> {
    const rows = await this.world
      .ctx(this.world.books.test)
      .db.selectFrom('simulator_records')
      .select('entry')
      .execute()
    const held = new Map(
      rows.map(({ entry }) => {
        const { number, status, record } = readEntry(entry)
        return [number, { status, record }]
      }),
    )
    for (const { invoice, held: state, heldDescription } of this.lives) {
      const entry = held.get(invoice.number ?? '')
      expect([invoice.number, entry?.status ?? 'none']).toEqual([invoice.number, state])
      if (state !== 'active') continue
      expect(entry?.record).toContain(`<sf:DescripcionOperacion>${heldDescription}</sf:DescripcionOperacion>`)
    }
  }

  /** Each record of the chain is of a kind, and no XML says what its flags forbid. */
  async expectRecords(): Promise<void> {
    const rows = await this.world
      .ctx(this.world.books.test)
      .db.selectFrom('registry_records')
      .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
      .select(['kind', 'turn', 'xml', 'status'])
      .orderBy('sequence')
      .execute()
    const of = (kind: string) => rows.filter((row) => row.kind === kind).length
    expect([of('registration'), of('cancellation')]).toEqual([this.made.registration, this.made.cancellation])
    expect(rows.filter(({ status }) => status === 'rejected')).toHaveLength(this.made.refused)
    for (const { kind, turn, xml } of rows) {
      const flags = [...unpackXml(xml).matchAll(/<sf:(Subsanacion|SinRegistroPrevio|RechazoPrevio)>(\w)</g)]
      expect([kind, turn, flags.map(([, name, value]) => `${name} ${value}`)]).toEqual([
        kind,
        turn,
        FLAGS[`${kind} ${turn}`],
      ])
    }
  }
}

/** Dossier of the authority, table of record flags. */
const FLAGS: Record<string, string[]> = {
  'registration first': [],
  'registration correction': ['Subsanacion S'],
  'registration correction_after_rejection': ['Subsanacion S', 'RechazoPrevio S'],
  'registration unregistered': ['Subsanacion S', 'RechazoPrevio X'],
  'cancellation first': [],
  'cancellation after_rejection': ['RechazoPrevio S'],
  'cancellation unregistered': ['SinRegistroPrevio S'],
  'cancellation unregistered_after_rejection': ['SinRegistroPrevio S', 'RechazoPrevio S'],
}

test.each(swept([1, 2, 3, 5, 8], (seed) => seed === 8))(
  'a random life of invoices, seed %i',
  async (seed) => {
    const books = new Books(await openBooks(), seed * 7919)
    await books.live(90)
    await books.expectHeld()
    await books.expectRecords()
    const { world, made } = books
    const { checks, ok } = await checkBooks(world.env, (book) => world.ctx(book))
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(ok).toBe(true)
    for (const count of Object.values(made)) expect(count).toBeGreaterThan(0)
  },
)
