/** Documents of one supplier: the same seller, layout, labels and forms; other numbers, days, items and sums. */
import { addDays, daysBetween } from '../../../server/domain/dates.ts'
import { Dice } from './dice.ts'
import { drawPlanned, planDocument } from './document.ts'
import type { PlannedDocument } from './document.ts'
import { factsOf } from './facts.ts'
import type { SampleFacts } from './facts.ts'
import type { Layout } from './scene.ts'

/** Labels are a supplier's own; numbers of orders and tables, hours and consumption are another matter in each document. */
class SupplierDice extends Dice {
  private readonly labels: Dice
  constructor(labels: number, document: number) {
    super(document)
    this.labels = new Dice(labels)
  }
  override of<T>(all: readonly T[]): T {
    return this.labels.of(all)
  }
  override chance(share: number): boolean {
    return this.labels.chance(share)
  }
}

const YEARS = ['2026', '26']

/** Returns a number of the same form: the same letters and signs, and other digits in the last run that is not the year. */
export function nextNumber(number: string, dice: Dice): string {
  const runs = [...number.matchAll(/\d+/g)]
  const run = runs.findLast(([digits]) => !YEARS.includes(digits)) ?? runs.at(-1)
  if (run === undefined) return number
  const [last] = run
  const kept = last.length > 5 ? last.slice(0, -4) : ''
  const rest = last.length - kept.length
  const low = 10 ** (rest - 1)
  const next = String(dice.int(low, low * 10 - 1))
  return `${number.slice(0, run.index)}${kept}${next}${number.slice(run.index + last.length)}`
}

/** Invents the facts of a later document of the same supplier, with the same days to pay. */
function laterFacts({ facts: first, wish }: PlannedDocument, dice: Dice): SampleFacts {
  const { seller, hasCustomer, iban, payment } = first
  const facts = factsOf(dice, wish)
  const term = first.dueDate === null ? null : daysBetween(first.issueDate, first.dueDate)
  return {
    ...facts,
    seller,
    hasCustomer,
    iban,
    payment,
    number: nextNumber(first.number, dice),
    dueDate: term === null ? null : addDays(facts.issueDate, term),
  }
}

/** Draws documents of one supplier in a layout. */
export async function drawSupplier(layout: Layout, dice: Dice, documents: number) {
  const first = planDocument(layout, dice)
  const drawn = []
  for (let turn = 0; turn < documents; turn++) {
    const facts = turn === 0 ? first.facts : laterFacts(first, dice)
    const own = dice.int(1, 1_000_000_000)
    drawn.push(await drawPlanned(layout, { ...first, facts }, () => new SupplierDice(first.labels, own)))
  }
  return drawn
}
