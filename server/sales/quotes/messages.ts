/** Texts of an invoice made from a quote, in the language of the document. Pure. */
import { percentText } from '../../domain/languages.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { BasisPoints } from '../../domain/money.ts'
import type { QuoteKind } from './contract.ts'

interface ConversionMessages {
  /** "Según presupuesto P2026-0001." */
  origin: (kind: QuoteKind, numbers: readonly string[]) => string
  deposit: (shareBp: BasisPoints, kind: QuoteKind, number: string) => string
  deducted: (numbers: readonly string[]) => string
  discount: (discountBp: BasisPoints) => string
}

interface Phrases {
  and: string
  /** Kinds for `origin`, of one document and of several. */
  kinds: Readonly<Record<QuoteKind, readonly [one: string, several: string]>>
  origin: (kinds: string, numbers: string) => string
  /** Kinds for `deposit`, with the article and the case of their place. */
  ofKind: Readonly<Record<QuoteKind, string>>
  deposit: (percent: string, ofKind: string, number: string) => string
  deducted: string
  discount: string
}

const PHRASES: Readonly<Record<DocumentLanguage, Phrases>> = {
  es: {
    and: 'y',
    kinds: {
      quote: ['presupuesto', 'presupuestos'],
      proforma: ['proforma', 'proformas'],
      delivery_note: ['albarán', 'albaranes'],
    },
    origin: (kinds, numbers) => `Según ${kinds} ${numbers}.`,
    ofKind: { quote: 'del presupuesto', proforma: 'de la proforma', delivery_note: 'del albarán' },
    deposit: (percent, ofKind, number) => `Anticipo del ${percent} ${ofKind} ${number}`,
    deducted: 'Anticipo ya facturado',
    discount: 'Descuento',
  },
  ca: {
    and: 'i',
    kinds: {
      quote: ['pressupost', 'pressupostos'],
      proforma: ['proforma', 'proformes'],
      delivery_note: ['albarà', 'albarans'],
    },
    origin: (kinds, numbers) => `Segons ${kinds} ${numbers}.`,
    ofKind: { quote: 'del pressupost', proforma: 'de la proforma', delivery_note: "de l'albarà" },
    deposit: (percent, ofKind, number) => `Bestreta del ${percent} ${ofKind} ${number}`,
    deducted: 'Bestreta ja facturada',
    discount: 'Descompte',
  },
  eu: {
    and: 'eta',
    kinds: {
      quote: ['Aurrekontu honen', 'Aurrekontu hauen'],
      proforma: ['Proforma honen', 'Proforma hauen'],
      delivery_note: ['Albaran honen', 'Albaran hauen'],
    },
    origin: (kinds, numbers) => `${kinds} arabera: ${numbers}.`,
    ofKind: { quote: 'aurrekontuaren', proforma: 'proformaren', delivery_note: 'albaranaren' },
    deposit: (percent, ofKind, number) => `Aurrerakina: ${number} ${ofKind} ${percent}`,
    deducted: 'Lehendik fakturatutako aurrerakina',
    discount: 'Deskontua',
  },
  gl: {
    and: 'e',
    kinds: {
      quote: ['orzamento', 'orzamentos'],
      proforma: ['proforma', 'proformas'],
      delivery_note: ['albará', 'albarás'],
    },
    origin: (kinds, numbers) => `Segundo ${kinds} ${numbers}.`,
    ofKind: { quote: 'do orzamento', proforma: 'da proforma', delivery_note: 'do albará' },
    deposit: (percent, ofKind, number) => `Anticipo do ${percent} ${ofKind} ${number}`,
    deducted: 'Anticipo xa facturado',
    discount: 'Desconto',
  },
  en: {
    and: 'and',
    kinds: {
      quote: ['quote', 'quotes'],
      proforma: ['pro forma', 'pro formas'],
      delivery_note: ['delivery note', 'delivery notes'],
    },
    origin: (kinds, numbers) => `As per ${kinds} ${numbers}.`,
    ofKind: { quote: 'quote', proforma: 'pro forma', delivery_note: 'delivery note' },
    deposit: (percent, ofKind, number) => `Deposit of ${percent} of ${ofKind} ${number}`,
    deducted: 'Deposit already invoiced',
    discount: 'Discount',
  },
  fr: {
    and: 'et',
    kinds: {
      quote: ['devis', 'devis'],
      proforma: ['facture pro forma', 'factures pro forma'],
      delivery_note: ['bon de livraison', 'bons de livraison'],
    },
    origin: (kinds, numbers) => `Selon ${kinds} ${numbers}.`,
    ofKind: {
      quote: 'sur le devis',
      proforma: 'sur la facture pro forma',
      delivery_note: 'sur le bon de livraison',
    },
    deposit: (percent, ofKind, number) => `Acompte de ${percent} ${ofKind} ${number}`,
    deducted: 'Acompte déjà facturé',
    discount: 'Remise',
  },
  de: {
    and: 'und',
    kinds: {
      quote: ['Angebot', 'Angeboten'],
      proforma: ['Proforma-Rechnung', 'Proforma-Rechnungen'],
      delivery_note: ['Lieferschein', 'Lieferscheinen'],
    },
    origin: (kinds, numbers) => `Gemäß ${kinds} ${numbers}.`,
    ofKind: {
      quote: 'auf Angebot',
      proforma: 'auf Proforma-Rechnung',
      delivery_note: 'auf Lieferschein',
    },
    deposit: (percent, ofKind, number) => `Anzahlung von ${percent} ${ofKind} ${number}`,
    deducted: 'Bereits berechnete Anzahlung',
    discount: 'Rabatt',
  },
  pt: {
    and: 'e',
    kinds: {
      quote: ['orçamento', 'orçamentos'],
      proforma: ['pró-forma', 'pró-formas'],
      delivery_note: ['guia de remessa', 'guias de remessa'],
    },
    origin: (kinds, numbers) => `Conforme ${kinds} ${numbers}.`,
    ofKind: { quote: 'do orçamento', proforma: 'da pró-forma', delivery_note: 'da guia de remessa' },
    deposit: (percent, ofKind, number) => `Adiantamento de ${percent} ${ofKind} ${number}`,
    deducted: 'Adiantamento já faturado',
    discount: 'Desconto',
  },
}

function listed(items: readonly string[], and: string): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1)}`
}

export function conversionMessages(language: DocumentLanguage): ConversionMessages {
  const { and, kinds, ofKind, ...words } = PHRASES[language]
  return {
    origin: (kind, numbers) => words.origin(kinds[kind][numbers.length > 1 ? 1 : 0], listed(numbers, and)),
    deposit: (shareBp, kind, number) => words.deposit(percentText(shareBp, language), ofKind[kind], number),
    deducted: (numbers) =>
      numbers.length === 0 ? words.deducted : `${words.deducted} (${listed(numbers, and)})`,
    discount: (discountBp) =>
      discountBp === 0 ? words.discount : `${words.discount} (${percentText(discountBp, language)})`,
  }
}
