/** Electronic addresses of parties in the Peppol network: their VAT number in the scheme of its country. */
import type { EParty } from '../party.ts'

/** Schemes of the list EAS for VAT numbers, by the prefix of the number. Source: OpenPEPPOL, Electronic Address Scheme. */
const SCHEMES: Readonly<Record<string, string>> = {
  ES: '9920', AT: '9914', BE: '9925', BG: '9926', CY: '9928', CZ: '9929', DE: '9930', EE: '9931', EL: '9933', FR: '9957',
  GB: '9932', HR: '9934', HU: '9910', IE: '9935', IT: '0211', LT: '9937', LU: '9938', LV: '9939', MT: '9943', NL: '9944',
  PL: '9945', PT: '9946', RO: '9947', SE: '9955', SI: '9949', SK: '9950',
} // prettier-ignore

/** Returns the address of a party, such as `9920` and `ESB12345674`; null where its number gives none. */
export function endpointOf({ vatNumber }: EParty): { scheme: string; id: string } | null {
  const scheme = SCHEMES[vatNumber?.slice(0, 2) ?? '']
  return vatNumber === null || scheme === undefined ? null : { scheme, id: vatNumber }
}
