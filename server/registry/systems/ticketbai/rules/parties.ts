/** Rules for the issuer and the customers of an invoice. */
import { isEuVatNumber } from '../../../../domain/tax/eu-vat-numbers.ts'
import { checkNif } from '../../../../domain/tax/nif.ts'
import { isSpanishParty } from '../facts.ts'
import type { Recipient, TicketBaiInvoice } from '../facts.ts'
import { COUNTRIES, ID_TYPES, LONGEST, MOST } from '../lists.ts'
import { SERVICE, textFindings } from './fault.ts'
import type { Finding } from './fault.ts'

/** Checks a Spanish tax number in the files' form: nine capital letters and digits with the right control letter. */
export function* nifFindings(nif: string, field: string): Iterable<Finding> {
  const check = checkNif(nif)
  if (check.ok && check.nif === nif) return
  // The control character of an entity's number has no published rule, so a mismatch may still be correct.
  const isDoubtful = !check.ok && check.reason === 'control' && check.kind === 'entity' && check.nif === nif
  yield {
    code: isDoubtful ? 'nif_doubtful' : 'nif_invalid',
    severity: isDoubtful ? 'warning' : 'error',
    authorityCode: SERVICE.schema,
    field,
    message: isDoubtful
      ? `${nif} does not look right: its last character is usually another.`
      : 'This is no Spanish tax number: nine capital letters and digits with the right control letter.',
    fix: isDoubtful ? 'Compare the number with an official document.' : 'Correct the number.',
    params: { nif },
  }
}

export function* partyFindings(invoice: TicketBaiInvoice): Iterable<Finding> {
  const { issuer, recipients, kind, withoutRecipientArt61d } = invoice
  yield* nifFindings(issuer.nif, 'issuer.nif')
  yield* textFindings(issuer.name, 'issuer.name', { longest: LONGEST.name, what: "The issuer's name" })
  if (recipients.length > MOST.recipients)
    yield {
      code: 'recipients_count',
      authorityCode: SERVICE.schema,
      field: 'recipients',
      message: `An invoice has at most ${MOST.recipients} customers.`,
      fix: 'Split the invoice.',
      params: { max: MOST.recipients },
    }
  if (recipients.length === 0 && kind !== 'F2' && kind !== 'R5' && !withoutRecipientArt61d)
    yield {
      code: 'recipient_required',
      authorityCode: SERVICE.content,
      field: 'recipients',
      message: 'A full invoice names its customer.',
      fix: "Give the customer's name and tax number, or issue a simplified invoice.",
    }
  for (const [index, party] of recipients.entries()) {
    const path = `recipients[${index}]`
    yield* recipientFindings(party, path)
    const place = invoice.detail.addresses[index]
    if (!place) continue
    yield* textFindings(place.postcode, `${path}.postcode`, {
      longest: LONGEST.postcode,
      what: 'A postal code',
      mayBeEmpty: true,
    })
    // A longer address is shortened in the file.
    yield* textFindings(place.address, `${path}.address`, {
      longest: Number.MAX_SAFE_INTEGER,
      what: 'An address',
      mayBeEmpty: true,
    })
  }
}

function* recipientFindings(party: Recipient, path: string): Iterable<Finding> {
  yield* textFindings(party.name, `${path}.name`, { longest: LONGEST.name, what: "The customer's name" })
  if (isSpanishParty(party)) {
    yield* nifFindings(party.nif, `${path}.nif`)
    return
  }
  const { country, idType, id } = party
  yield* textFindings(id, `${path}.id`, { longest: LONGEST.foreignId, what: "The customer's number" })
  if (!(ID_TYPES as readonly string[]).includes(idType))
    yield {
      code: 'id_type_not_here',
      authorityCode: SERVICE.schema,
      field: `${path}.idType`,
      message: `This registry has no identification of kind ${idType}.`,
      fix: 'Give the tax number, or another document of the customer.',
      params: { type: idType },
    }
  if (idType === '02') {
    if (!isEuVatNumber(id))
      yield {
        code: 'vat_number_form',
        authorityCode: SERVICE.content,
        field: `${path}.id`,
        message: `${id} does not have the form of an EU VAT number.`,
        fix: 'Write the number with the two letters of its country, or choose another document.',
        params: { id },
      }
  } else if (!COUNTRIES.has(country))
    yield {
      code: 'country_unknown',
      authorityCode: SERVICE.schema,
      field: `${path}.country`,
      message: `${country} is no country of the registry's list.`,
      fix: 'Choose the country.',
      params: { country },
    }
}
