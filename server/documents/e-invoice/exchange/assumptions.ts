/**
 * What the exchange rests on without proof: not published, not seen, or contradictory by 9 October 2026. Live sending stays off while
 * one of these blocks it. An entry leaves the list when a published text settles it; identifiers are stable.
 */

/**
 * How well the assumption is founded: `official` slides or text say so without the detail, `one_reader` of the gazette alone wrote it
 * down, `inferred` from neighbouring rules, `none` where nothing was found.
 */
type Grade = 'official' | 'one_reader' | 'inferred' | 'none'

export interface Assumption {
  id: string
  /** In a few words. */
  title: string
  /** What it is about: the service, the document, statuses, terms, who takes part. */
  topic: 'service' | 'document' | 'status' | 'term' | 'scope'
  /** What Sello takes for true, and why it is not certain. In English; Spanish in `assumptions-es.ts`. */
  assumed: string
  /** Who says what. */
  source: string
  grade: Grade
  /** `live`: nothing is sent to the real service; `rendering`: no document is made at all; `nothing`: only our own texts. */
  blocks: 'live' | 'rendering' | 'nothing'
  /** Day of the newest source that was read for it. */
  since: string
}

const SEEN = '2026-10-09'
const ORDER = 'Orden HAC/1028/2026'
const SLIDES = 'Slides of the tax agency, 10 September 2026'
const READER = `${ORDER}, annexes, as one reader wrote them down`
const CEN = 'CEN/TS 16931-3-2:2026, as one repository transcribed it'

export const ASSUMPTIONS = [
  {
    id: 'wsdl',
    title: 'The web service',
    topic: 'service',
    assumed:
      'The service is as the slides show it. Its WSDL, its addresses and its catalogue of errors are not published.',
    source: SLIDES,
    grade: 'official',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'envelope',
    title: 'The envelope of messages',
    topic: 'service',
    assumed:
      'SOAP 1.2, plain multipart, roles that stay when the parties swap. The examples contradict each other in version and spelling.',
    source: SLIDES,
    grade: 'official',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'validation',
    title: 'The validation',
    topic: 'service',
    assumed:
      'The rules here are those of the profile. Neither the extension schema nor a Schematron is published, so that the real service may refuse more.',
    source: READER,
    grade: 'one_reader',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'query_answer',
    title: 'The answer to a query',
    topic: 'service',
    assumed:
      'An answer to a query states each invoice’s statuses as further responses, in the form in which they were reported.',
    source: SLIDES,
    grade: 'inferred',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'test_environment',
    title: 'The test environment',
    topic: 'service',
    assumed: 'The announced test environment does not exist yet: nothing here was tried against it.',
    source: 'Slides of the tax agency, 19 May and 10 September 2026',
    grade: 'none',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'qualifiers',
    title: 'The marks REGI, QR and RECT',
    topic: 'document',
    assumed:
      'The marks REGI, QR and RECT stand in the names and identifiers of their elements. The annex gives their qualifiers no path.',
    source: READER,
    grade: 'one_reader',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'withholding',
    title: 'Income tax withheld',
    topic: 'document',
    assumed:
      'Income tax withheld is a withholding total with key 01 and a negative collection line RETE that reduces the amount due. Sign, key and effect are not described.',
    source: `${READER}; ${CEN}`,
    grade: 'inferred',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'disbursements',
    title: 'Disbursements',
    topic: 'document',
    assumed:
      'Disbursements (suplidos) are collection lines outside the total with tax and inside the amount due.',
    source: `${SLIDES}; ${CEN}`,
    grade: 'inferred',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'surcharge',
    title: 'The equivalence surcharge',
    topic: 'document',
    assumed:
      'The equivalence surcharge is a charge in category E with its reason. The edition of 2026 is said to have a place for it; the place was not seen.',
    source: 'Slides of the tax agency, 19 May 2026',
    grade: 'inferred',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'margin',
    title: 'Margin sales',
    topic: 'document',
    assumed:
      'Margin sales have category F, those of travel agencies D, and no tax. When N is meant, and what the tax then is, was not seen.',
    source: `${SLIDES}; ${READER}`,
    grade: 'inferred',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'regimes',
    title: 'Regimes without a key',
    topic: 'document',
    assumed: 'Regime keys that the lists leave out are written as 01, general.',
    source: SLIDES,
    grade: 'inferred',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'notes',
    title: 'Notes and mentions',
    topic: 'document',
    assumed:
      'Notes and legal mentions are annotations, one each. One reader of the Order writes them as notes, and new fields for mentions were announced.',
    source: `${CEN}; ${READER}; ${SLIDES}`,
    grade: 'official',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'buyer_reference',
    title: 'The buyer reference',
    topic: 'document',
    assumed:
      'The buyer reference (BT-10) is left out; the standard and the reader of the Order give it two paths.',
    source: `${CEN}; ${READER}`,
    grade: 'one_reader',
    blocks: 'nothing',
    since: SEEN,
  },
  {
    id: 'buyer_number',
    title: 'The number of the customer',
    topic: 'document',
    assumed:
      'The number of the customer stands in its tax scheme LOC, as in the annex; the standard has it at the legal entity.',
    source: `${SLIDES}; ${CEN}`,
    grade: 'official',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'bg24_code',
    title: 'The code of supporting documents',
    topic: 'document',
    assumed:
      'References QR and RECT need no type code 916: the annex puts R1 to R4, I and S there, the standard asks for 916.',
    source: `${CEN}; ${READER}`,
    grade: 'one_reader',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'rectified_amount',
    title: 'The amount rectified',
    topic: 'document',
    assumed:
      'A rectification by substitution does not state the amount that it rectifies. A third reference is said to carry it; its code was not seen.',
    source: SLIDES,
    grade: 'none',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'replaced_amount',
    title: 'What replaced invoices asked for',
    topic: 'document',
    assumed:
      'What the replaced invoices asked for before is an amount paid (BT-113), so that the amount due is that of the books.',
    source: 'EN 16931, definition of BT-113',
    grade: 'inferred',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'self_billed_code',
    title: 'A rectification by the customer',
    topic: 'document',
    assumed:
      'A rectification that the customer issues has type 471. The list of the annex has it, that of the standard is said to drop it.',
    source: `${READER}; ${CEN}`,
    grade: 'one_reader',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'third_party',
    title: 'Invoices that a third party issues',
    topic: 'document',
    assumed: 'An invoice that a third party issues has no document: the fields of that party were not seen.',
    source: SLIDES,
    grade: 'none',
    blocks: 'rendering',
    since: SEEN,
  },
  {
    id: 'excise',
    title: 'Special taxes',
    topic: 'document',
    assumed: 'Special taxes and the registration tax of vehicles have no field of their own here.',
    source: SLIDES,
    grade: 'none',
    blocks: 'nothing',
    since: SEEN,
  },
  {
    id: 'vatex_es',
    title: 'Spain’s own exemption codes',
    topic: 'document',
    assumed:
      'Exemptions without a European code state their reason in words: Spain’s own codes were asked for and not granted.',
    source: SLIDES,
    grade: 'official',
    blocks: 'nothing',
    since: SEEN,
  },
  {
    id: 'message_header',
    title: 'The header of status messages',
    topic: 'status',
    assumed:
      'A status message has an identifier, its day, its sender by number and the agency as receiver. Annex II describes the body alone.',
    source: READER,
    grade: 'inferred',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'withdraw_path',
    title: 'The withdrawal of an invoice',
    topic: 'status',
    assumed:
      'A withdrawal has the form of a status. Annex I prints a path that the schema of UBL 2.5 does not allow.',
    source: `${READER}; UBL 2.5`,
    grade: 'inferred',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'rejection_reason',
    title: 'The reason of a rejection',
    topic: 'status',
    assumed: 'The reason of a rejection, 01 or 02, is the reason code of its status.',
    source: READER,
    grade: 'inferred',
    blocks: 'live',
    since: SEEN,
  },
  {
    id: 'holiday_list',
    title: 'Holidays of the term',
    topic: 'term',
    assumed:
      'Nine national holidays do not count, nor does the day of the event; the alarm goes by the earlier of both readings.',
    source: 'RD 238/2026 art. 12.3',
    grade: 'inferred',
    blocks: 'nothing',
    since: SEEN,
  },
  {
    id: 'rejection_term',
    title: 'The term of a rejection',
    topic: 'term',
    assumed: 'A rejection is reported within the term of payments: none is written for it.',
    source: 'RD 238/2026 art. 12',
    grade: 'inferred',
    blocks: 'nothing',
    since: SEEN,
  },
  {
    id: 'retention',
    title: 'How long the platform keeps invoices',
    topic: 'term',
    assumed: 'How long the platform keeps invoices was not seen: Sello keeps its own originals.',
    source: 'RD 238/2026, preamble',
    grade: 'none',
    blocks: 'nothing',
    since: SEEN,
  },
  {
    id: 'foral',
    title: 'The Basque Country and Navarre',
    topic: 'scope',
    assumed:
      'Companies of the Basque Country and Navarre are refused; their customers are treated like all others. The agreements are not published.',
    source: 'RD 238/2026 DA3',
    grade: 'none',
    blocks: 'rendering',
    since: SEEN,
  },
  {
    id: 'platform_directory',
    title: 'Private platforms',
    topic: 'scope',
    assumed:
      'Every customer has the public platform, unless agreed otherwise: there is no directory of private ones.',
    source: 'RD 238/2026 arts. 6.1, 6.3, 6.4',
    grade: 'official',
    blocks: 'nothing',
    since: SEEN,
  },
] as const satisfies readonly Assumption[]

export type AssumptionId = (typeof ASSUMPTIONS)[number]['id']
