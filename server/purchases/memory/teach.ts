/** Teaches the memory of a supplier by an entry that is made, corrected, voided or restored, in its transaction. */
import { normalizeNif } from '../../domain/tax/nif.ts'
import type { Ctx } from '../../context.ts'
import type { Proposal } from '../intake/contract.ts'
import type { ReceivedInput } from '../invoices/contract.ts'
import { learned } from './learn.ts'
import { corrected, taughtAgain, withdrawn } from './revise.ts'
import { deleteMemory, findMemory, writeMemory } from './rows.ts'

const keyOf = (nif: string | null): string | null =>
  nif === null || nif.trim() === '' ? null : normalizeNif(nif)

/** Returns what was shown of a document; null if it is the paper of another supplier, which says nothing of this one's. */
function ownPaper(shown: Proposal | null, nif: string): Proposal | null {
  const isOther = shown?.supplierNif !== undefined && normalizeNif(shown.supplierNif) !== nif
  return isOther ? null : shown
}

/** What an entry says of its supplier's document, as it stands in the books. */
export interface TaughtEntry {
  nif: string | null
  input: ReceivedInput
}

/**
 * Learns from a document that is entered. `reading` is what was shown of it, null if it was typed; nothing is learned of
 * a supplier without a tax number.
 */
export async function learnFrom(
  tx: Ctx,
  { nif, reading, input }: TaughtEntry & { reading: { proposal: Proposal } | null },
): Promise<void> {
  const key = keyOf(nif)
  if (key === null) return
  const known = await findMemory(tx, key)
  const proposal = ownPaper(reading?.proposal ?? null, key)
  await writeMemory(tx, key, learned(known?.memory ?? null, { proposal, input, today: tx.today() }), 1)
}

/** Takes back what an entry confirmed; the last one takes the memory of its supplier with it. */
export async function unlearn(tx: Ctx, shown: Proposal, { nif, input }: TaughtEntry): Promise<void> {
  const key = keyOf(nif)
  const known = key === null ? null : await findMemory(tx, key)
  if (key === null || !known) return
  if (known.documents <= 1) await deleteMemory(tx, key)
  else await writeMemory(tx, key, withdrawn(known.memory, { proposal: ownPaper(shown, key), input }), -1)
}

/** Learns again from an entry that stands in the books again. */
export async function learnAgain(tx: Ctx, shown: Proposal, { nif, input }: TaughtEntry): Promise<void> {
  const key = keyOf(nif)
  if (key === null) return
  const known = await findMemory(tx, key)
  const lesson = { proposal: ownPaper(shown, key), input, today: tx.today() }
  await writeMemory(tx, key, taughtAgain(known?.memory ?? null, lesson), 1)
}

/** Corrects what an entry taught. One that names another supplier now teaches of that one. */
export async function relearn(
  tx: Ctx,
  shown: Proposal,
  { before, after }: { before: TaughtEntry; after: TaughtEntry },
): Promise<void> {
  const key = keyOf(after.nif)
  if (keyOf(before.nif) !== key) {
    await unlearn(tx, shown, before)
    return learnFrom(tx, { ...after, reading: { proposal: shown } })
  }
  const known = key === null ? null : await findMemory(tx, key)
  // What was erased is not taught again by a correction.
  if (key === null || !known) return
  const correction = { proposal: ownPaper(shown, key), before: before.input, after: after.input }
  await writeMemory(tx, key, corrected(known.memory, correction), 0)
}
