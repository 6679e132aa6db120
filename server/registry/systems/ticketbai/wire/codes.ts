/**
 * Codes of the three services, as data. Sources: the validation list of TicketBAI (001 to 014, confirmed by several independent
 * programs), OCA/l10n-spain alone for 015 to 019, and Batuz's description of its entry service for N3 codes; those of B4 are the
 * few that independent programs name. A code that is not here is read by the state it comes with.
 */
import type { NotTakenReason } from './outcome.ts'

/** How sure a meaning is: an official text, several independent programs, or one of them. */
type Sureness = 'official' | 'several' | 'one'

interface CodeFact {
  meaning: string
  /**
   * `warns`: the record is kept. `rejects`: it is not. `held`: something is there under its key. `not_taken`: nothing was looked
   * at, and the same may be sent again when the cause is gone.
   */
  effect: 'warns' | 'rejects' | 'held' | 'not_taken' | 'unclear'
  reason?: NotTakenReason
  sure: Sureness
}

const fact = (
  effect: CodeFact['effect'],
  meaning: string,
  sure: Sureness = 'several',
  reason?: NotTakenReason,
): CodeFact => ({ effect, meaning, sure, ...(reason ? { reason } : {}) })

/** Araba and Gipuzkoa: validation results of an invoice, a cancellation and their corrections. */
export const XML_CODES: Readonly<Record<string, CodeFact>> = {
  '001': fact('not_taken', 'The sender certificate is revoked or wrong.', 'several', 'not_allowed'),
  '002': fact('rejects', 'The file does not fit the schema.'),
  '003': fact('rejects', 'The invoice has no lines.'),
  '004': fact('rejects', 'A datum of the identifier is missing or wrong.'),
  '005': fact('held', 'The invoice is registered already.'),
  '006': fact('not_taken', 'The service is not available.', 'several', 'down'),
  '007': fact('warns', 'The sender certificate is not valid for the issuer.'),
  '008': fact('warns', 'The signature is wrong.'),
  '009': fact('warns', 'The signer certificate is wrong.'),
  '010': fact('warns', 'The chaining is wrong.'),
  '011': fact('warns', 'A validation of the content failed.'),
  '012': fact('warns', 'The licence or the program is not in the register.'),
  '013': fact('warns', 'The device certificate is not in the census.'),
  '014': fact('warns', 'Issued by a third party without its data.'),
  '015': fact('unclear', 'The sender certificate has expired.', 'one'),
  '016': fact('unclear', 'The signer certificate has expired.', 'one'),
  '017': fact('rejects', 'The message is too long.', 'one'),
  '018': fact('rejects', 'The invoice to cancel is not registered.', 'one'),
  '019': fact('held', 'The invoice is cancelled already.', 'several'),
}

/** Bizkaia: codes of the entry service, which refuse a message as a whole. */
export const ENTRY_CODES: Readonly<Record<string, CodeFact>> = {
  N3_0000001: fact('not_taken', 'The certificate is not valid.', 'official', 'not_allowed'),
  N3_0000002: fact(
    'not_taken',
    'The taxpayer is not identified: number and name do not match the census.',
    'official',
    'taxpayer_unknown',
  ),
  N3_0000003: fact('not_taken', 'The representative is not identified.', 'official', 'not_allowed'),
  N3_0000004: fact('not_taken', 'The presenter is not identified.', 'official', 'not_allowed'),
  N3_0000005: fact('not_taken', 'There is no procedure for the model.', 'official', 'refused'),
  N3_0000006: fact('not_taken', 'The procedure of the model is not published.', 'official', 'refused'),
  N3_0000007: fact(
    'not_taken',
    'There is no power between taxpayer and representative.',
    'official',
    'not_allowed',
  ),
  N3_0000008: fact('not_taken', 'The power is not broad enough.', 'official', 'not_allowed'),
  N3_0000009: fact('not_taken', 'There is no service for model, year and period.', 'official', 'refused'),
  N3_0000010: fact('not_taken', 'The tax number is not valid.', 'official', 'taxpayer_unknown'),
  N3_0000011: fact('not_taken', 'Another fault; the message tells.', 'official', 'refused'),
  N3_0000012: fact('not_taken', 'There is no configuration for the request.', 'official', 'refused'),
  N3_0000013: fact('not_taken', 'The concept is missing.', 'official', 'refused'),
  N3_0000014: fact('not_taken', 'The number of the taxpayer is missing.', 'official', 'refused'),
  N3_0000015: fact('not_taken', 'The name of the taxpayer is missing.', 'official', 'refused'),
  N3_0000016: fact('not_taken', 'The device is not in the census.', 'official', 'not_allowed'),
  N3_0000017: fact('not_taken', 'The taxpayer is missing in the header.', 'official', 'refused'),
}

/** Bizkaia: codes of the book itself, about a message or a record. */
export const BOOK_CODES: Readonly<Record<string, CodeFact>> = {
  B4_1000001: fact('not_taken', 'The header of the message is wrong.', 'one', 'refused'),
  B4_1000004: fact('not_taken', 'A technical error.', 'one', 'down'),
  B4_2000003: fact('held', 'The record exists already.'),
  B4_2000006: fact('held', 'The record is cancelled already.', 'one'),
  B4_2000013: fact('rejects', 'The EU VAT number is malformed.', 'one'),
  B4_2000026: fact('rejects', 'The keys are not compatible.', 'one'),
}
