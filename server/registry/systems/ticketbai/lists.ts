/** Code lists and limits of TicketBAI's schema 1.2.2. Source: the schema itself. */

/** ClaveRegimenIvaOpTrascendencia. */
export const REGIME_KEYS: ReadonlySet<string> = new Set(
  '01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 17 19 51 52 53 54'.split(' '),
)

/** Keys of issuers under the equivalence surcharge and the simplified regime; their lines are marked as such. */
export const RETAIL_KEYS: readonly string[] = ['51', '52']

/** CausaExencion. */
export const EXEMPTIONS = ['E1', 'E2', 'E3', 'E4', 'E5', 'E6'] as const
export type Exemption = (typeof EXEMPTIONS)[number]

/** TipoNoExenta: S1 the issuer declares the tax, S2 the customer does. */
export const TAXED_TYPES = ['S1', 'S2'] as const
export type TaxedType = (typeof TAXED_TYPES)[number]

/**
 * Causa of what is not subject: OT by the rules of the tax, RL by the place of supply, VT sales on account of others, IE
 * by the place of supply with a foreign tax on the invoice.
 */
export const NOT_SUBJECT_CAUSES = ['OT', 'RL', 'VT', 'IE'] as const
export type NotSubjectCause = (typeof NOT_SUBJECT_CAUSES)[number]

export const RECTIFICATION_CODES = ['R1', 'R2', 'R3', 'R4', 'R5'] as const
export type RectificationCode = (typeof RECTIFICATION_CODES)[number]

/** IDType. There is none for a Spanish number outside the census. */
export const ID_TYPES = ['02', '03', '04', '05', '06'] as const
export type IdType = (typeof ID_TYPES)[number]

/** EmitidaPorTercerosODestinatario: the issuer, a third party, the customer. */
export const MAKERS = ['N', 'T', 'D'] as const
export type Maker = (typeof MAKERS)[number]

/** Accion of a correction: of a refused file, or of a file that is kept. */
export const AMENDMENTS = ['SUBSANAR', 'MODIFICAR'] as const
export type Amendment = (typeof AMENDMENTS)[number]

/** Most entries of each list. */
export const MOST = {
  recipients: 100,
  originals: 100,
  lines: 1000,
  regimeKeys: 3,
  vatDetails: 12,
  exemptions: 7,
  taxedTypes: 2,
  notSubject: 4,
} as const

/** Longest texts, in characters. */
export const LONGEST = {
  series: 20,
  number: 20,
  /** Of persons, companies and the software. */
  name: 120,
  foreignId: 20,
  postcode: 20,
  address: 250,
  description: 250,
  licence: 20,
  version: 20,
  device: 30,
  /** The part of a signature that the next invoice, or a correction, names. */
  signaturePart: 100,
} as const

/** CodigoPais: ISO 3166 and a few codes of the treasuries (QU, XB, XG, XN, XU). */
export const COUNTRIES: ReadonlySet<string> = new Set(
  [
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY',
    'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ',
    'FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ',
    'IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG',
    'MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH',
    'PK PL PM PN PR PS PT PW PY QA QU RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX',
    'SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XB',
    'XG XN XU YE YT ZA ZM ZW',
  ]
    .join(' ')
    .split(' '),
)
