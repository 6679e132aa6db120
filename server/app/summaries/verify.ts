/** Compares the summary row of a company with what its ledgers say now. */
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { Proof } from '../../domain/proof.ts'
import type { Ctx } from '../../context.ts'
import { FACTS_VERSION, readFacts } from './facts.ts'
import type { SummaryFacts } from './facts.ts'
import { summaryRows } from './rows.ts'

/** Figures that change without a fact that marks the row: requests expire, and reading leaves entries in the history. */
const UNMARKED: readonly (keyof SummaryFacts)[] = ['approvals', 'lastActivityAt']

/**
 * Checks the row of the company of `ctx`, a live book. A row that says of itself that it is not current claims nothing, nor does
 * one of another day: what is late depends on the day.
 */
export async function verifySummary(ctx: Ctx): Promise<Proof> {
  const claimed = async (): Promise<SummaryFacts | null> => {
    const [row] = await summaryRows(ctx.db, [ctx.book.companyId])
    if (!row?.facts || row.staleSince !== null || row.computedOn !== ctx.today()) return null
    return row.facts.version === FACTS_VERSION ? row.facts : null
  }
  if ((await claimed()) === null) return { checked: 0, faults: [] }
  const found = await readFacts(ctx)
  // Again, because a fact may have been recorded while the ledgers were read.
  const facts = await claimed()
  if (facts === null) return { checked: 0, faults: [] }
  const names = Object.keys(found) as (keyof SummaryFacts)[]
  const wrong = names.filter(
    (name) => !UNMARKED.includes(name) && canonicalJson(facts[name]) !== canonicalJson(found[name]),
  )
  return {
    checked: 1,
    faults: wrong.map(
      (name) =>
        `Summary of ${ctx.book.publicId}, ${name}: ${canonicalJson(facts[name])} is said, ${canonicalJson(found[name])} is found.`,
    ),
  }
}
