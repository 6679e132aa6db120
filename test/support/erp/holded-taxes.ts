/** The taxes of the mock Holded account, and those of a line. */
import type { Line } from './book.ts'

const RATES: readonly [key: string, name: string, amount: string, group: string][] = [
  ['s_iva_21', 'IVA 21%', '21', 'iva'],
  ['s_iva_10', 'IVA 10%', '10', 'iva'],
  ['s_iva_4', 'IVA 4%', '4', 'iva'],
  ['s_iva_0', 'IVA 0%', '0', 'iva'],
  ['s_ret_15', 'Retención IRPF 15%', '15', 'ret'],
  ['s_req_52', 'Recargo equivalencia 5,2%', '5.2', 'req'],
  ['s_req_14', 'Recargo equivalencia 1,4%', '1.4', 'req'],
  ['s_req_05', 'Recargo equivalencia 0,5%', '0.5', 'req'],
  ['p_iva_21', 'IVA 21% (compras)', '21', 'iva'],
  ['p_iva_10', 'IVA 10% (compras)', '10', 'iva'],
  ['p_iva_4', 'IVA 4% (compras)', '4', 'iva'],
  ['p_iva_0', 'IVA 0% (compras)', '0', 'iva'],
  ['p_ret_19', 'Retención alquiler 19%', '19', 'ret'],
  ['p_iva_isp', 'Inversión del sujeto pasivo', '0', 'iva'],
]

const taxId = (at: number): string => `64b${(at + 1).toString(16).padStart(21, '0')}`

export const TAXES_V2 = RATES.map(([key, name, amount], at) => ({
  id: taxId(at),
  key,
  name,
  amount,
  status: true,
}))

export const TAXES_V1 = RATES.map(([key, name, amount, group]) => ({
  name,
  amount,
  scope: key.startsWith('s_') ? 'sales' : 'purchases',
  key,
  group,
  type: 'percentage',
}))

/** Every fifth document of v2 names its taxes by identifier instead of by key. */
export function taxesOf(line: Line, side: 'issued' | 'received', byId = false): string[] {
  const letter = side === 'issued' ? 's' : 'p'
  const keys = [line.reverseCharge ? 'p_iva_isp' : `${letter}_iva_${line.vatPct}`]
  if (line.surcharge) keys.push({ 21: 's_req_52', 10: 's_req_14', 4: 's_req_05', 0: '' }[line.vatPct])
  if (line.withholdingPct > 0) keys.push(`${letter}_ret_${line.withholdingPct}`)
  const known = keys.filter((key) => key !== '')
  return byId ? known.map((key) => TAXES_V2.find((tax) => tax.key === key)?.id ?? key) : known
}
