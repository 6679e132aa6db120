/** Recalls what is remembered of a supplier when a document of it is read. */
import { findContactByNif } from '../../catalog/contacts/index.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import type { Ctx } from '../../context.ts'
import type { Proposal } from '../intake/contract.ts'
import { warning } from '../fault.ts'
import { withMemory } from './apply.ts'
import { findMemory, newestMemories, otherNifOfName } from './rows.ts'
import { emptyMemory } from './shape.ts'
import { classify, taughtBy, wordModelOf } from './classify.ts'

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
