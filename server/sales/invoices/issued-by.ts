/**
 * Invoices that a third party or the customer issues in the company's name (RD 1619/2012 art. 5). The company stays the
 * obliged party: the record is its own and says who issued it. Pure.
 */
import { writtenTaxNumber } from '../../domain/tax/nif.ts'
import { trimmedOrNull } from '../../domain/text.ts'
import type { NewRegistration } from '../../registry/index.ts'
import type { DraftContent } from './content.ts'
import type { DraftInput } from './contract.ts'
import type { PartyFacts } from './draft/parties.ts'

type IssuedBy = NonNullable<DraftContent['issuedBy']>

/** Of an invoice that nobody but the company or its customer issues. */
export const NO_IDENTITY = {
  name: null,
  nif: null,
  idType: null,
  country: null,
  street: null,
  postalCode: null,
  city: null,
  province: null,
} as const satisfies Omit<IssuedBy, 'kind'>

/** Returns who issues a draft, from its input; null for the company. The customer is identified by the invoice itself. */
export function composeIssuedBy(input: DraftInput['issuedBy']): IssuedBy | null {
  const kind = input?.kind ?? null
  if (!input || kind === null) return null
  if (kind === 'recipient') return { ...NO_IDENTITY, kind }
  const idType = input.idType ?? null
  const country = input.country ?? 'ES'
  const nif = trimmedOrNull(input.nif)
  return {
    kind,
    name: trimmedOrNull(input.name),
    nif: nif === null ? null : writtenTaxNumber(nif.toUpperCase(), { idType, country }),
    idType,
    country,
    street: trimmedOrNull(input.street),
    postalCode: trimmedOrNull(input.postalCode),
    city: trimmedOrNull(input.city),
    province: trimmedOrNull(input.province),
  }
}

/** Returns the third party with the facts of a party of the invoice; null when none issued it. */
export function thirdPartyOf({ issuedBy }: Pick<DraftContent, 'issuedBy'>): PartyFacts | null {
  if (issuedBy?.kind !== 'third_party') return null
  const { kind: _kind, name, country, ...facts } = issuedBy
  return {
    ...facts,
    name: name ?? '',
    country: country ?? 'ES',
    tradeName: null,
    email: null,
    phone: null,
    iban: null,
    registryInscription: null,
    dir3: null,
  }
}

/** Returns who made the invoice, as the record says it (EmitidaPorTerceroODestinatario and Tercero). */
export function madeByOf(content: Pick<DraftContent, 'issuedBy'>): NewRegistration['madeBy'] {
  if (content.issuedBy?.kind === 'recipient') return { by: 'recipient' }
  const third = thirdPartyOf(content)
  if (third === null) return null
  const { name, country, idType, nif } = third
  if (idType === null) return { by: 'third_party', party: { name, nif: nif ?? '' } }
  return { by: 'third_party', party: { name, country, idType, id: nif ?? '' } }
}
