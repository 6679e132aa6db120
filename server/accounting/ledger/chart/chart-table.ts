/**
 * Chart of accounts of the Plan General de Contabilidad de PYMES (RD 1515/2007, part four), limited to what small
 * businesses use: code, Spanish name, English name. A book stores only the accounts it uses; the others are here for
 * selection.
 */

/** One account per line: `code|Spanish|English`. Two-digit groups are headings and take no entries. */
const TABLE = `
10|Capital|Capital
100|Capital social|Share capital
101|Fondo social|Social fund
102|Capital|Owner's capital
103|Socios por desembolsos no exigidos|Members, uncalled capital
104|Socios por aportaciones no dinerarias pendientes|Members, contributions in kind pending
108|Acciones o participaciones propias en situaciones especiales|Own shares in special situations
11|Reservas y otros instrumentos de patrimonio|Reserves and other equity
110|Prima de emisión o asunción|Share premium
112|Reserva legal|Legal reserve
113|Reservas voluntarias|Voluntary reserves
114|Reservas especiales|Special reserves
115|Reservas por pérdidas y ganancias actuariales|Reserves for actuarial gains and losses
118|Aportaciones de socios o propietarios|Contributions of members or owners
119|Diferencias por ajuste del capital a euros|Differences of turning capital into euros
12|Resultados pendientes de aplicación|Results not yet distributed
120|Remanente|Profit carried forward
121|Resultados negativos de ejercicios anteriores|Losses of earlier years
129|Resultado del ejercicio|Result of the year
13|Subvenciones, donaciones y ajustes por cambios de valor|Grants and donations
130|Subvenciones oficiales de capital|Official capital grants
131|Donaciones y legados de capital|Capital donations
132|Otras subvenciones, donaciones y legados|Other grants and donations
14|Provisiones|Provisions
141|Provisión para impuestos|Provision for taxes
142|Provisión para otras responsabilidades|Provision for other liabilities
143|Provisión por desmantelamiento, retiro o rehabilitación|Provision for dismantling
15|Deudas a largo plazo con características especiales|Long-term debts of special nature
150|Acciones o participaciones a largo plazo contabilizadas como pasivo|Long-term shares counted as liabilities
16|Deudas a largo plazo con partes vinculadas|Long-term debts with related parties
160|Deudas a largo plazo con entidades de crédito vinculadas|Long-term debts with related banks
161|Proveedores de inmovilizado a largo plazo, partes vinculadas|Long-term asset suppliers, related parties
162|Acreedores por arrendamiento financiero a largo plazo, partes vinculadas|Long-term leases, related parties
163|Otras deudas a largo plazo con partes vinculadas|Other long-term debts with related parties
17|Deudas a largo plazo|Long-term debts
170|Deudas a largo plazo con entidades de crédito|Long-term bank loans
171|Deudas a largo plazo|Long-term debts
172|Deudas a largo plazo transformables en subvenciones|Long-term debts convertible into grants
173|Proveedores de inmovilizado a largo plazo|Long-term suppliers of fixed assets
174|Acreedores por arrendamiento financiero a largo plazo|Long-term finance leases
175|Efectos a pagar a largo plazo|Long-term bills payable
177|Obligaciones y bonos|Bonds
179|Obligaciones y bonos convertibles|Convertible bonds
18|Fianzas y garantías a largo plazo|Long-term deposits received
180|Fianzas recibidas a largo plazo|Long-term deposits received
181|Anticipos recibidos por ventas o prestaciones a largo plazo|Long-term advances for sales
185|Depósitos recibidos a largo plazo|Long-term deposits taken
19|Situaciones transitorias de financiación|Financing in transition
190|Acciones o participaciones emitidas|Shares issued
192|Suscriptores de acciones|Share subscribers
194|Capital emitido pendiente de inscripción|Capital issued, not yet registered
20|Inmovilizaciones intangibles|Intangible assets
200|Investigación|Research
201|Desarrollo|Development
202|Concesiones administrativas|Administrative concessions
203|Propiedad industrial|Industrial property
204|Fondo de comercio|Goodwill
205|Derechos de traspaso|Leasehold transfer rights
206|Aplicaciones informáticas|Software
209|Anticipos para inmovilizaciones intangibles|Advances for intangible assets
21|Inmovilizaciones materiales|Tangible assets
210|Terrenos y bienes naturales|Land
211|Construcciones|Buildings
212|Instalaciones técnicas|Technical installations
213|Maquinaria|Machinery
214|Utillaje|Tools
215|Otras instalaciones|Other installations
216|Mobiliario|Furniture
217|Equipos para procesos de información|Computer equipment
218|Elementos de transporte|Vehicles
219|Otro inmovilizado material|Other tangible assets
22|Inversiones inmobiliarias|Investment property
220|Inversiones en terrenos y bienes naturales|Investment in land
221|Inversiones en construcciones|Investment in buildings
23|Inmovilizaciones materiales en curso|Assets under construction
230|Adaptación de terrenos y bienes naturales|Land being prepared
231|Construcciones en curso|Buildings under construction
232|Instalaciones técnicas en montaje|Installations being mounted
233|Maquinaria en montaje|Machinery being mounted
237|Equipos para procesos de información en montaje|Computer equipment being set up
239|Anticipos para inmovilizaciones materiales|Advances for tangible assets
24|Inversiones financieras a largo plazo en partes vinculadas|Long-term investments in related parties
240|Participaciones a largo plazo en partes vinculadas|Long-term holdings in related parties
241|Valores representativos de deuda a largo plazo de partes vinculadas|Long-term debt securities of related parties
242|Créditos a largo plazo a partes vinculadas|Long-term loans to related parties
249|Desembolsos pendientes sobre participaciones a largo plazo en partes vinculadas|Uncalled payments on holdings in related parties
25|Otras inversiones financieras a largo plazo|Other long-term financial investments
250|Inversiones financieras a largo plazo en instrumentos de patrimonio|Long-term equity investments
251|Valores representativos de deuda a largo plazo|Long-term debt securities
252|Créditos a largo plazo|Long-term loans
253|Créditos a largo plazo por enajenación de inmovilizado|Long-term claims for assets sold
254|Créditos a largo plazo al personal|Long-term loans to staff
258|Imposiciones a largo plazo|Long-term bank deposits
259|Desembolsos pendientes sobre participaciones a largo plazo|Uncalled payments on long-term holdings
26|Fianzas y depósitos constituidos a largo plazo|Long-term deposits made
260|Fianzas constituidas a largo plazo|Long-term guarantees given
265|Depósitos constituidos a largo plazo|Long-term deposits made
28|Amortización acumulada del inmovilizado|Accumulated depreciation
280|Amortización acumulada del inmovilizado intangible|Accumulated amortisation of intangible assets
281|Amortización acumulada del inmovilizado material|Accumulated depreciation of tangible assets
282|Amortización acumulada de las inversiones inmobiliarias|Accumulated depreciation of investment property
29|Deterioro de valor de activos no corrientes|Impairment of non-current assets
290|Deterioro de valor del inmovilizado intangible|Impairment of intangible assets
291|Deterioro de valor del inmovilizado material|Impairment of tangible assets
292|Deterioro de valor de las inversiones inmobiliarias|Impairment of investment property
293|Deterioro de valor de participaciones a largo plazo|Impairment of long-term holdings
298|Deterioro de valor de créditos a largo plazo|Impairment of long-term loans
30|Comerciales|Goods for resale
300|Mercaderías|Goods for resale
31|Materias primas|Raw materials
310|Materias primas|Raw materials
32|Otros aprovisionamientos|Other supplies
320|Elementos y conjuntos incorporables|Components
321|Combustibles|Fuels
322|Repuestos|Spare parts
325|Materiales diversos|Sundry materials
326|Embalajes|Packing
327|Envases|Containers
328|Material de oficina|Office supplies
33|Productos en curso|Work in progress
330|Productos en curso|Work in progress
34|Productos semiterminados|Semi-finished products
340|Productos semiterminados|Semi-finished products
35|Productos terminados|Finished products
350|Productos terminados|Finished products
36|Subproductos, residuos y materiales recuperados|By-products and recovered materials
360|Subproductos|By-products
39|Deterioro de valor de las existencias|Impairment of stock
390|Deterioro de valor de las mercaderías|Impairment of goods for resale
391|Deterioro de valor de las materias primas|Impairment of raw materials
40|Proveedores|Suppliers
400|Proveedores|Suppliers
401|Proveedores, efectos comerciales a pagar|Suppliers, bills payable
403|Proveedores, empresas del grupo|Suppliers, group companies
404|Proveedores, empresas asociadas|Suppliers, associated companies
405|Proveedores, otras partes vinculadas|Suppliers, other related parties
406|Envases y embalajes a devolver a proveedores|Containers to return to suppliers
407|Anticipos a proveedores|Advances to suppliers
41|Acreedores varios|Other creditors
410|Acreedores por prestaciones de servicios|Creditors for services
411|Acreedores, efectos comerciales a pagar|Creditors, bills payable
419|Acreedores por operaciones en común|Creditors of joint operations
43|Clientes|Customers
430|Clientes|Customers
431|Clientes, efectos comerciales a cobrar|Customers, bills receivable
432|Clientes, operaciones de factoring|Customers, factoring
433|Clientes, empresas del grupo|Customers, group companies
434|Clientes, empresas asociadas|Customers, associated companies
435|Clientes, otras partes vinculadas|Customers, other related parties
436|Clientes de dudoso cobro|Doubtful customers
437|Envases y embalajes a devolver por clientes|Containers to be returned by customers
438|Anticipos de clientes|Advances from customers
44|Deudores varios|Other debtors
440|Deudores|Debtors
441|Deudores, efectos comerciales a cobrar|Debtors, bills receivable
446|Deudores de dudoso cobro|Doubtful debtors
449|Deudores por operaciones en común|Debtors of joint operations
46|Personal|Staff
460|Anticipos de remuneraciones|Advances on wages
465|Remuneraciones pendientes de pago|Wages to pay
466|Remuneraciones mediante sistemas de aportación definida pendientes de pago|Pension contributions to pay
47|Administraciones públicas|Public authorities
470|Hacienda Pública, deudora por diversos conceptos|Tax authority, claims
4700|Hacienda Pública, deudora por IVA|VAT to be refunded
4708|Hacienda Pública, deudora por subvenciones concedidas|Grants to receive
4709|Hacienda Pública, deudora por devolución de impuestos|Taxes to be refunded
471|Organismos de la Seguridad Social, deudores|Social security, claims
472|Hacienda Pública, IVA soportado|Input VAT
4728|Hacienda Pública, IVA soportado pendiente de pago (criterio de caja)|Input VAT not yet paid (cash accounting)
473|Hacienda Pública, retenciones y pagos a cuenta|Withheld from us and paid on account
474|Activos por impuesto diferido|Deferred tax assets
475|Hacienda Pública, acreedora por conceptos fiscales|Tax authority, debts
4750|Hacienda Pública, acreedora por IVA|VAT to pay
4751|Hacienda Pública, acreedora por retenciones practicadas|Withholdings to pay over
4752|Hacienda Pública, acreedora por impuesto sobre sociedades|Corporation tax to pay
4758|Hacienda Pública, acreedora por subvenciones a reintegrar|Grants to pay back
476|Organismos de la Seguridad Social, acreedores|Social security to pay
477|Hacienda Pública, IVA repercutido|Output VAT
4777|IVA repercutido de otros Estados miembros (ventanilla única)|Output VAT of other member states (one-stop shop)
4778|Hacienda Pública, IVA repercutido pendiente de cobro (criterio de caja)|Output VAT not yet collected (cash accounting)
479|Pasivos por diferencias temporarias imponibles|Deferred tax liabilities
48|Ajustes por periodificación|Accruals
480|Gastos anticipados|Prepaid expenses
485|Ingresos anticipados|Income received in advance
49|Deterioro de valor de créditos comerciales|Impairment of trade receivables
490|Deterioro de valor de créditos por operaciones comerciales|Impairment of trade receivables
493|Deterioro de valor de créditos comerciales con partes vinculadas|Impairment of claims on related parties
499|Provisiones por operaciones comerciales|Provisions for trade operations
50|Empréstitos y deudas de características especiales a corto plazo|Short-term bonds and special debts
500|Obligaciones y bonos a corto plazo|Short-term bonds
51|Deudas a corto plazo con partes vinculadas|Short-term debts with related parties
510|Deudas a corto plazo con entidades de crédito vinculadas|Short-term debts with related banks
511|Proveedores de inmovilizado a corto plazo, partes vinculadas|Short-term asset suppliers, related parties
513|Otras deudas a corto plazo con partes vinculadas|Other short-term debts with related parties
52|Deudas a corto plazo por préstamos recibidos y otros conceptos|Short-term loans and other debts
520|Deudas a corto plazo con entidades de crédito|Short-term bank debts
5200|Préstamos a corto plazo de entidades de crédito|Short-term bank loans
5201|Deudas a corto plazo por crédito dispuesto|Credit lines drawn
5208|Deudas por efectos descontados|Bills discounted
521|Deudas a corto plazo|Short-term debts
523|Proveedores de inmovilizado a corto plazo|Short-term suppliers of fixed assets
524|Acreedores por arrendamiento financiero a corto plazo|Short-term finance leases
525|Efectos a pagar a corto plazo|Short-term bills payable
526|Dividendo activo a pagar|Dividend to pay
527|Intereses a corto plazo de deudas con entidades de crédito|Interest to pay on bank debts
528|Intereses a corto plazo de deudas|Interest to pay on debts
529|Provisiones a corto plazo|Short-term provisions
53|Inversiones financieras a corto plazo en partes vinculadas|Short-term investments in related parties
530|Participaciones a corto plazo en partes vinculadas|Short-term holdings in related parties
532|Créditos a corto plazo a partes vinculadas|Short-term loans to related parties
54|Otras inversiones financieras a corto plazo|Other short-term investments
540|Inversiones financieras a corto plazo en instrumentos de patrimonio|Short-term equity investments
541|Valores representativos de deuda a corto plazo|Short-term debt securities
542|Créditos a corto plazo|Short-term loans
543|Créditos a corto plazo por enajenación de inmovilizado|Short-term claims for assets sold
544|Créditos a corto plazo al personal|Short-term loans to staff
546|Intereses a corto plazo de valores de deuda|Interest to receive on securities
547|Intereses a corto plazo de créditos|Interest to receive on loans
548|Imposiciones a corto plazo|Short-term bank deposits
55|Otras cuentas no bancarias|Other accounts, not of banks
550|Titular de la explotación|Owner's private account
551|Cuenta corriente con socios y administradores|Current account with members and directors
552|Cuenta corriente con otras personas y entidades vinculadas|Current account with other related parties
553|Cuentas corrientes en fusiones y escisiones|Current accounts in mergers
554|Cuenta corriente con uniones temporales de empresas|Current account with joint ventures
555|Partidas pendientes de aplicación|Items awaiting allocation
556|Desembolsos exigidos sobre participaciones|Called payments on holdings
557|Dividendo activo a cuenta|Interim dividend
558|Socios por desembolsos exigidos|Members, called capital
56|Fianzas y depósitos a corto plazo y ajustes por periodificación|Short-term deposits and accruals
560|Fianzas recibidas a corto plazo|Short-term guarantees received
561|Depósitos recibidos a corto plazo|Short-term deposits taken
565|Fianzas constituidas a corto plazo|Short-term guarantees given
566|Depósitos constituidos a corto plazo|Short-term deposits made
567|Intereses pagados por anticipado|Interest paid in advance
568|Intereses cobrados por anticipado|Interest received in advance
57|Tesorería|Cash and banks
570|Caja, euros|Cash, euros
571|Caja, moneda extranjera|Cash, foreign currency
572|Bancos e instituciones de crédito, euros|Banks, euros
573|Bancos e instituciones de crédito, moneda extranjera|Banks, foreign currency
574|Bancos, cuentas de ahorro, euros|Savings accounts, euros
576|Inversiones a corto plazo de gran liquidez|Cash equivalents
58|Activos no corrientes mantenidos para la venta|Non-current assets held for sale
580|Inmovilizado|Fixed assets held for sale
59|Deterioro de valor de inversiones financieras a corto plazo|Impairment of short-term investments
593|Deterioro de valor de participaciones a corto plazo|Impairment of short-term holdings
598|Deterioro de valor de créditos a corto plazo|Impairment of short-term loans
60|Compras|Purchases
600|Compras de mercaderías|Purchases of goods for resale
601|Compras de materias primas|Purchases of raw materials
602|Compras de otros aprovisionamientos|Purchases of other supplies
606|Descuentos sobre compras por pronto pago|Discounts for prompt payment on purchases
607|Trabajos realizados por otras empresas|Work done by other companies
608|Devoluciones de compras y operaciones similares|Returns of purchases
609|Rappels por compras|Volume discounts on purchases
61|Variación de existencias|Changes in stock
610|Variación de existencias de mercaderías|Change in goods for resale
611|Variación de existencias de materias primas|Change in raw materials
612|Variación de existencias de otros aprovisionamientos|Change in other supplies
62|Servicios exteriores|External services
620|Gastos en investigación y desarrollo del ejercicio|Research and development of the year
621|Arrendamientos y cánones|Rent and royalties
622|Reparaciones y conservación|Repairs and maintenance
623|Servicios de profesionales independientes|Independent professionals
624|Transportes|Transport
625|Primas de seguros|Insurance
626|Servicios bancarios y similares|Bank services
627|Publicidad, propaganda y relaciones públicas|Advertising and public relations
628|Suministros|Utilities
629|Otros servicios|Other services
63|Tributos|Taxes
630|Impuesto sobre beneficios|Tax on profits
6300|Impuesto corriente|Current tax
6301|Impuesto diferido|Deferred tax
631|Otros tributos|Other taxes
633|Ajustes negativos en la imposición sobre beneficios|Negative adjustments of tax on profits
634|Ajustes negativos en la imposición indirecta|Negative adjustments of indirect taxes
6341|Ajustes negativos en IVA de activo corriente|Negative adjustments of VAT on current assets
6342|Ajustes negativos en IVA de inversiones|Negative adjustments of VAT on investments
636|Devolución de impuestos|Tax refunds
638|Ajustes positivos en la imposición sobre beneficios|Positive adjustments of tax on profits
639|Ajustes positivos en la imposición indirecta|Positive adjustments of indirect taxes
6391|Ajustes positivos en IVA de activo corriente|Positive adjustments of VAT on current assets
6392|Ajustes positivos en IVA de inversiones|Positive adjustments of VAT on investments
64|Gastos de personal|Staff costs
640|Sueldos y salarios|Wages and salaries
641|Indemnizaciones|Severance pay
642|Seguridad Social a cargo de la empresa|Social security paid by the company
643|Retribuciones a largo plazo mediante sistemas de aportación definida|Pension contributions
649|Otros gastos sociales|Other staff costs
65|Otros gastos de gestión|Other operating expenses
650|Pérdidas de créditos comerciales incobrables|Losses of bad debts
651|Resultados de operaciones en común|Results of joint operations
659|Otras pérdidas en gestión corriente|Other operating losses
66|Gastos financieros|Financial expenses
660|Gastos financieros por actualización de provisiones|Unwinding of provisions
661|Intereses de obligaciones y bonos|Interest on bonds
662|Intereses de deudas|Interest on debts
663|Pérdidas por valoración de instrumentos financieros|Losses on valuing financial instruments
664|Gastos por dividendos de acciones contabilizadas como pasivos|Dividends of shares counted as liabilities
665|Intereses por descuento de efectos y operaciones de factoring|Interest on discounting and factoring
666|Pérdidas en participaciones y valores de deuda|Losses on holdings and securities
667|Pérdidas de créditos no comerciales|Losses of non-trade claims
668|Diferencias negativas de cambio|Exchange losses
669|Otros gastos financieros|Other financial expenses
67|Pérdidas procedentes de activos no corrientes y gastos excepcionales|Losses on non-current assets and exceptional expenses
670|Pérdidas procedentes del inmovilizado intangible|Losses on intangible assets
671|Pérdidas procedentes del inmovilizado material|Losses on tangible assets
672|Pérdidas procedentes de las inversiones inmobiliarias|Losses on investment property
673|Pérdidas procedentes de participaciones a largo plazo|Losses on long-term holdings
678|Gastos excepcionales|Exceptional expenses
68|Dotaciones para amortizaciones|Depreciation
680|Amortización del inmovilizado intangible|Amortisation of intangible assets
681|Amortización del inmovilizado material|Depreciation of tangible assets
682|Amortización de las inversiones inmobiliarias|Depreciation of investment property
69|Pérdidas por deterioro y otras dotaciones|Impairment losses
690|Pérdidas por deterioro del inmovilizado intangible|Impairment of intangible assets
691|Pérdidas por deterioro del inmovilizado material|Impairment of tangible assets
693|Pérdidas por deterioro de existencias|Impairment of stock
694|Pérdidas por deterioro de créditos por operaciones comerciales|Impairment of trade receivables
695|Dotación a la provisión por operaciones comerciales|Provision for trade operations
697|Pérdidas por deterioro de créditos a largo plazo|Impairment of long-term loans
699|Pérdidas por deterioro de créditos a corto plazo|Impairment of short-term loans
70|Ventas de mercaderías, de producción propia, de servicios, etc.|Sales of goods, products and services
700|Ventas de mercaderías|Sales of goods for resale
701|Ventas de productos terminados|Sales of finished products
702|Ventas de productos semiterminados|Sales of semi-finished products
703|Ventas de subproductos y residuos|Sales of by-products
704|Ventas de envases y embalajes|Sales of containers
705|Prestaciones de servicios|Services
706|Descuentos sobre ventas por pronto pago|Discounts for prompt payment on sales
708|Devoluciones de ventas y operaciones similares|Returns of sales
709|Rappels sobre ventas|Volume discounts on sales
71|Variación de existencias|Changes in stock
710|Variación de existencias de productos en curso|Change in work in progress
712|Variación de existencias de productos terminados|Change in finished products
73|Trabajos realizados para la empresa|Own work capitalised
730|Trabajos realizados para el inmovilizado intangible|Own work on intangible assets
731|Trabajos realizados para el inmovilizado material|Own work on tangible assets
74|Subvenciones, donaciones y legados|Grants and donations
740|Subvenciones, donaciones y legados a la explotación|Operating grants
746|Subvenciones de capital transferidas al resultado del ejercicio|Capital grants brought to the result
75|Otros ingresos de gestión|Other operating income
751|Resultados de operaciones en común|Results of joint operations
752|Ingresos por arrendamientos|Income from rent
753|Ingresos de propiedad industrial cedida en explotación|Income from licensed property
754|Ingresos por comisiones|Commissions
755|Ingresos por servicios al personal|Income from services to staff
759|Ingresos por servicios diversos|Other service income
76|Ingresos financieros|Financial income
760|Ingresos de participaciones en instrumentos de patrimonio|Income from holdings
761|Ingresos de valores representativos de deuda|Income from securities
762|Ingresos de créditos|Interest on loans given
763|Beneficios por valoración de instrumentos financieros|Gains on valuing financial instruments
766|Beneficios en participaciones y valores de deuda|Gains on holdings and securities
768|Diferencias positivas de cambio|Exchange gains
769|Otros ingresos financieros|Other financial income
77|Beneficios procedentes de activos no corrientes e ingresos excepcionales|Gains on non-current assets and exceptional income
770|Beneficios procedentes del inmovilizado intangible|Gains on intangible assets
771|Beneficios procedentes del inmovilizado material|Gains on tangible assets
772|Beneficios procedentes de las inversiones inmobiliarias|Gains on investment property
773|Beneficios procedentes de participaciones a largo plazo|Gains on long-term holdings
778|Ingresos excepcionales|Exceptional income
79|Excesos y aplicaciones de provisiones y de pérdidas por deterioro|Reversals of provisions and impairment
790|Reversión del deterioro del inmovilizado intangible|Reversal of impairment of intangible assets
791|Reversión del deterioro del inmovilizado material|Reversal of impairment of tangible assets
793|Reversión del deterioro de existencias|Reversal of impairment of stock
794|Reversión del deterioro de créditos por operaciones comerciales|Reversal of impairment of trade receivables
795|Exceso de provisiones|Excess of provisions
`

interface ChartEntry {
  code: string
  es: string
  en: string
}

/** Accounts of the plan by code, in code order. */
export const CHART: ReadonlyMap<string, ChartEntry> = new Map(
  TABLE.trim()
    .split('\n')
    .map((row) => {
      const [code = '', es = '', en = ''] = row.split('|')
      return [code, { code, es, en }]
    }),
)

/** One-digit groups. */
export const GROUPS: readonly ChartEntry[] = [
  { code: '1', es: 'Financiación básica', en: 'Basic financing' },
  { code: '2', es: 'Activo no corriente', en: 'Non-current assets' },
  { code: '3', es: 'Existencias', en: 'Stock' },
  { code: '4', es: 'Acreedores y deudores por operaciones comerciales', en: 'Trade creditors and debtors' },
  { code: '5', es: 'Cuentas financieras', en: 'Financial accounts' },
  { code: '6', es: 'Compras y gastos', en: 'Purchases and expenses' },
  { code: '7', es: 'Ventas e ingresos', en: 'Sales and income' },
]
