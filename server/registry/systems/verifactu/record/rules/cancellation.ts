/** Rules for cancellation records: the invoice that they name and the party that requests them. */
import type { BusinessDate } from '../../../../../domain/dates.ts'
import { isSpanishParty } from '../fields.ts'
import type { CancellationMaker, RegistryCancellation } from '../fields.ts'
import { issueDateFaults } from './dates.ts'
import type { RuleFinding } from './fault.ts'
import { partyFaults } from './parties.ts'
import type { PartyRole } from './parties.ts'
import { nifFaults, numberFaults, referenceFaults } from './text-rules.ts'

const MAKERS: Record<CancellationMaker['by'], PartyRole> = {
  recipient: {
    what: 'The customer who cancels',
    nifCode: '1258',
    spainCode: '1230',
    uncensused: null,
  },
  third_party: {
    what: 'The third party that cancels',
    nifCode: '1258',
    spainCode: '1232',
    uncensused: { code: 'maker_uncensused', authorityCode: '1229' },
  },
}

/** Yields every fault of a cancellation, in the order of the record. */
export function* cancellationFaults(
  { recordId, key, madeBy }: RegistryCancellation,
  today: BusinessDate | null,
): Iterable<RuleFinding> {
  // The issuer is also in the header, which is checked first.
  yield* nifFaults(key.issuerNif, 'key.issuerNif', { authorityCode: '4116' })
  yield* numberFaults(key.number, 'key.number', 'Give the number under which the invoice was registered.')
  const fix = 'Give the date of issue under which the invoice was registered.'
  yield* issueDateFaults(key.issueDate, 'key.issueDate', today, { future: fix, tooOld: fix })
  yield* referenceFaults(recordId)
  if (madeBy === null) return
  yield* partyFaults(madeBy.party, 'madeBy.party', MAKERS[madeBy.by], null)
  if (!isSpanishParty(madeBy.party) || madeBy.party.nif !== key.issuerNif) return
  yield {
    code: 'maker_is_issuer',
    authorityCode: '1259',
    field: 'madeBy.party.nif',
    message: 'Whoever cancels in place of the issuer is not the issuer.',
    fix: 'Name the other party, or cancel in the name of the company.',
  }
}
