/**
 * Patterns of recurring movements of the bank, the tax agency and the social security: their wording and ledger
 * account. Accounts: Plan General Contable (RD 1514/2007), parts four and five.
 */
import type { ReadText } from './text.ts'
import type { MovementFacts } from './types.ts'

interface Pattern {
  code: string
  /** In Spanish, as the books name it. */
  label: string
  ledgerAccount: string
  points: number
  params: Record<string, string | number>
}

interface Rule {
  code: string
  label: string
  direction: 'in' | 'out' | 'both'
  /** Matched against the folded text. */
  words: RegExp
  /** Concept codes of Norma 43 that raise the score. */
  concepts?: readonly string[]
  account: (kind: 'natural' | 'legal') => string
  points: number
}

const same = (account: string) => () => account

const RULES: readonly Rule[] = [
  {
    code: 'loan',
    label: 'Cuota de préstamo',
    direction: 'out',
    words: /\b(prestamo|cuota prest\w*|amortizacion prest\w*|leasing|renting fin\w*)\b/,
    concepts: ['05'],
    account: same('5200'),
    points: 45,
  },
  {
    code: 'interest_paid',
    label: 'Intereses de deudas',
    direction: 'out',
    words:
      /\b(intereses|liquidacion (de )?(intereses|poliza|cuenta de credito)|int\. deudores|descubierto)\b/,
    concepts: ['17'],
    account: same('662'),
    points: 62,
  },
  {
    code: 'interest_received',
    label: 'Intereses a favor',
    direction: 'in',
    words: /\b(intereses|abono de intereses|remuneracion cuenta|liquidacion (de )?intereses)\b/,
    concepts: ['17'],
    account: same('769'),
    points: 62,
  },
  {
    code: 'bank_fee',
    label: 'Comisiones y servicios bancarios',
    direction: 'out',
    words:
      /\b(comision(es)?|comis|com\.? ?(mant|admin|transf|serv|tpv)\w*|mantenimiento (de )?cuenta|cuota (anual )?tarjeta|gastos (de )?(correo|administracion|devolucion)|servicio tpv|cuota tpv|correo y gastos|tarifa plana|cuota (de )?(servicio|mantenimiento))\b/,
    concepts: ['17'],
    account: same('626'),
    points: 68,
  },
  {
    code: 'social_security_refund',
    label: 'Devolución de la Seguridad Social',
    direction: 'in',
    words: /\b(tgss|tesoreria general|seguridad social|seg\.? ?social)\b/,
    account: same('471'),
    points: 65,
  },
  {
    code: 'social_security',
    label: 'Seguridad Social',
    direction: 'out',
    words:
      /\b(tgss|t\.g\.s\.s|tesoreria general|seguridad social|seg\.? ?social|seguros? sociales|cotizacion(es)?|cuota autonomos?|reg\.? ?(esp\.? ?)?autonomos?|reta|recibo autonomos?)\b/,
    concepts: ['15', '03'],
    // A self-employed person's own contribution is an expense on the day of payment; a company has owed it since the
    // payroll.
    account: (kind) => (kind === 'natural' ? '642' : '476'),
    points: 68,
  },
  {
    code: 'payroll',
    label: 'Nóminas',
    direction: 'out',
    words: /\b(nominas?|salarios?|paga extra|finiquito)\b/,
    concepts: ['15'],
    account: same('465'),
    points: 66,
  },
  {
    code: 'cash_out',
    label: 'Efectivo sacado a la caja',
    direction: 'out',
    words: /\b(reintegro|cajero|disp(osicion)?\.? (de )?efectivo|retirada (de )?efectivo)\b/,
    concepts: ['11', '01'],
    account: same('570'),
    points: 60,
  },
  {
    code: 'cash_in',
    label: 'Efectivo ingresado de la caja',
    direction: 'in',
    words: /\b(ingreso (en )?(efectivo|cajero)|ingreso en oficina|entrega (en )?efectivo)\b/,
    concepts: ['02', '11'],
    account: same('570'),
    points: 60,
  },
  {
    code: 'insurance',
    label: 'Primas de seguros',
    direction: 'out',
    words:
      /\b(seguro|seguros|poliza|mapfre|axa|allianz|generali|zurich|mutua madrilena|catalana occidente)\b/,
    account: same('625'),
    points: 48,
  },
  {
    code: 'municipal_tax',
    label: 'Tributos',
    direction: 'out',
    words:
      /\b(ibi|iae|ayuntamiento|ayto|diputacion|impuesto (sobre )?vehiculos|ivtm|tasa (de )?(basuras?|residuos)|tributos (locales|municipales))\b/,
    account: same('631'),
    points: 55,
  },
]

/**
 * Tax forms and the account their payment cancels. Source: models of the Agencia Tributaria; PGC accounts 473, 4700, 4709,
 * 4750, 4751 and 4752.
 */
const TAX_FORMS: Readonly<Record<string, { pays: string; returns: string; name: string }>> = {
  '303': { pays: '4750', returns: '4700', name: 'IVA' },
  '309': { pays: '4750', returns: '4700', name: 'IVA' },
  '349': { pays: '4750', returns: '4700', name: 'IVA' },
  '369': { pays: '4750', returns: '4700', name: 'IVA, ventanilla única' },
  '390': { pays: '4750', returns: '4700', name: 'IVA' },
  '111': { pays: '4751', returns: '4751', name: 'retenciones de trabajo y profesionales' },
  '115': { pays: '4751', returns: '4751', name: 'retenciones de alquileres' },
  '123': { pays: '4751', returns: '4751', name: 'retenciones de capital' },
  '216': { pays: '4751', returns: '4751', name: 'retenciones de no residentes' },
  '130': { pays: '473', returns: '4709', name: 'pago fraccionado de IRPF' },
  '131': { pays: '473', returns: '4709', name: 'pago fraccionado de IRPF' },
  '200': { pays: '4752', returns: '4709', name: 'impuesto sobre sociedades' },
  '202': { pays: '473', returns: '4709', name: 'pago a cuenta de sociedades' },
  '100': { pays: '550', returns: '550', name: 'renta de la persona' },
}

const TAX_AGENCY =
  /\b(aeat|a\.e\.a\.t|agencia (estatal )?(de )?(la )?(administracion )?tributaria|ag\.? ?tributaria|hacienda|impuestos?|tributos?|trib\.|nrc)\b/
/**
 * A payment reference (NRC) of 22 characters starts with the 13 of the form's receipt number, which start with the
 * form's model.
 */
const NRC = /\bnrc[\s:.]*(\d{3})[0-9a-z]{19}\b/
const FORM = /\b(?:mod(?:elo)?\.?|impuesto|form\.?)\s*(\d{3})\b/

/** Returns the pattern of a payment to or from the tax agency, by form where the text names one. */
function taxPattern(movement: MovementFacts, text: ReadText): Pattern | null {
  const nrc = NRC.exec(text.folded)?.[1]
  const written = FORM.exec(text.folded)?.[1]
  const near = TAX_AGENCY.test(text.folded)
  if (!near && !nrc && !(written && TAX_FORMS[written])) return null
  const loose = near ? text.list.find((word) => TAX_FORMS[word] !== undefined) : undefined
  const form = [nrc, written, loose].find((code) => code !== undefined && TAX_FORMS[code] !== undefined)
  const known = form === undefined ? undefined : TAX_FORMS[form]
  const out = movement.amountCents < 0
  if (form === undefined || !known) {
    if (/\bimpuestos?\b/.test(text.folded) && !/\b(aeat|tributaria|hacienda|nrc)\b/.test(text.folded))
      return null
    return out
      ? {
          code: 'tax_agency',
          label: 'Pago a la Agencia Tributaria',
          ledgerAccount: '4750',
          points: 40,
          params: {},
        }
      : { code: 'tax_refund', label: 'Devolución de Hacienda', ledgerAccount: '4709', points: 60, params: {} }
  }
  return {
    code: nrc === form ? 'tax_nrc' : out ? 'tax_form' : 'tax_refund_form',
    label: `Modelo ${form}, ${known.name}`,
    ledgerAccount: out ? known.pays : known.returns,
    points: nrc === form || written === form ? 84 : 74,
    params: { form, name: known.name },
  }
}

/** Returns the patterns that the wording of a movement matches, strongest first; at most two. */
export function patternsOf(movement: MovementFacts, text: ReadText, kind: 'natural' | 'legal'): Pattern[] {
  const found: Pattern[] = []
  const tax = taxPattern(movement, text)
  if (tax) found.push(tax)
  const direction = movement.amountCents < 0 ? 'out' : 'in'
  for (const rule of RULES) {
    if (rule.direction !== 'both' && rule.direction !== direction) continue
    const match = rule.words.exec(text.folded)
    if (!match) continue
    const agrees = movement.concept !== null && rule.concepts?.includes(movement.concept)
    found.push({
      code: rule.code,
      label: rule.label,
      ledgerAccount: rule.account(kind),
      points: rule.points + (agrees ? 12 : 0),
      params: { words: match[0] },
    })
  }
  return found.toSorted((a, b) => b.points - a.points).slice(0, 2)
}
