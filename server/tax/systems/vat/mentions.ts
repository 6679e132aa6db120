/** Legal words of VAT: by treatment, and in the other languages of documents. */
import type { LegalMentions, MentionText, SystemData } from '../system.ts'

const PLAIN: LegalMentions['plain'] = {
  S2: { es: 'Inversión del sujeto pasivo (art. 84 Ley 37/1992)', en: 'Reverse charge', article: 'art. 84' },
  N1: { es: 'Operación no sujeta (art. 7 Ley 37/1992)', en: 'Outside the scope of VAT', article: 'art. 7' },
  E1: {
    es: 'Operación exenta (art. 20 Ley 37/1992)',
    en: 'Exempt from VAT (art. 132 or 135 Directive 2006/112/EC)',
    article: 'art. 20',
  },
  E2: {
    es: 'Exportación exenta (art. 21 Ley 37/1992)',
    en: 'Export exempt from VAT (art. 146 Directive 2006/112/EC)',
    article: 'art. 21',
  },
  E3: {
    es: 'Operación exenta (art. 22 Ley 37/1992)',
    en: 'Exempt from VAT (art. 148 Directive 2006/112/EC)',
    article: 'art. 22',
  },
  E4: {
    es: 'Operación exenta (arts. 23 y 24 Ley 37/1992)',
    en: 'Exempt from VAT (arts. 156-160 Directive 2006/112/EC)',
    article: 'arts. 23, 24',
  },
  E5: {
    es: 'Entrega intracomunitaria exenta (art. 25 Ley 37/1992)',
    en: 'Intra-Community supply exempt from VAT (art. 138 Directive 2006/112/EC)',
    article: 'art. 25',
  },
  E6: { es: 'Operación exenta', en: 'Exempt from VAT', article: null },
  E7: { es: 'Operación exenta (Ley 4/2012 de Canarias)', en: 'Exempt from IGIC', article: null },
  E8: { es: 'Operación exenta (Ley 4/2012 de Canarias)', en: 'Exempt from IGIC', article: null },
}

const PLACE_REVERSED: MentionText = {
  es: 'Operación no sujeta por reglas de localización. Inversión del sujeto pasivo / Reverse charge',
  en: 'VAT due by the customer (arts. 44 and 196 Directive 2006/112/EC)',
  article: 'art. 69',
}
const PLACE: MentionText = {
  es: 'Operación no sujeta por reglas de localización (arts. 68 a 72 Ley 37/1992)',
  en: 'Not subject to Spanish VAT by the place of supply',
  article: 'arts. 68-72',
}
export const VAT_MENTIONS: readonly [LegalMentions] = [
  {
    from: '1993-01-01',
    to: null,
    source: 'RD 1619/2012 art. 6.1.j y m; Directiva 2006/112/CE art. 226',
    plain: PLAIN,
    place: PLACE,
    placeReversed: PLACE_REVERSED,
  },
]

/**
 * Texts in the other document languages; the rest of a mention cites Spanish law and stays in Spanish. `reverse` is
 * word for word that of Directive 2006/112/EC art. 226 point 11a.
 */
export const VAT_TRANSLATED: SystemData['translated'] = {
  ca: {
    exempt: "Operació exempta d'IVA",
    export: "Exportació exempta d'IVA",
    intra: "Lliurament intracomunitari exempt d'IVA",
    not_subject: "Operació no subjecta a l'IVA",
    place: "Operació no subjecta a l'IVA espanyol per les regles de localització",
    reverse: 'Inversió del subjecte passiu',
    place_reverse: 'Operació no subjecta per les regles de localització. Inversió del subjecte passiu',
  },
  eu: {
    exempt: 'BEZetik salbuetsitako eragiketa',
    export: 'BEZetik salbuetsitako esportazioa',
    intra: 'BEZetik salbuetsitako Batasun barruko entrega',
    not_subject: 'BEZari lotu gabeko eragiketa',
    place: 'Lokalizazio arauengatik Espainiako BEZari lotu gabeko eragiketa',
    reverse: 'Subjektu pasiboaren inbertsioa',
    place_reverse: 'Lokalizazio arauengatik lotu gabeko eragiketa. Subjektu pasiboaren inbertsioa',
  },
  gl: {
    exempt: 'Operación exenta de IVE',
    export: 'Exportación exenta de IVE',
    intra: 'Entrega intracomunitaria exenta de IVE',
    not_subject: 'Operación non suxeita ao IVE',
    place: 'Operación non suxeita ao IVE español polas regras de localización',
    reverse: 'Investimento do suxeito pasivo',
    place_reverse: 'Operación non suxeita polas regras de localización. Investimento do suxeito pasivo',
  },
  fr: {
    exempt: 'Exonération de TVA',
    export: 'Exportation exonérée de TVA',
    intra: 'Livraison intracommunautaire exonérée de TVA',
    not_subject: 'Opération hors du champ de la TVA',
    place: 'Non soumis à la TVA espagnole (lieu de la prestation)',
    reverse: 'Autoliquidation',
    place_reverse: 'Non soumis à la TVA espagnole. Autoliquidation',
  },
  de: {
    exempt: 'Umsatzsteuerfrei',
    export: 'Steuerfreie Ausfuhrlieferung',
    intra: 'Steuerfreie innergemeinschaftliche Lieferung',
    not_subject: 'Nicht steuerbarer Umsatz',
    place: 'In Spanien nicht steuerbar (Ort der Leistung)',
    reverse: 'Steuerschuldnerschaft des Leistungsempfängers',
    place_reverse: 'In Spanien nicht steuerbar. Steuerschuldnerschaft des Leistungsempfängers',
  },
  pt: {
    exempt: 'Operação isenta de IVA',
    export: 'Exportação isenta de IVA',
    intra: 'Transmissão intracomunitária isenta de IVA',
    not_subject: 'Operação não sujeita a IVA',
    place: 'Não sujeito ao IVA espanhol (localização da operação)',
    reverse: 'Autoliquidação',
    place_reverse: 'Não sujeito ao IVA espanhol. Autoliquidação',
  },
}
