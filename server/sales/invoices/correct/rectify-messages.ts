/** Default texts of a rectifying invoice, in the language of the document. Pure. */
import { VAT_NAMES } from '../../../domain/languages.ts'
import type { DocumentLanguage } from '../../../domain/languages.ts'
import { taxSystemOfCode, VAT_SYSTEM } from '../../../tax/systems/index.ts'
import type { TaxCode } from '../../../tax/systems/index.ts'
import type { RectifyCause } from './rectify-causes.ts'

/** `of` is the number of the rectified invoice. */
interface RectifyMessages {
  rest: (of: string) => string
  part: (of: string) => string
  share: (percent: string, of: string) => string
  disbursements: (of: string) => string
  untaxed: string
  causes: Readonly<Record<RectifyCause, string>>
}

const ES: RectifyMessages = {
  rest: (of) => `Resto de ${of}`,
  part: (of) => `Abono parcial de ${of}`,
  share: (percent, of) => `${percent} de ${of}`,
  disbursements: (of) => `Suplidos de ${of}`,
  untaxed: 'sin IVA',
  causes: {
    returned_goods: 'Devolución de mercancía',
    returned_packaging: 'Devolución de envases y embalajes',
    discount: 'Descuento posterior a la factura',
    period_discount: 'Descuento por volumen de operaciones',
    price_change: 'Cambio de precio acordado',
    cancelled_operation: 'Operación sin efecto',
    provisional_price: 'Importe definitivo distinto del provisional',
    wrong_vat: 'IVA mal aplicado',
    wrong_amount: 'Cantidad o precio equivocados',
    wrong_client: 'Datos del cliente equivocados',
    wrong_text: 'Concepto o mención equivocados',
    insolvency: 'Cliente en concurso de acreedores',
    uncollectible: 'Crédito incobrable',
    other: 'Corrección de la factura',
  },
}

const CA: RectifyMessages = {
  rest: (of) => `Resta de ${of}`,
  part: (of) => `Abonament parcial de ${of}`,
  share: (percent, of) => `${percent} de ${of}`,
  disbursements: (of) => `Suplerts de ${of}`,
  untaxed: 'sense IVA',
  causes: {
    returned_goods: 'Devolució de mercaderia',
    returned_packaging: "Devolució d'envasos i embalatges",
    discount: 'Descompte posterior a la factura',
    period_discount: "Descompte per volum d'operacions",
    price_change: 'Canvi de preu acordat',
    cancelled_operation: 'Operació sense efecte',
    provisional_price: 'Import definitiu diferent del provisional',
    wrong_vat: 'IVA mal aplicat',
    wrong_amount: 'Quantitat o preu equivocats',
    wrong_client: 'Dades del client equivocades',
    wrong_text: 'Concepte o menció equivocats',
    insolvency: 'Client en concurs de creditors',
    uncollectible: 'Crèdit incobrable',
    other: 'Correcció de la factura',
  },
}

const EU: RectifyMessages = {
  rest: (of) => `${of} fakturaren gainerakoa`,
  part: (of) => `${of} fakturaren abonu partziala`,
  share: (percent, of) => `${of} fakturaren ${percent}`,
  disbursements: (of) => `${of} fakturan aurreratutako gastuak`,
  untaxed: 'BEZik gabe',
  causes: {
    returned_goods: 'Salgaien itzulketa',
    returned_packaging: 'Ontzien eta bilgarrien itzulketa',
    discount: 'Fakturaren ondorengo deskontua',
    period_discount: 'Eragiketa-bolumenaren araberako deskontua',
    price_change: 'Adostutako prezio-aldaketa',
    cancelled_operation: 'Ondoriorik gabeko eragiketa',
    provisional_price: 'Behin betiko zenbatekoa, behin-behinekoaren ordez',
    wrong_vat: 'Gaizki aplikatutako BEZa',
    wrong_amount: 'Kopuru edo prezio okerra',
    wrong_client: 'Bezeroaren datu okerrak',
    wrong_text: 'Kontzeptu edo aipamen okerra',
    insolvency: 'Bezeroa hartzekodunen konkurtsoan',
    uncollectible: 'Kreditu kobraezina',
    other: 'Fakturaren zuzenketa',
  },
}

const GL: RectifyMessages = {
  rest: (of) => `Resto de ${of}`,
  part: (of) => `Aboamento parcial de ${of}`,
  share: (percent, of) => `${percent} de ${of}`,
  disbursements: (of) => `Suplidos de ${of}`,
  untaxed: 'sen IVE',
  causes: {
    returned_goods: 'Devolución de mercadoría',
    returned_packaging: 'Devolución de envases e embalaxes',
    discount: 'Desconto posterior á factura',
    period_discount: 'Desconto por volume de operacións',
    price_change: 'Cambio de prezo acordado',
    cancelled_operation: 'Operación sen efecto',
    provisional_price: 'Importe definitivo distinto do provisional',
    wrong_vat: 'IVE mal aplicado',
    wrong_amount: 'Cantidade ou prezo equivocados',
    wrong_client: 'Datos do cliente equivocados',
    wrong_text: 'Concepto ou mención equivocados',
    insolvency: 'Cliente en concurso de acredores',
    uncollectible: 'Crédito incobrable',
    other: 'Corrección da factura',
  },
}

const EN: RectifyMessages = {
  rest: (of) => `Rest of ${of}`,
  part: (of) => `Partial credit of ${of}`,
  share: (percent, of) => `${percent} of ${of}`,
  disbursements: (of) => `Disbursements of ${of}`,
  untaxed: 'without VAT',
  causes: {
    returned_goods: 'Goods returned',
    returned_packaging: 'Packaging returned',
    discount: 'Discount after the invoice',
    period_discount: 'Volume discount',
    price_change: 'Price changed by agreement',
    cancelled_operation: 'Operation cancelled',
    provisional_price: 'Final amount instead of the provisional',
    wrong_vat: 'VAT wrongly charged',
    wrong_amount: 'Wrong quantity or price',
    wrong_client: "Customer's data wrong",
    wrong_text: 'Description or mention wrong',
    insolvency: 'Customer declared insolvent',
    uncollectible: 'Uncollectible debt',
    other: 'Correction of the invoice',
  },
}

const FR: RectifyMessages = {
  rest: (of) => `Solde de ${of}`,
  part: (of) => `Avoir partiel sur ${of}`,
  share: (percent, of) => `${percent} de ${of}`,
  disbursements: (of) => `Débours de ${of}`,
  untaxed: 'sans TVA',
  causes: {
    returned_goods: 'Retour de marchandises',
    returned_packaging: "Retour d'emballages",
    discount: 'Remise postérieure à la facture',
    period_discount: "Remise sur le volume d'opérations",
    price_change: 'Changement de prix convenu',
    cancelled_operation: 'Opération annulée',
    provisional_price: 'Montant définitif au lieu du provisoire',
    wrong_vat: 'TVA mal appliquée',
    wrong_amount: 'Quantité ou prix erroné',
    wrong_client: 'Données du client erronées',
    wrong_text: 'Désignation ou mention erronée',
    insolvency: "Client en procédure d'insolvabilité",
    uncollectible: 'Créance irrécouvrable',
    other: 'Correction de la facture',
  },
}

const DE: RectifyMessages = {
  rest: (of) => `Rest von ${of}`,
  part: (of) => `Teilgutschrift zu ${of}`,
  share: (percent, of) => `${percent} von ${of}`,
  disbursements: (of) => `Durchlaufende Posten von ${of}`,
  untaxed: 'ohne MwSt.',
  causes: {
    returned_goods: 'Warenrückgabe',
    returned_packaging: 'Rückgabe von Verpackungen',
    discount: 'Nachträglicher Rabatt',
    period_discount: 'Mengenrabatt',
    price_change: 'Vereinbarte Preisänderung',
    cancelled_operation: 'Rückgängig gemachter Umsatz',
    provisional_price: 'Endgültiger statt vorläufiger Betrag',
    wrong_vat: 'Falsch berechnete MwSt.',
    wrong_amount: 'Falsche Menge oder falscher Preis',
    wrong_client: 'Falsche Kundendaten',
    wrong_text: 'Falsche Bezeichnung oder Angabe',
    insolvency: 'Insolvenz des Kunden',
    uncollectible: 'Uneinbringliche Forderung',
    other: 'Berichtigung der Rechnung',
  },
}

const PT: RectifyMessages = {
  rest: (of) => `Restante de ${of}`,
  part: (of) => `Crédito parcial de ${of}`,
  share: (percent, of) => `${percent} de ${of}`,
  disbursements: (of) => `Despesas por conta do cliente de ${of}`,
  untaxed: 'sem IVA',
  causes: {
    returned_goods: 'Devolução de mercadoria',
    returned_packaging: 'Devolução de embalagens',
    discount: 'Desconto posterior à fatura',
    period_discount: 'Desconto por volume de operações',
    price_change: 'Alteração de preço acordada',
    cancelled_operation: 'Operação sem efeito',
    provisional_price: 'Valor definitivo em vez do provisório',
    wrong_vat: 'IVA mal aplicado',
    wrong_amount: 'Quantidade ou preço errados',
    wrong_client: 'Dados do cliente errados',
    wrong_text: 'Descrição ou menção errada',
    insolvency: 'Insolvência do cliente',
    uncollectible: 'Crédito incobrável',
    other: 'Correção da fatura',
  },
}

const MESSAGES: Readonly<Record<DocumentLanguage, RectifyMessages>> = {
  es: ES,
  ca: CA,
  eu: EU,
  gl: GL,
  en: EN,
  fr: FR,
  de: DE,
  pt: PT,
}

/** Returns the texts in a language; `tax` is the code of the document's tax, which they name. */
export function rectifyMessages(language: DocumentLanguage, tax: TaxCode): RectifyMessages {
  const messages = MESSAGES[language]
  const system = taxSystemOfCode(tax)
  if (system === VAT_SYSTEM) return messages
  const named = (text: string): string => text.replace(VAT_NAMES[language], system.name)
  return {
    ...messages,
    untaxed: named(messages.untaxed),
    causes: { ...messages.causes, wrong_vat: named(messages.causes.wrong_vat) },
  }
}
