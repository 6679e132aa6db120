/**
 * Layouts of the annual accounts of small businesses: which accounts each line contains. Source: Plan General de
 * Contabilidad de PYMES, part three (RD 1515/2007). Accounts are given by code prefix; the longest prefix wins.
 */

export interface ModelLine {
  /** Position in the layout; `A.B` is part of `A`. */
  key: string
  es: string
  en: string
  /** Code prefixes of the accounts in this line. */
  accounts?: string
  /** Sum of other lines, instead of the lines below it. */
  sumOf?: readonly string[]
}

export const PROFIT_AND_LOSS: readonly ModelLine[] = [
  { key: '1', es: 'Importe neto de la cifra de negocios', en: 'Net turnover', accounts: '70' },
  {
    key: '2',
    es: 'Variación de existencias de productos terminados y en curso',
    en: 'Change in finished products and work in progress',
    accounts: '71 6930 7930',
  },
  {
    key: '3',
    es: 'Trabajos realizados por la empresa para su activo',
    en: 'Own work capitalised',
    accounts: '73',
  },
  { key: '4', es: 'Aprovisionamientos', en: 'Purchases and supplies', accounts: '60 61 693 793' },
  { key: '5', es: 'Otros ingresos de explotación', en: 'Other operating income', accounts: '7 74 75' },
  { key: '6', es: 'Gastos de personal', en: 'Staff costs', accounts: '64' },
  {
    key: '7',
    es: 'Otros gastos de explotación',
    en: 'Other operating expenses',
    accounts: '6 62 631 634 636 639 65 694 695 794 7954',
  },
  { key: '8', es: 'Amortización del inmovilizado', en: 'Depreciation', accounts: '68' },
  {
    key: '9',
    es: 'Imputación de subvenciones de inmovilizado no financiero y otras',
    en: 'Grants for non-financial assets and others',
    accounts: '746',
  },
  { key: '10', es: 'Excesos de provisiones', en: 'Provisions no longer needed', accounts: '795' },
  {
    key: '11',
    es: 'Deterioro y resultado por enajenaciones del inmovilizado',
    en: 'Impairment and result of selling fixed assets',
    accounts: '670 671 672 690 691 692 770 771 772 790 791 792',
  },
  { key: '12', es: 'Otros resultados', en: 'Other results', accounts: '678 778' },
  {
    key: 'A',
    es: 'Resultado de explotación',
    en: 'Operating result',
    sumOf: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'],
  },
  { key: '13', es: 'Ingresos financieros', en: 'Financial income', accounts: '76' },
  { key: '14', es: 'Gastos financieros', en: 'Financial expenses', accounts: '66' },
  {
    key: '15',
    es: 'Variación de valor razonable en instrumentos financieros',
    en: 'Change in fair value of financial instruments',
    accounts: '663 763',
  },
  { key: '16', es: 'Diferencias de cambio', en: 'Exchange differences', accounts: '668 768' },
  {
    key: '17',
    es: 'Deterioro y resultado por enajenaciones de instrumentos financieros',
    en: 'Impairment and result of selling financial instruments',
    accounts: '666 667 673 675 696 697 698 699 766 773 775 796 797 798 799',
  },
  {
    key: 'B',
    es: 'Resultado financiero',
    en: 'Financial result',
    sumOf: ['13', '14', '15', '16', '17'],
  },
  { key: 'C', es: 'Resultado antes de impuestos', en: 'Result before tax', sumOf: ['A', 'B'] },
  { key: '18', es: 'Impuestos sobre beneficios', en: 'Tax on profits', accounts: '630 633 638' },
  { key: 'D', es: 'Resultado del ejercicio', en: 'Result of the year', sumOf: ['C', '18'] },
]

export const ASSETS: readonly ModelLine[] = [
  { key: 'A', es: 'Activo no corriente', en: 'Non-current assets' },
  { key: 'A.I', es: 'Inmovilizado intangible', en: 'Intangible assets', accounts: '20 280 290' },
  { key: 'A.II', es: 'Inmovilizado material', en: 'Tangible assets', accounts: '2 21 23 28 281 29 291' },
  { key: 'A.III', es: 'Inversiones inmobiliarias', en: 'Investment property', accounts: '22 282 292' },
  {
    key: 'A.IV',
    es: 'Inversiones en empresas del grupo y asociadas a largo plazo',
    en: 'Long-term investments in group companies',
    accounts: '24 293 294 295',
  },
  {
    key: 'A.V',
    es: 'Inversiones financieras a largo plazo',
    en: 'Long-term financial investments',
    accounts: '25 26 296 297 298',
  },
  { key: 'A.VI', es: 'Activos por impuesto diferido', en: 'Deferred tax assets', accounts: '474' },
  { key: 'B', es: 'Activo corriente', en: 'Current assets' },
  { key: 'B.I', es: 'Existencias', en: 'Stock', accounts: '3 407' },
  {
    key: 'B.II',
    es: 'Deudores comerciales y otras cuentas a cobrar',
    en: 'Trade and other receivables',
  },
  {
    key: 'B.II.1',
    es: 'Clientes por ventas y prestaciones de servicios',
    en: 'Customers',
    accounts: '43 437 49 490 493',
  },
  {
    key: 'B.II.2',
    es: 'Socios por desembolsos exigidos',
    en: 'Members, called capital',
    accounts: '558',
  },
  { key: 'B.II.3', es: 'Otros deudores', en: 'Other debtors', accounts: '4 44 46 460 470 471 472 473' },
  {
    key: 'B.III',
    es: 'Inversiones en empresas del grupo y asociadas a corto plazo',
    en: 'Short-term investments in group companies',
    accounts: '53 593 594 595',
  },
  {
    key: 'B.IV',
    es: 'Inversiones financieras a corto plazo',
    en: 'Short-term financial investments',
    accounts: '54 565 566 58 59 596 597 598',
  },
  { key: 'B.V', es: 'Periodificaciones a corto plazo', en: 'Prepayments', accounts: '480 567' },
  {
    key: 'B.VI',
    es: 'Efectivo y otros activos líquidos equivalentes',
    en: 'Cash and banks',
    accounts: '57',
  },
]

export const EQUITY_AND_LIABILITIES: readonly ModelLine[] = [
  { key: 'A', es: 'Patrimonio neto', en: 'Equity' },
  { key: 'A.1', es: 'Fondos propios', en: "Owners' funds" },
  { key: 'A.1.I', es: 'Capital', en: 'Capital', accounts: '10 103 104' },
  { key: 'A.1.II', es: 'Prima de emisión', en: 'Share premium', accounts: '110' },
  { key: 'A.1.III', es: 'Reservas', en: 'Reserves', accounts: '11 119' },
  { key: 'A.1.IV', es: 'Acciones y participaciones propias', en: 'Own shares', accounts: '108 109' },
  {
    key: 'A.1.V',
    es: 'Resultados de ejercicios anteriores',
    en: 'Results of earlier years',
    accounts: '12 129',
  },
  {
    key: 'A.1.VI',
    es: 'Otras aportaciones de socios y cuenta del titular',
    en: "Other contributions and owner's account",
    accounts: '118 550',
  },
  { key: 'A.1.VII', es: 'Resultado del ejercicio', en: 'Result of the year' },
  { key: 'A.1.VIII', es: 'Dividendo a cuenta', en: 'Interim dividend', accounts: '557' },
  {
    key: 'A.2',
    es: 'Subvenciones, donaciones y legados recibidos',
    en: 'Grants and donations received',
    accounts: '13',
  },
  { key: 'B', es: 'Pasivo no corriente', en: 'Non-current liabilities' },
  { key: 'B.I', es: 'Provisiones a largo plazo', en: 'Long-term provisions', accounts: '14' },
  { key: 'B.II', es: 'Deudas a largo plazo', en: 'Long-term debts' },
  { key: 'B.II.1', es: 'Deudas con entidades de crédito', en: 'Bank debts', accounts: '170' },
  {
    key: 'B.II.2',
    es: 'Acreedores por arrendamiento financiero',
    en: 'Finance leases',
    accounts: '174',
  },
  { key: 'B.II.3', es: 'Otras deudas a largo plazo', en: 'Other long-term debts', accounts: '1 15 17 18' },
  {
    key: 'B.III',
    es: 'Deudas con empresas del grupo y asociadas a largo plazo',
    en: 'Long-term debts with group companies',
    accounts: '16',
  },
  { key: 'B.IV', es: 'Pasivos por impuesto diferido', en: 'Deferred tax liabilities', accounts: '479' },
  { key: 'B.V', es: 'Periodificaciones a largo plazo', en: 'Long-term deferred income', accounts: '181' },
  { key: 'C', es: 'Pasivo corriente', en: 'Current liabilities' },
  { key: 'C.I', es: 'Provisiones a corto plazo', en: 'Short-term provisions', accounts: '499 529' },
  { key: 'C.II', es: 'Deudas a corto plazo', en: 'Short-term debts' },
  { key: 'C.II.1', es: 'Deudas con entidades de crédito', en: 'Bank debts', accounts: '520 527' },
  {
    key: 'C.II.2',
    es: 'Acreedores por arrendamiento financiero',
    en: 'Finance leases',
    accounts: '524',
  },
  {
    key: 'C.II.3',
    es: 'Otras deudas a corto plazo',
    en: 'Other short-term debts',
    accounts: '19 5 50 52 55 56',
  },
  {
    key: 'C.III',
    es: 'Deudas con empresas del grupo y asociadas a corto plazo',
    en: 'Short-term debts with group companies',
    accounts: '51',
  },
  {
    key: 'C.IV',
    es: 'Acreedores comerciales y otras cuentas a pagar',
    en: 'Trade and other payables',
  },
  { key: 'C.IV.1', es: 'Proveedores', en: 'Suppliers', accounts: '40' },
  {
    key: 'C.IV.2',
    es: 'Otros acreedores',
    en: 'Other creditors',
    accounts: '41 438 465 466 475 476 477',
  },
  { key: 'C.V', es: 'Periodificaciones a corto plazo', en: 'Deferred income', accounts: '485 568' },
]

/**
 * Accounts that are an asset or a liability depending on their balance: with members, joint ventures, and unallocated
 * amounts.
 */
export const TWO_SIDED: readonly string[] = ['551', '552', '553', '554', '555', '556']
/** Line of such an account with a debit balance. */
export const TWO_SIDED_ASSET = 'B.IV'
/** Line of the year's result. */
export const RESULT_LINE = 'A.1.VII'
/** Line of results of earlier years that were not closed. */
export const EARLIER_LINE = 'A.1.V'
