/**
 * Spanish translations of sentences that explain an answer to people (the reason of an inferred field of a draft, the
 * limits of a summary), by their English text. `test/server/domain/errors/spanish.test.ts` finds missing ones.
 */
export const SPANISH_SENTENCES: Readonly<Record<string, string>> = {
  // Drafts.
  'How sales to the customer are usually taxed.': 'Así se gravan normalmente las ventas a este cliente.',
  'What the company does is exempt (art. 20 LIVA).': 'La actividad de la empresa está exenta (art. 20 LIVA).',
  'What the company does is exempt (art. 50 Ley 4/2012 de Canarias).':
    'La actividad de la empresa está exenta (art. 50 Ley 4/2012 de Canarias).',
  'What the company does is exempt (arts. 7 y 8 Ley 8/1991).':
    'La actividad de la empresa está exenta (arts. 7 y 8 Ley 8/1991).',
  'The company is a retailer (comerciante minorista).': 'La empresa es comerciante minorista.',
  'The company is under the special scheme of small businesses (REPEP).':
    'La empresa está en el régimen especial del pequeño empresario o profesional (REPEP).',
  'The general IGIC rate on the day.': 'El tipo general de IGIC en esa fecha.',
  'The general VAT rate on the day.': 'El tipo general de IVA en esa fecha.',
  'The rate chosen last for the item.': 'El tipo elegido la última vez para el artículo.',
  'The customer is under the equivalence surcharge.': 'El cliente está en recargo de equivalencia.',
  'The only contact with that NIF.': 'El único contacto con ese NIF.',
  "The contact's payment terms.": 'Las condiciones de pago del contacto.',
  "The contact's usual withholding.": 'La retención habitual del contacto.',
  'It stands for simplified invoices.': 'Sustituye a facturas simplificadas.',
  'It rectifies another invoice.': 'Rectifica otra factura.',
  'The lines say the difference.': 'Las líneas indican la diferencia.',
  'The lines say the difference, with its sign.': 'Las líneas indican la diferencia, con su signo.',
  'The lines say the right figures; the invoice takes the place of the one before.':
    'Las líneas indican los importes correctos; la factura sustituye a la anterior.',
  'Series and number together, as the registry takes them. If it prints another number, give that one whole, without series.':
    'La serie y el número juntos, como los admite el registro. Si la factura lleva impreso otro número, indícalo entero, sin serie.',
  'The same draft was made a moment ago: this is that one. For a second one give another externalRef.':
    'Hace un momento se creó el mismo borrador: es este. Para crear otro, indica otro externalRef.',
  // Causes of a rectification.
  'Goods that come back leave the sale without effect, wholly or in part.':
    'La devolución de mercancía deja la venta sin efecto, del todo o en parte.',
  'Returned packaging reduces the base by what was charged for it.':
    'La devolución de envases reduce la base en lo que se cobró por ellos.',
  'A discount given after the invoice reduces its base.':
    'Un descuento posterior a la factura reduce su base.',
  'A discount on the sales of a period reduces their base; the period is named instead of each invoice.':
    'Un descuento por las ventas de un periodo reduce su base; se indica el periodo en vez de cada factura.',
  'The price was changed by agreement after the sale.':
    'El precio se cambió de acuerdo con el cliente después de la venta.',
  'The operation was left without effect, by agreement, by the contract or by a ruling.':
    'La operación quedó sin efecto por acuerdo, por contrato o por resolución.',
  'The amount was not known when the VAT fell due, and the provisional one is corrected.':
    'El importe no se conocía al devengarse el IVA y se corrige el provisional.',
  'VAT charged against the law (wrong rate, exempt, or not charged) is an error founded in law.':
    'Un IVA mal repercutido (tipo equivocado, operación exenta o IVA sin cargar) es un error fundado de derecho.',
  'A quantity or price typed wrong is a plain mistake: the price agreed never changed.':
    'Una cantidad o un precio mal escritos son un simple error: el precio acordado no cambió.',
  "The customer's data must stand on the invoice as they are.":
    'Los datos del cliente deben figurar en la factura tal como son.',
  'A description, a date or a legal mention is missing or wrong.':
    'Falta o está mal una descripción, una fecha o una mención legal.',
  'The customer was declared insolvent by a court and has not paid.':
    'El cliente fue declarado en concurso por un juez y no ha pagado.',
  'The invoice was claimed and is still unpaid after the term of the law.':
    'La factura se reclamó y sigue sin cobrar pasado el plazo legal.',
  'None of the causes with a kind of their own.': 'Ninguna de las causas con un tipo propio.',
  'What it rectifies is a ticket.': 'Lo que se rectifica es una factura simplificada.',
  // Fiscal summary.
  'An estimate to prepare by, until the return is filed.':
    'Es una estimación para preparar la declaración, hasta que se presenta.',
  'Purchases are not known, so deductible VAT is not included.':
    'No se conocen las compras, así que no incluye el IVA deducible.',
  'Purchases read from the accounting system count by the day of the document, with all their VAT as deductible; VAT books and forms count only what is entered here.':
    'Las compras leídas del programa de contabilidad cuentan por la fecha del documento, con todo su IVA como deducible; los libros de IVA y los modelos solo cuentan lo registrado aquí.',
  'The accounting system was not read over the whole period.':
    'El programa de contabilidad no se ha leído en todo el periodo.',
  'Under the simplified scheme Sello computes neither the VAT return nor the instalment (131).':
    'En el régimen simplificado Sello no calcula ni la declaración de IVA ni el pago fraccionado (131).',
  'Wages are known only as they are typed into form 111, so whether forms 111 and 190 are due is not known.':
    'Los salarios solo se conocen como se escriben en el modelo 111, así que no se sabe si hay que presentar los modelos 111 y 190.',
  'Only issued invoices count, in the month of their operation; drafts do not.':
    'Solo cuentan las facturas emitidas, en el mes de su operación; los borradores no.',
}

const byLength = Object.keys(SPANISH_SENTENCES).toSorted((a, b) => b.length - a.length)

/** Translates a text made of such sentences into Spanish; other text, such as an article of a law, stays unchanged. */
export function spanishSentences(text: string): string {
  let rest = text
  let told = ''
  while (rest !== '') {
    const known = byLength.find((sentence) => rest.startsWith(sentence))
    told += known === undefined ? rest[0] : SPANISH_SENTENCES[known]
    rest = rest.slice(known?.length ?? 1)
  }
  return told.replace(/(art\. [^)]*?) and (art\.)/g, '$1 y $2')
}
