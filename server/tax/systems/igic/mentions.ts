/** Legal words of IGIC. */
import type { LegalMentions } from '../system.ts'
import { igicArticle } from './causes.ts'

/**
 * One row so far. The consolidated text of the islands (DLeg 1/2025) renumbers Ley 4/2012: when its articles are read in the
 * gazette they become a row of their own, from its first day.
 */
export const IGIC_MENTIONS: readonly [LegalMentions] = [
  {
    from: '1993-01-01',
    to: null,
    certain: false,
    source: 'RD 1619/2012 art. 6.1.j y m; Ley 20/1991; Ley 19/1994; Ley 4/2012 de Canarias',
    plain: {
      S2: {
        es: `Inversión del sujeto pasivo (${igicArticle('S2')})`,
        en: 'Reverse charge',
        article: igicArticle('S2'),
      },
      N1: { es: 'Operación no sujeta al IGIC', en: 'Outside the scope of IGIC', article: null },
      E1: {
        es: `Operación exenta (${igicArticle('E1')})`,
        en: 'Exempt from IGIC',
        article: igicArticle('E1'),
      },
      E2: {
        es: `Exportación exenta (${igicArticle('E2')})`,
        en: 'Export exempt from IGIC',
        article: igicArticle('E2'),
      },
      E3: {
        es: `Operación exenta (${igicArticle('E3')})`,
        en: 'Exempt from IGIC',
        article: igicArticle('E3'),
      },
      E4: {
        es: `Operación exenta (${igicArticle('E4')})`,
        en: 'Exempt from IGIC',
        article: igicArticle('E4'),
      },
      E5: {
        es: `Operación exenta (${igicArticle('E5')})`,
        en: 'Exempt from IGIC',
        article: igicArticle('E5'),
      },
      E6: {
        es: `Operación exenta (${igicArticle('E6')})`,
        en: 'Exempt from IGIC',
        article: igicArticle('E6'),
      },
      E7: {
        es: `Exento por el régimen especial del pequeño empresario o profesional (${igicArticle('E7')})`,
        en: 'Exempt from IGIC under the special scheme of small businesses',
        article: igicArticle('E7'),
      },
      E8: { es: 'Operación exenta del IGIC', en: 'Exempt from IGIC', article: null },
    },
    place: {
      es: `Operación no sujeta por reglas de localización (${igicArticle('N2')})`,
      en: 'Not subject to IGIC by the place of supply',
      article: igicArticle('N2'),
    },
    placeReversed: {
      es: 'Operación no sujeta por reglas de localización. Inversión del sujeto pasivo / Reverse charge',
      en: 'VAT due by the customer',
      article: igicArticle('N2'),
    },
  },
]
