/** Legal words of IPSI. */
import type { LegalMentions, MentionText } from '../system.ts'
import { ipsiArticle } from './causes.ts'

const EXEMPT: MentionText = {
  es: `Operación exenta (${ipsiArticle('E1')})`,
  en: 'Exempt from IPSI',
  article: ipsiArticle('E1'),
}

export const IPSI_MENTIONS: readonly [LegalMentions] = [
  {
    from: '1991-03-27',
    to: null,
    certain: false,
    source: 'RD 1619/2012 art. 6.1.j y m; Ley 8/1991',
    plain: {
      S2: { es: 'Inversión del sujeto pasivo (Ley 8/1991)', en: 'Reverse charge', article: null },
      N1: {
        es: `Operación no sujeta al IPSI (${ipsiArticle('N1')})`,
        en: 'Outside the scope of IPSI',
        article: ipsiArticle('N1'),
      },
      E1: EXEMPT,
      E2: {
        es: `Exportación exenta (${ipsiArticle('E2')})`,
        en: 'Export exempt from IPSI',
        article: ipsiArticle('E2'),
      },
      E3: EXEMPT,
      E4: EXEMPT,
      E6: { es: 'Operación exenta del IPSI', en: 'Exempt from IPSI', article: null },
    },
    place: {
      es: `Operación no sujeta por reglas de localización (${ipsiArticle('N2')})`,
      en: 'Not subject to IPSI by the place of supply',
      article: ipsiArticle('N2'),
    },
    placeReversed: {
      es: 'Operación no sujeta por reglas de localización. Inversión del sujeto pasivo / Reverse charge',
      en: 'VAT due by the customer',
      article: ipsiArticle('N2'),
    },
  },
]
