/** Labels of a document in every language. Texts that the law words itself stay Spanish and are not here. */

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
  /** Label of the sums before and after the document's discount. */
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
  /** Above the instalments. */
  dueDates: string
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
  /** Total of a document that is not an invoice. */
  totalOffered: string
  withholding: (rate: string, base: string) => string
  amountDue: string
  /** Replaces `amountDue` when the issuer owes the customer. */
  amountToReturn: string
  /** The same for an R2 or R3: a customer who has not paid gets nothing back; the debt is reduced. */
  amountOffDebt: string
  payment: string
  /** Means of payment by their codes; a code without a label here (other) has nothing worth printing. */
  methods: Readonly<Partial<Record<string, string>>>
  notes: string
  qrPlaceholder: string
  page: (page: number, pages: number) => string
  /** Above a QR that banking apps read (EPC069-12). */
  payBySepaQr: string
  /** Beside that QR on an invoice in instalments. */
  firstInstalment: string
  /** Reference to write on the transfer. */
  paymentReference: string
  /** Text of a direct debit: the customer need not act. `dueDate` as printed, or empty. */
  charged: (dueDate: string) => string
  customerOrder: string
  customerContract: string
  customerFile: string
  logoAlt: (name: string) => string
  qrAlt: (url: string) => string
  sepaQrAlt: string
  /** Replaces the payment QR on documents that nobody should pay. */
  sepaQrPlaceholder: string
  /** Name of the signature field for screen readers. */
  signature: string
}
