/**
 * All that the exchange rests on without proof: what the documents assume, what the messages assume, and what sending itself
 * does. While one of them blocks `live`, nothing is sent to the real platform.
 */
import { ASSUMPTIONS as OF_DOCUMENTS, ASSUMPTIONS_ES } from '../../../documents/e-invoice/index.ts'
import { WIRE_ASSUMPTIONS, WIRE_ASSUMPTIONS_ES } from '../wire/assumptions.ts'

interface ExchangeAssumption {
  /** Stable name. */
  id: string
  topic: 'service' | 'document' | 'status' | 'term' | 'scope'
  source: string
  grade: 'official' | 'one_reader' | 'inferred' | 'none'
  /** `live`: nothing is sent to the real service; `rendering`: no document is made; `nothing`: only our own texts. */
  blocks: 'live' | 'rendering' | 'nothing'
  /** Day of the newest source that was read. */
  since: string
  /** In a few words, and what is taken for true. */
  title: { es: string; en: string }
  assumed: { es: string; en: string }
}

/** What sending itself rests on. */
const OF_SENDING: readonly ExchangeAssumption[] = [
  {
    id: 'queries_show_at_once',
    topic: 'service',
    source: 'Not described anywhere.',
    grade: 'none',
    blocks: 'live',
    since: '2026-10-09',
    title: {
      es: 'Cuándo aparece en las consultas lo que se envió',
      en: 'When what was sent appears in queries',
    },
    assumed: {
      es: 'Que, como mucho, tras dos consultas separadas por un minuto: lo que entonces no aparece no llegó, y se envía otra vez.',
      en: 'At the latest after two queries a minute apart: what does not appear then did not arrive, and is sent again.',
    },
  },
]

type Written = Omit<ExchangeAssumption, 'title' | 'assumed'> & { title: string; assumed: string }

/** Joins an assumption with its Spanish texts. */
function inBoth(
  { title, assumed, ...facts }: Written,
  spanish: Readonly<Record<string, { title: string; assumed: string } | undefined>>,
): ExchangeAssumption {
  const es = spanish[facts.id]
  return {
    ...facts,
    title: { es: es?.title ?? title, en: title },
    assumed: { es: es?.assumed ?? assumed, en: assumed },
  }
}

export const ASSUMPTIONS: readonly ExchangeAssumption[] = [
  ...OF_DOCUMENTS.map((each) => inBoth(each, ASSUMPTIONS_ES)),
  ...OF_SENDING,
  ...WIRE_ASSUMPTIONS.map((each) => inBoth(each, WIRE_ASSUMPTIONS_ES)),
]

/** Returns the assumptions that keep the real platform closed. */
export function blockingLive(): readonly ExchangeAssumption[] {
  return ASSUMPTIONS.filter(({ blocks }) => blocks === 'live')
}
