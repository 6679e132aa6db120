/** Reads the text of a document in the process of the test, as the reading process does. */
import type { Proposal } from '../../../server/purchases/intake/contract.ts'
import { pageOfText } from '../../../server/purchases/intake/pages/text-page.ts'
import type { Page } from '../../../server/purchases/intake/pages/page.ts'
import { takeReadings } from '../../../server/purchases/intake/proposal.ts'
import { emptyProposal } from '../../../server/purchases/intake/read-result.ts'
import type { ReadResult } from '../../../server/purchases/intake/read-result.ts'
import { readPages } from '../../../server/purchases/intake/reading/read-pages.ts'

const CONTEXT = { ownNif: 'B50998871', ownName: 'Carpintería Lasala, S.L.', today: '2026-12-31' }

/** Returns what is proposed of pages before anything is remembered. */
export function proposalOfPages(pages: readonly Page[]): Proposal {
  const found: ReadResult = { proposal: emptyProposal('none', 'text'), warnings: [], readings: [] }
  takeReadings(found, readPages(pages, CONTEXT), { pages, unread: [] })
  return found.proposal as Proposal
}

/** Returns what is proposed of a text before anything is remembered. */
export const proposalOfText = (text: string): Proposal => proposalOfPages([pageOfText(text)])
