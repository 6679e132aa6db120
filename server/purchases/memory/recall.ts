/** Remembers a supplier when its document is entered, and recalls it when the next one is read. */
import { findContactByNif } from '../../catalog/contacts/index.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import type { Ctx } from '../../context.ts'
import type { Proposal } from '../intake/contract.ts'
import type { ReceivedInput } from '../invoices/contract.ts'
import { warning } from '../fault.ts'
import { withMemory } from './apply.ts'
import { learned } from './learn.ts'
import { findMemory, newestMemories, otherNifOfName, writeMemory } from './rows.ts'
import { emptyMemory } from './shape.ts'
import { classify, taughtBy, wordModelOf } from './classify.ts'

/**
 * Learns from a document in the transaction of its entry. `reading` is what was shown of it, null if it was typed; nothing is
 * learned of a supplier without a tax number.
 */
export async function learnFrom(
  tx: Ctx,
  {
    nif,
    reading,
    input,
  }: { nif: string | null; reading: { proposal: Proposal } | null; input: ReceivedInput },
): Promise<void> {
  if (nif === null || nif.trim() === '') return
  const key = normalizeNif(nif)
  const before = await findMemory(tx, key)
  // What was read of somebody else's paper says nothing of this supplier's.
  const shown = reading?.proposal
  const isOther = shown?.supplierNif !== undefined && normalizeNif(shown.supplierNif) !== key
  const proposal = shown && !isOther ? shown : null
  await writeMemory(tx, key, learned(before?.memory ?? null, { proposal, input, today: tx.today() }))
}

/** Proposes category and concept by the words of the document, where the supplier's history does not say the concept. */
async function withConcept(ctx: Ctx, proposal: Proposal): Promise<void> {
  const words = proposal.layout?.words ?? []
  if (words.length === 0) return
  const suppliers = (await newestMemories(ctx)).flatMap((memory) => taughtBy(memory) ?? [])
  const best = classify(wordModelOf(suppliers), words)
  if (!best) return
  if (best.category !== null) {
    proposal.category = best.category
    proposal.levels['category'] = 'guess'
    proposal.confidence['category'] = 'low'
    if (best.second !== null) proposal.alternatives['category'] = [best.second]
  }
  const isKnown = proposal.levels['concept'] === 'known' || proposal.account !== undefined
  if (isKnown || best.concept === null || proposal.concept !== undefined) return
  proposal.concept = best.concept
  proposal.levels['concept'] = 'guess'
  proposal.confidence['concept'] = 'low'
}

/**
 * Returns a proposal with what is remembered of its supplier, and warnings of what differs from it: `iban_new`,
 * `supplier_nif_new`, `terms_changed` and `withholding_changed`.
 */
export async function recall(ctx: Ctx, read: Proposal): Promise<{ proposal: Proposal; warnings: Fault[] }> {
  const warnings: Fault[] = []
  let proposal: Proposal = structuredClone(read)
  const nif = read.supplierNif === undefined ? null : normalizeNif(read.supplierNif)
  if (nif !== null) {
    const [known, contact] = [await findMemory(ctx, nif), await findContactByNif(ctx, nif)]
    const ibans = contact?.iban ? [contact.iban] : []
    const applied = withMemory(read, known?.memory ?? emptyMemory(), ibans)
    proposal = applied.proposal
    warnings.push(...applied.warnings)
    const other =
      known || contact || read.supplierName === undefined
        ? null
        : await otherNifOfName(ctx, read.supplierName, nif)
    if (other !== null)
      warnings.push(
        warning(
          'supplier_nif_new',
          'supplierNif',
          'A supplier of this name is known under another tax number.',
          'Check the number: an invoice in the name of a supplier may come from somebody else.',
          { nif, known: other },
        ),
      )
  }
  await withConcept(ctx, proposal)
  return { proposal, warnings }
}
