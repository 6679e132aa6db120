/** What is worded on a document, whatever its language. What the law words itself stays Spanish and is not here. */

export interface Labels {
  invoice: string
  simplifiedInvoice: string
  rectifyingInvoice: string
  rectifyingSimplified: string
  quote: string
  proforma: string
  deliveryNote: string
  validUntil: string
  rectifies: string
  bySubstitution: string
  byDifferences: string
  reason: string
  substitutes: string
  documentDiscount: string
  /** Before and after the document's discount. */
  subtotal: string
  baseAfterDiscount: string
  marginScheme: string
  alreadyInvoiced: string
  stillOwed: string
  inEuros: (rate: string, currency: string, date: string) => string
  taxInEuros: (tax: string) => string
  totalInEuros: string
  notAnInvoice: string
  draft: string
  draftNumber: string
  draftFooter: string
  number: string
  issueDate: string
  operationDate: string
  dueDate: string
  issuer: string
  client: string
  taxId: string
  description: string
  quantity: string
  price: string
  priceWithVat: string
  discount: string
  vat: string
  amount: string
  unit: string
  disbursements: string
  disbursementsHeading: string
  carriedIn: string
  carriedOut: string
  base: string
  taxAmount: string
  sum: string
  surcharge: string
  exempt: string
  notSubject: string
  reverseCharge: string
  reverseChargeShort: string
  total: string
  /** Of what is no invoice. */
  totalOffered: string
  withholding: (rate: string, base: string) => string
  amountDue: string
  /** In the place of `amountDue` when the issuer owes the customer. */
  amountToReturn: string
  /** The same of an R2 or R3: nothing goes back to who has not paid, the debt is smaller. */
  amountOffDebt: string
  payment: string
  /** Ways to pay by their codes; a code that is not here (other) says nothing worth printing. */
  methods: Readonly<Partial<Record<string, string>>>
  notes: string
  qrPlaceholder: string
  page: (page: number, pages: number) => string
  /** Above a QR that a bank's app reads (EPC069-12). */
  payBySepaQr: string
  /** What to write on the transfer. */
  paymentReference: string
  /** Of a direct debit: that nothing is to be done. `dueDate` as printed, or empty. */
  charged: (dueDate: string) => string
  customerOrder: string
  customerContract: string
  customerFile: string
  logoAlt: (name: string) => string
  qrAlt: (url: string) => string
  sepaQrAlt: string
  /** In the place of a payment QR on papers that nobody should pay. */
  sepaQrPlaceholder: string
  /** What a screen reader calls the field of the electronic signature. */
  signature: string
}
