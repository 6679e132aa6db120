/**
 * Rules for the parties of a record: issuer, recipients, and the party that made or cancelled the invoice for the
 * issuer.
 */
import { checkNif } from '../../../../../domain/tax/nif.ts'
import { trimValue } from '../hashed.ts'
import { isSpanishParty } from '../fields.ts'
import type { ForeignParty, Recipient, RegistryInvoice } from '../fields.ts'
import { COUNTRIES, isEuVatNumber } from '../parties.ts'
import { LIST_FAULT, MAX_LIST, SCHEMA_FAULT } from './fault.ts'
import type { RuleFinding } from './fault.ts'
import { nifFaults, textFaults } from './text-rules.ts'

export interface PartyRole {
  /** Name of the party at the start of a sentence. */
  what: string
  /** The authority's code for a malformed Spanish number. */
  nifCode: string
  /** The authority's code for country ES with a kind of identification that is not admitted there. */
  spainCode: string
  /** Codes where type 07 (not in the census) is refused; null where it is admitted. */
  uncensused: { code: string; authorityCode: string } | null
}

const RECIPIENT: PartyRole = { what: 'The customer', nifCode: '1123', spainCode: '1126', uncensused: null }
const THIRD_PARTY: PartyRole = {
  what: 'The third party',
  nifCode: '1123',
  spainCode: '1232',
  uncensused: { code: 'third_party_uncensused', authorityCode: '1211' },
}

const MAX_ID = 20
/** Since the United Kingdom left the EU, Northern Ireland's numbers are EU VAT numbers. */
const FIRST_XI_DATE = '2021-01-01'

/** Checks the issuer. It is also in the header, which is checked first: its faults refuse the whole message. */
export function* issuerRule({ issuer }: RegistryInvoice): Iterable<RuleFinding> {
  yield* nifFaults(issuer.nif, 'issuer.nif', { authorityCode: '4116' })
  yield* nameFaults(issuer.name, 'issuer.name', '1100')
}

/**
 * Checks that the record names its recipients where the kind requires them: F1, F3 and R1 to R4 always, F2 and R5
 * never.
 */
export function* recipientsRule(invoice: RegistryInvoice): Iterable<RuleFinding> {
  const { kind, recipients } = invoice
  const anonymous = kind === 'F2' || kind === 'R5'
  if (!anonymous && recipients.length === 0) {
    yield {
      code: 'recipient_required',
      authorityCode: '1189',
      field: 'recipients',
      message: "A full invoice needs the customer's name and tax number.",
      fix: 'Fill in the customer, or issue a simplified invoice (F2).',
    }
  }
  if (anonymous && recipients.length > 0) {
    yield {
      code: 'recipient_not_allowed',
      authorityCode: '1190',
      field: 'recipients',
      message: 'The record of a simplified invoice names no customer.',
      fix: 'Issue a full invoice (F1), or leave the customer out of the record.',
    }
  }
  if (recipients.length > MAX_LIST) {
    yield {
      code: 'recipients_count',
      authorityCode: LIST_FAULT,
      field: 'recipients',
      message: `A record names at most ${MAX_LIST} customers.`,
      fix: 'Split the invoice.',
    }
  }
  for (const [index, recipient] of recipients.entries())
    yield* recipientFaults(recipient, `recipients[${index}]`, invoice)
}

function* recipientFaults(
  recipient: Recipient,
  field: string,
  invoice: RegistryInvoice,
): Iterable<RuleFinding> {
  yield* partyFaults(recipient, field, RECIPIENT, invoice)
  if (isSpanishParty(recipient)) {
    if (recipient.nif !== invoice.issuer.nif) return
    yield {
      code: 'recipient_is_issuer',
      authorityCode: '1193',
      field: `${field}.nif`,
      severity: 'warning',
      message: 'The customer is the issuer.',
      fix: 'Right only for a self-supply; otherwise choose the customer.',
    }
    return
  }
  const { idType } = recipient
  if (invoice.kind === 'R3' && idType !== '07') {
    yield {
      code: 'bad_debt_recipient',
      authorityCode: '1191',
      field: `${field}.idType`,
      message: 'A bad debt (R3) is rectified only for customers with a Spanish tax number.',
      fix: "Give the customer's Spanish number, or choose another kind of rectification.",
    }
  } else if (invoice.kind === 'R2' && idType !== '07' && idType !== '02') {
    yield {
      code: 'insolvency_recipient',
      authorityCode: '1192',
      field: `${field}.idType`,
      message: 'An insolvency (R2) is rectified only for customers with a Spanish or an EU VAT number.',
      fix: "Give the customer's Spanish or EU VAT number, or choose another kind of rectification.",
    }
  }
  if (idType === '07') {
    yield {
      code: 'recipient_not_in_census',
      authorityCode: '2001',
      field: `${field}.idType`,
      severity: 'warning',
      message: 'The authority will register the invoice with an error: the customer is not in its census.',
      fix: 'Ask the customer for the number and name in the census, if there is one.',
    }
  }
}

/**
 * Checks the party that made the invoice in the issuer's name: a third party must be named; a recipient is the one in
 * the record.
 */
export function* madeByRule(invoice: RegistryInvoice): Iterable<RuleFinding> {
  const { madeBy, issuer, recipients } = invoice
  if (madeBy === null) return
  if (madeBy.by === 'recipient') {
    if (recipients.length > 0) return
    yield {
      code: 'made_by_nobody',
      authorityCode: '1158',
      field: 'madeBy',
      message: 'An invoice made by its customer names the customer.',
      fix: 'Fill in the customer, or say that the company made the invoice.',
    }
    return
  }
  const { party } = madeBy
  yield* partyFaults(party, 'madeBy.party', THIRD_PARTY, invoice)
  if (!isSpanishParty(party) || party.nif !== issuer.nif) return
  yield {
    code: 'third_party_is_issuer',
    authorityCode: '1188',
    field: 'madeBy.party.nif',
    message: 'The third party that made the invoice is the issuer.',
    fix: 'Name the third party, or say that the company made the invoice.',
  }
}

/** Yields the faults in name and identification of a party, by its role; checks dates only where the record has them. */
export function* partyFaults(
  party: Recipient,
  field: string,
  role: PartyRole,
  dates: Pick<RegistryInvoice, 'issueDate' | 'operationDate'> | null,
): Iterable<RuleFinding> {
  if (isSpanishParty(party)) {
    const check = checkNif(party.nif)
    const isPerson = check.ok && check.kind !== 'entity'
    yield* nameFaults(party.name, `${field}.name`, isPerson ? '1283' : '1100')
    yield* nifFaults(party.nif, `${field}.nif`, { authorityCode: role.nifCode })
    return
  }
  yield* nameFaults(party.name, `${field}.name`, '1100')
  yield* idFaults(party, `${field}.id`)
  if (party.idType === '02') {
    const date = dates === null ? null : (dates.operationDate ?? dates.issueDate)
    yield* vatNumberFaults(trimValue(party.id), `${field}.id`, date)
    return
  }
  if (party.idType === '07' && role.uncensused !== null) {
    yield {
      ...role.uncensused,
      field: `${field}.idType`,
      message: `${role.what} cannot be identified as "not in the census" (07).`,
      fix: 'Give a tax number of the census, or another kind of identification.',
    }
  }
  yield* countryFaults(party, field, role)
  if (party.idType === '07' && role.uncensused === null) yield* uncensusedFaults(party.id, `${field}.id`)
}

function* idFaults({ id }: ForeignParty, field: string): Iterable<RuleFinding> {
  yield* textFaults(id, field, {
    code: 'party_id',
    max: MAX_ID,
    emptyCode: '1103',
    what: 'An identification',
    fix: 'Correct the identification.',
  })
}

/** Yields the faults of an EU VAT number; `date` is the day of the operation, null where there is none. */
function* vatNumberFaults(id: string, field: string, date: string | null): Iterable<RuleFinding> {
  if (id.trim() === '' || id.length > MAX_ID) return
  if (id.startsWith('GB')) {
    yield {
      code: 'party_vat_gb',
      authorityCode: '1255',
      field,
      message: "British VAT numbers are no EU VAT numbers since 2021; Northern Ireland's begin with XI.",
      fix: 'Identify the party with type 04 and country GB.',
    }
  } else if (!isEuVatNumber(id)) {
    yield {
      code: 'party_vat_number',
      authorityCode: '1103',
      field,
      message: 'This is no EU VAT number: two letters of the country, then its own form, without blanks.',
      fix: 'Correct the number, or choose another kind of identification.',
    }
  } else if (id.startsWith('XI') && date !== null && date < FIRST_XI_DATE) {
    yield {
      code: 'party_vat_xi',
      authorityCode: '1254',
      field,
      message: `Northern Ireland's VAT numbers (XI) exist since ${FIRST_XI_DATE}.`,
      fix: 'Correct the date of the operation, or choose another kind of identification.',
    }
  }
}

function* countryFaults(
  { country, idType }: ForeignParty,
  field: string,
  role: PartyRole,
): Iterable<RuleFinding> {
  if (country === '') {
    yield {
      code: 'party_country_required',
      authorityCode: '1111',
      field: `${field}.country`,
      message: `${role.what} needs a country beside the identification.`,
      fix: 'Fill in the country.',
    }
  } else if (!COUNTRIES.has(country)) {
    yield {
      code: 'party_country',
      authorityCode: SCHEMA_FAULT,
      field: `${field}.country`,
      message: 'The registry does not know this country code.',
      fix: 'Use the two capital letters of ISO 3166.',
    }
  } else if (country === 'ES' && idType !== '03' && idType !== '07') {
    const kinds = role.uncensused === null ? 'a passport (03) or "not in the census" (07)' : 'a passport (03)'
    yield {
      code: 'party_spain_type',
      authorityCode: role.spainCode,
      field: `${field}.idType`,
      message: `With country ES only ${kinds} is admitted.`,
      fix: 'Correct the country, or give the Spanish tax number.',
    }
  } else if (country !== 'ES' && idType === '07') {
    yield {
      code: 'party_uncensused_country',
      authorityCode: '1126',
      field: `${field}.country`,
      message: '"Not in the census" (07) is for Spanish numbers, with country ES.',
      fix: 'Set the country to ES, or choose another kind of identification.',
    }
  }
}

function* uncensusedFaults(id: string, field: string): Iterable<RuleFinding> {
  const check = checkNif(id)
  if (check.ok && check.nif === trimValue(id)) {
    if (check.kind !== 'entity') return
    yield {
      code: 'party_uncensused_entity',
      authorityCode: '1131',
      field,
      message: 'Only natural persons can be "not in the census" (07).',
      fix: 'Give the number of the company as its tax number.',
    }
  } else {
    yield {
      code: 'party_uncensused_nif',
      authorityCode: '1290',
      field,
      message: '"Not in the census" (07) takes a well-formed Spanish tax number.',
      fix: 'Correct the number, or choose another kind of identification.',
    }
  }
}

function nameFaults(name: string, field: string, emptyCode: string): Iterable<RuleFinding> {
  return textFaults(name, field, {
    code: 'name',
    max: 120,
    emptyCode,
    what: 'The name',
    fix: 'Write the name as the tax authority knows it, shortened if need be.',
  })
}
