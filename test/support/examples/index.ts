/** A valid request for every operation with a route, with all its prerequisites. */
import { stageExamples } from './all.ts'
import { setRegistryStatus } from '../../../server/sales/invoices/index.ts'
import { loadContracts } from '../../../server/api/operations.ts'
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'
import type { AnyContract, RestBinding } from '../../../server/domain/contract/define-contract.ts'
import { creditorIdOf } from '../../../server/accounting/payments/debits/sepa-identifiers.ts'
import { sendBook } from '../../../server/registry/index.ts'
import { makeP12 } from '../files/certificates.ts'
import { KEYS, startErpServer } from '../erp/erp-server.ts'
import { personalNif } from '../nif.ts'
import { EXAMPLE_DRAFT } from '../world.ts'
import type { Answer, World } from '../world.ts'
import { fileReturn, RETURN_EXAMPLES } from './returns.ts'

/** The request: fields of the path, the query and the body. */
export interface Example {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean>
  body?: object
}
interface Route {
  name: string
  contract: AnyContract
  rest: RestBinding
}

/** Every operation with a route, in the order of the contracts. */
export const ROUTES: readonly Route[] = (await loadContracts()).flatMap((contract) =>
  contract.rest ? [{ name: contract.name, contract, rest: contract.rest }] : [],
)
const OWN_IBAN = 'ES9121000418450200051332'
const THEIR_IBAN = 'ES7921000813610123456789'
const OPENING = '2026-07-01T10:00:00+02:00'
const LATER = '2026-08-20T10:00:00+02:00'
const DAY_MS = 86_400_000
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/**
 * A book with all kinds of records, in which any request can be prepared. Overdue invoices were issued in July; the
 * clock is then in August.
 */
export class Furnished {
  readonly world: World
  private count = 0
  private contactId: string | null = null
  private lateInvoices: string[] = []

  constructor(world: World) {
    this.world = world
  }

  /** Prepares records older than today. The world must have just been opened. `issued`: external invoices to copy. */
  async open(issued = 12): Promise<this> {
    const erp = await startErpServer({ contacts: 5, issued, received: 8, items: 4, to: '2026-06-30' })
    // A NIF used by nobody else, so that it is recognized in the wrong place.
    for (const { id } of erp.book.contacts())
      erp.edit(id, (row) => Object.assign(row, { name: 'Ana Ruiz Gil' }))
    this.world.standIn(erp)
    this.world.setTime(OPENING)
    for (let times = 0; times < 3; times += 1)
      this.lateInvoices.push(
        (
          await this.issued({
            issueDate: '2026-07-01',
            dueDate: '2026-07-05',
            clientId: await this.contact(),
          })
        ).id,
      )
    await this.world.run('debits.saveCreditor', { creditorId: creditorIdOf('B12345674'), iban: OWN_IBAN })
    this.world.setTime(LATER)
    return this
  }

  get today(): string {
    return this.world.env.now().toISOString().slice(0, 10)
  }

  next(): number {
    return (this.count += 1)
  }

  late(): string[] {
    return this.lateInvoices
  }

  async contact(): Promise<string> {
    this.contactId ??= await this.newContact('Cliente Primero, S.L.', 'B87654323')
    return this.contactId
  }

  async newContact(name = `Cliente ${this.next()}`, nif?: string): Promise<string> {
    const contact = await this.world.run('contacts.create', { name, ...(nif ? { nif } : {}) })
    return contact.id
  }

  async draft(changes: Partial<InputOf<'invoices.create'>> = {}): Promise<string> {
    return (await this.world.createDraft({ clientNif: personalNif(this.next()), ...changes })).id
  }

  async issued(changes: Partial<InputOf<'invoices.create'>> = {}): Promise<OutputOf<'invoices.issue'>> {
    return this.world.issue(await this.draft(changes))
  }

  /** Returns an invoice issued and accepted by the simulated authority. */
  async accepted(): Promise<string> {
    const { id } = await this.issued()
    await sendBook(this.world.env, this.world.books.test, setRegistryStatus)
    return id
  }

  async confirmed(id: string, action: 'issue' | 'cancel' | 'amend'): Promise<Example> {
    const { body } = await this.world.post(`/api/v1/invoices/${id}/validate`, { action })
    return { params: { id }, body: { confirmationToken: body.data.confirmation.confirmationToken } }
  }

  /** Imports the company's certificate at its first use. */
  async certificate(): Promise<void> {
    const { certificate } = await this.world.run('certificates.get', {})
    if (certificate) return
    const { p12 } = makeP12({ password: 'clave' })
    await this.world.run('certificates.import', { file: p12.toString('base64'), password: 'clave' })
  }

  /** Returns an archive of one invoice that its key can download. */
  async archive(): Promise<string> {
    const { id } = await posted(this, '/exports', { ids: [(await this.issued()).id], format: 'ubl' })
    for (;;) {
      const { state } = await this.world.run('exports.get', { id })
      if (state === 'ready') return id
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }

  async quote(): Promise<string> {
    return (await this.world.run('quotes.create', EXAMPLE_DRAFT)).id
  }

  async template(): Promise<string> {
    return (
      await this.world.run('templates.create', { name: `Plantilla ${this.next()}`, invoice: EXAMPLE_DRAFT })
    ).id
  }

  recurrenceInput(): InputOf<'recurring.create'> {
    return {
      name: `Cuota ${this.next()}`,
      rule: { freq: 'monthly', start: '2026-12-01' },
      invoice: EXAMPLE_DRAFT,
    }
  }

  async recurrence(): Promise<string> {
    return (await this.world.run('recurring.create', this.recurrenceInput())).id
  }

  receivedInput(): InputOf<'received.create'> {
    return {
      supplierName: 'Suministros Norte, S.L.',
      supplierNif: 'B87654323',
      supplierNumber: `A-${this.next()}`,
      issueDate: '2026-07-02',
      receptionDate: '2026-07-02',
      taxLines: [{ base: 100, vatRate: 21 }],
    }
  }

  async received(): Promise<string> {
    return (await this.world.run('received.create', this.receivedInput())).id
  }

  fileInput(): InputOf<'attachments.upload'> {
    const number = this.next()
    return { name: `nota-${number}.txt`, content: base64(`Nota número ${number}: recibida y conforme.\n`) }
  }

  async attachment(): Promise<string> {
    return (await this.world.run('attachments.upload', this.fileInput())).id
  }

  async attached(): Promise<{ id: string; attachmentId: string }> {
    const attachmentId = await this.attachment()
    const { id } = await this.world.run('received.create', {
      ...this.receivedInput(),
      attachments: [attachmentId],
    })
    return { id, attachmentId }
  }

  paying(): Omit<InputOf<'payments.payInvoice'>, 'id'> {
    return { date: this.today, method: 'transfer', amount: 10 }
  }

  async paidInvoice(): Promise<{ id: string; paymentId: string }> {
    const { id } = await this.issued()
    const payment = await this.world.run('payments.payInvoice', { id, ...this.paying() })
    return { id, paymentId: payment.id }
  }

  async mandateInput(): Promise<InputOf<'mandates.create'>> {
    return {
      contactId: await this.contact(),
      signedOn: '2026-01-02',
      iban: THEIR_IBAN,
      reference: `M-${this.next()}`,
    }
  }

  async mandate(): Promise<string> {
    return (await this.world.run('mandates.create', await this.mandateInput())).id
  }

  /** Returns the input of a direct debit for an invoice of the contact, who has a mandate. */
  async debitInput(): Promise<InputOf<'remittances.create'>> {
    await this.mandate()
    return { kind: 'debit', items: [{ id: (await this.issued({ clientId: await this.contact() })).id }] }
  }

  async remittance(): Promise<OutputOf<'remittances.create'>> {
    return this.world.run('remittances.create', await this.debitInput())
  }

  /** Returns a remittance executed by the bank: the clock moves to that day. */
  async settledRemittance(): Promise<string> {
    const { id } = await this.remittance()
    this.world.advance(10 * DAY_MS)
    await this.world.run('remittances.settle', { id })
    return id
  }

  async bankAccount(): Promise<string> {
    return (
      await this.world.run('bank.createAccount', {
        name: `Cuenta ${this.next()}`,
        openingBalance: 1000,
        openingDate: '2026-07-01',
      })
    ).id
  }

  async movement(): Promise<string> {
    const accountId = await this.bankAccount()
    const content = base64('Fecha;Concepto;Importe;Saldo\n02/07/2026;Transferencia;24,20;1024,20\n')
    await this.world.run('bank.import', { fileName: 'movimientos.csv', content, accountId })
    const { items } = await this.world.run('bank.transactions', { accountId })
    const [first] = items
    if (!first) throw new Error('The movement was not taken.')
    return first.id
  }

  async entry(): Promise<string> {
    await this.issued()
    const { items } = await this.world.run('ledger.journal', {})
    const [first] = items
    if (!first) throw new Error('An invoice was issued and nothing was posted.')
    return first.id
  }

  async ticket(): Promise<string> {
    return (await this.issued({ kind: 'F2', lines: [{ description: 'Café', quantity: 1, unitPrice: 2 }] })).id
  }

  /** Connects to an accounting system. */
  async connected(): Promise<void> {
    const { integrations } = await this.world.run('erp.status', {})
    if (!integrations.some(({ connected }) => connected))
      await this.world.run('erp.connect', { erpApiKey: KEYS.v2 })
  }

  /** Returns a completed reading of it. */
  async reading(): Promise<string> {
    await this.connected()
    let run = await this.world.run('erp.sync', { force: true, wait: 1 })
    while (run.state === 'running') run = await this.world.run('erp.sync', { wait: 1 })
    return run.runId
  }

  /** Returns an invoice that was imported from there. */
  async readInvoice(): Promise<string> {
    const find = () =>
      this.world.run('erp.documents', { side: 'issued', state: 'approved', here: false, limit: 1 })
    let [first] = (await find()).items
    if (!first) {
      await this.reading()
      ;[first] = (await find()).items
    }
    if (!first) throw new Error('No invoice was read.')
    return first.id
  }

  filedReturn = (): Promise<string> => fileReturn(this.world)

  /** Ensures that another webhook can be created: the number per book is limited. */
  async roomForWebhook(): Promise<void> {
    const { items } = await this.world.run('webhooks.list', {})
    if (items.length > 10) for (const { id } of items) await this.world.run('webhooks.delete', { id })
  }

  /** Returns a webhook to this computer, where nothing listens. */
  async webhook(): Promise<string> {
    await this.roomForWebhook()
    const url = 'http://127.0.0.1:61234/'
    return (await this.world.run('webhooks.createByPerson', { url, events: ['*'], allowLocal: true })).id
  }

  /** Returns a message that was not delivered. */
  async webhookDelivery(): Promise<string> {
    return (await this.world.run('webhooks.test', { id: await this.webhook() })).id
  }

  async seriesId(): Promise<string> {
    return (await this.world.run('series.create', { code: `EX${this.next()}`, kind: 'ordinary' })).id
  }
}

/** Returns the answer's data, or throws its error. */
async function posted(made: Furnished, path: string, body?: object): Promise<any> {
  const answer = await made.world.post(`/api/v1${path}`, body)
  if (answer.status >= 400) throw new Error(`${path} was refused: ${answer.raw.body}`)
  return answer.body.data
}

const itemInput = (made: Furnished) => ({ name: `Pieza ${made.next()}`, unitPrice: 12.5 })
const newItem = async (made: Furnished): Promise<string> => (await posted(made, '/items', itemInput(made))).id

async function pair(made: Furnished): Promise<Example & { params: { id: string } }> {
  return { params: { id: await made.newContact() }, body: { otherId: await made.newContact() } }
}

const importInput = (made: Furnished) => ({
  kind: 'contacts',
  fileName: 'contactos.csv',
  content: base64(`Nombre;Correo\nCliente importado ${made.next()};uno@ejemplo.es\n`),
})

async function imported(made: Furnished, ...steps: string[]): Promise<string> {
  const { id } = (await posted(made, '/imports', importInput(made))).run
  for (const step of steps) await posted(made, `/imports/${id}/${step}`, {})
  return id
}

type Maker = (made: Furnished) => Promise<Example> | Example

/** Creates the example of an operation that needs only one identifier. */
const of =
  (make: (made: Furnished) => Promise<string>, body?: (made: Furnished) => object): Maker =>
  async (made) => ({ params: { id: await make(made) }, ...(body ? { body: body(made) } : {}) })
const nothing: Maker = () => ({})
const QUARTER = { year: 2026, quarter: 3 }

const MAKERS: Readonly<Record<string, Maker>> = {
  'company.current': nothing,
  'invoices.export': () => ({ body: {} }),
  'invoices.list': nothing,
  'invoices.create': () => ({ body: EXAMPLE_DRAFT }),
  'invoices.get': of((made) => made.draft()),
  'invoices.update': of(
    (made) => made.draft(),
    () => ({ notes: 'Con nota' }),
  ),
  'invoices.delete': of((made) => made.draft()),
  'invoices.validate': of(
    (made) => made.draft(),
    () => ({ action: 'issue' }),
  ),
  'invoices.issue': async (made) => made.confirmed(await made.draft(), 'issue'),
  'invoices.cancel': async (made) => made.confirmed(await made.accepted(), 'cancel'),
  'invoices.amend': async (made) => made.confirmed(await made.accepted(), 'amend'),
  'invoices.pdf': async (made) => ({ params: { id: (await made.issued()).id } }),
  'invoices.sign': of(async (made) => {
    const { id } = await made.issued()
    await made.certificate()
    return id
  }),
  'exports.create': async (made) => ({ body: { ids: [(await made.issued()).id], format: 'cii' } }),
  'exports.get': of((made) => made.archive()),
  'exports.file': of((made) => made.archive()),
  'exports.cancel': of((made) => made.archive()),
  'invoices.rectify': of(
    async (made) => (await made.issued()).id,
    () => ({ cause: 'returned_goods' }),
  ),
  'invoices.rectifyOptions': of(async (made) => (await made.issued()).id),
  'invoices.substitute': async (made) => ({
    body: { invoices: [{ id: await made.ticket() }], clientName: 'Ana Ruiz Gil', clientNif: '12345678Z' },
  }),
  'registry.status': nothing,
  'audit.list': nothing,
  'events.list': nothing,
  'events.stream': nothing,
  'keys.list': nothing,
  'keys.create': (made) => ({ body: { name: `Otra ${made.next()}`, scopes: ['company.read'] } }),
  'keys.revoke': of(async (made) => (await made.world.makeKey()).id),
  ...RETURN_EXAMPLES,
  'fiscal.filings': async (made) => {
    await made.filedReturn()
    return { query: { year: 2026 } }
  },
  'fiscal.filingDocument': of((made) => made.filedReturn()),
  'fiscal.filedFile': of((made) => made.filedReturn()),
  'series.list': nothing,
  'series.create': (made) => ({ body: { code: `EX${made.next()}`, kind: 'ordinary' } }),
  'series.update': of(
    (made) => made.seriesId(),
    () => ({ note: 'Tienda' }),
  ),
  'ledger.journal': nothing,
  'ledger.entry': of((made) => made.entry()),
  'ledger.accounts': nothing,
  'ledger.account': () => ({ params: { code: '430' } }),
  'ledger.trialBalance': () => ({ query: QUARTER }),
  'ledger.profitAndLoss': () => ({ query: QUARTER }),
  'ledger.balanceSheet': () => ({ query: QUARTER }),
  'ledger.periods': nothing,
  'ledger.export': () => ({ query: { what: 'journal', format: 'csv', ...QUARTER } }),
  'quotes.list': nothing,
  'quotes.create': () => ({ body: EXAMPLE_DRAFT }),
  'quotes.get': of((made) => made.quote()),
  'quotes.update': of(
    (made) => made.quote(),
    () => ({ notes: 'Con nota' }),
  ),
  'quotes.delete': of((made) => made.quote()),
  'quotes.setState': of(
    (made) => made.quote(),
    () => ({ state: 'sent' }),
  ),
  'quotes.duplicate': of(
    (made) => made.quote(),
    () => ({ kind: 'delivery_note' }),
  ),
  'quotes.convert': of(
    (made) => made.quote(),
    () => ({ kind: 'F1' }),
  ),
  'quotes.pdf': of((made) => made.quote()),
  'templates.list': nothing,
  'templates.create': (made) => ({ body: { name: `Plantilla ${made.next()}`, invoice: EXAMPLE_DRAFT } }),
  'templates.get': of((made) => made.template()),
  'templates.update': of(
    (made) => made.template(),
    (made) => ({ name: `Nombre ${made.next()}` }),
  ),
  'templates.delete': of((made) => made.template()),
  'templates.use': of(
    (made) => made.template(),
    () => ({ clientName: 'Otra persona' }),
  ),
  'recurring.list': nothing,
  'recurring.create': (made) => ({ body: made.recurrenceInput() }),
  'recurring.get': of((made) => made.recurrence()),
  'recurring.update': of(
    (made) => made.recurrence(),
    () => ({ dueDays: 15 }),
  ),
  'recurring.delete': of((made) => made.recurrence()),
  'recurring.pause': of((made) => made.recurrence()),
  'recurring.resume': of(
    async (made) => {
      const id = await made.recurrence()
      await made.world.run('recurring.pause', { id })
      return id
    },
    () => ({ catchUp: false }),
  ),
  'recurring.skip': of(
    (made) => made.recurrence(),
    () => ({ date: '2026-12-01' }),
  ),
  'recurring.run': of((made) => made.recurrence()),
  'payments.list': nothing,
  'payments.create': async (made) => ({
    body: {
      direction: 'in',
      date: made.today,
      method: 'transfer',
      amount: 10,
      allocations: [{ invoiceId: (await made.issued()).id, amount: 10 }],
    },
  }),
  'payments.collect': async (made) => ({
    body: { date: made.today, method: 'transfer', invoiceIds: [(await made.issued()).id] },
  }),
  'payments.get': of(async (made) => (await made.paidInvoice()).paymentId),
  'payments.delete': of(async (made) => (await made.paidInvoice()).paymentId),
  'payments.ofInvoice': of(async (made) => (await made.paidInvoice()).id),
  'payments.payInvoice': of(
    async (made) => (await made.issued()).id,
    (made) => made.paying(),
  ),
  'payments.unpayInvoice': async (made) => {
    const { id, paymentId } = await made.paidInvoice()
    return { params: { id }, query: { paymentId } }
  },
  'payments.writeOff': of(
    async (made) => (await made.issued()).id,
    (made) => ({ date: made.today }),
  ),
  'payments.ofReceived': of((made) => made.received()),
  'payments.payReceived': of(
    (made) => made.received(),
    (made) => made.paying(),
  ),
  'payments.unpayReceived': of(async (made) => {
    const id = await made.received()
    await made.world.run('payments.payReceived', { id, ...made.paying() })
    return id
  }),
  'payments.open': () => ({ query: { side: 'receivable' } }),
  'payments.aging': () => ({ query: { side: 'receivable' } }),
  'payments.statement': of((made) => made.contact()),
  'payments.statementFile': of((made) => made.contact()),
  ...stageExamples,
  'debits.creditor': nothing,
  'mandates.list': nothing,
  'mandates.create': async (made) => ({ body: await made.mandateInput() }),
  'mandates.update': of(
    (made) => made.mandate(),
    () => ({ state: 'cancelled' }),
  ),
  'mandates.delete': of((made) => made.mandate()),
  'remittances.list': nothing,
  'remittances.candidates': () => ({ query: { kind: 'debit' } }),
  'remittances.get': of(async (made) => (await made.remittance()).id),
  'remittances.create': async (made) => ({ body: await made.debitInput() }),
  'remittances.file': of(async (made) => (await made.remittance()).id),
  'remittances.settle': async (made) => {
    const { id, executionDate } = await made.remittance()
    made.world.advance(10 * DAY_MS)
    return { params: { id }, body: { date: executionDate } }
  },
  'remittances.unsettle': of((made) => made.settledRemittance()),
  'remittances.return': of(
    (made) => made.settledRemittance(),
    (made) => ({ index: 0, date: made.today, reason: 'AM04', fee: 3 }),
  ),
  'remittances.discard': of(async (made) => (await made.remittance()).id),
  'tax.propose': () => ({ body: { customer: { kind: 'business' }, supply: 'goods' } }),
  'tax.rates': nothing,
  'tax.causes': nothing,
  'contacts.list': nothing,
  'contacts.export': () => ({ body: {} }),
  'contacts.duplicates': nothing,
  'contacts.get': of((made) => made.newContact()),
  'contacts.create': (made) => ({ body: { name: `Cliente ${made.next()}` } }),
  'contacts.update': of(
    (made) => made.newContact(),
    () => ({ phone: '600 000 000' }),
  ),
  'contacts.delete': of((made) => made.newContact()),
  'contacts.checks': of((made) => made.newContact()),
  'contacts.merge': pair,
  'contacts.undoMerge': of(async (made) => {
    const { params, body } = await pair(made)
    return (await posted(made, `/contacts/${params.id}/merge`, body)).mergeId
  }),
  'contacts.keepApart': pair,
  'items.list': nothing,
  'items.export': () => ({ body: {} }),
  'items.get': of(newItem),
  'items.create': (made) => ({ body: itemInput(made) }),
  'items.update': of(newItem, () => ({ unitPrice: 13 })),
  'items.delete': of(newItem),
  'imports.list': nothing,
  'imports.template': () => ({ query: { kind: 'contacts' } }),
  'imports.upload': (made) => ({ body: importInput(made) }),
  'imports.get': of((made) => imported(made)),
  'imports.check': of(
    (made) => imported(made),
    () => ({ report: 10 }),
  ),
  'imports.apply': of((made) => imported(made, 'check')),
  'imports.undo': of((made) => imported(made, 'check', 'apply')),
  'imports.discard': of((made) => imported(made)),
  'mail.prepare': async (made) => ({ body: { kind: 'invoice', ids: [(await made.issued()).id] } }),
  'mail.ofInvoice': of(async (made) => (await made.issued()).id),
  'mail.ofQuote': of((made) => made.quote()),
  'lookups.vatNumber': () => ({ body: { vatNumber: 'DE123456789' } }),
  'lookups.vatNumberChecks': nothing,
  'lookups.census': () => ({ body: { nif: '12345678Z', name: 'Ana Ruiz Gil' } }),
  'limits.current': nothing,
  'lookups.exchangeRate': () => ({ query: { currency: 'USD' } }),
  'attachments.upload': (made) => ({ body: made.fileInput() }),
  'attachments.download': of((made) => made.attachment()),
  'attachments.delete': of((made) => made.attachment()),
  'received.list': nothing,
  'received.export': () => ({ body: {} }),
  'received.files': () => ({ body: {} }),
  'received.create': (made) => ({ body: made.receivedInput() }),
  'received.get': of((made) => made.received()),
  'received.update': of(
    (made) => made.received(),
    () => ({ notes: 'Con nota' }),
  ),
  'received.void': of((made) => made.received()),
  'received.restore': of(async (made) => {
    const id = await made.received()
    await made.world.run('received.void', { id })
    return id
  }),
  'received.attach': async (made) => ({
    params: { id: await made.received() },
    body: { attachmentId: await made.attachment() },
  }),
  'received.detach': async (made) => ({ params: await made.attached() }),
  'bank.accounts': nothing,
  'bank.account': of((made) => made.bankAccount()),
  'bank.createAccount': (made) => ({ body: { name: `Cuenta ${made.next()}` } }),
  'bank.updateAccount': of(
    (made) => made.bankAccount(),
    (made) => ({ name: `Caja ${made.next()}` }),
  ),
  'bank.deleteAccount': of((made) => made.bankAccount()),
  'bank.imports': nothing,
  'bank.transactions': nothing,
  'bank.transaction': of((made) => made.movement()),
  'bank.reconciliation': of((made) => made.bankAccount()),
  'erp.connect': () => ({ body: { erpApiKey: KEYS.v2, label: 'Gestoría' } }),
  'erp.disconnect': async (made) => {
    await made.connected()
    return {}
  },
  'erp.sync': async (made) => {
    await made.connected()
    return { query: { force: true } }
  },
  'erp.cancel': of((made) => made.reading()),
  'erp.status': nothing,
  'erp.settings': async (made) => {
    await made.connected()
    return { body: { monthlyBudget: 400 + made.next() } }
  },
  'erp.runs': nothing,
  'erp.run': of((made) => made.reading()),
  'erp.rejects': of((made) => made.reading()),
  'erp.contacts': nothing,
  'erp.documents': () => ({ query: { side: 'issued' } }),
  'erp.document': of((made) => made.readInvoice()),
  'erp.items': nothing,
  'erp.copy': of((made) => made.readInvoice()),
  'webhooks.list': nothing,
  'webhooks.create': async (made) => {
    await made.roomForWebhook()
    const url = `https://hooks.example.com/sello/${made.next()}`
    return { body: { url, events: ['invoice.issued', 'registry.*'], description: 'Tienda' } }
  },
  'webhooks.get': of((made) => made.webhook()),
  'webhooks.update': of(
    (made) => made.webhook(),
    (made) => ({ description: `Tienda ${made.next()}` }),
  ),
  'webhooks.delete': of((made) => made.webhook()),
  'webhooks.rotateSecret': of((made) => made.webhook()),
  'webhooks.test': of((made) => made.webhook()),
  'webhooks.deliveries': of((made) => made.webhook()),
  'webhooks.delivery': of((made) => made.webhookDelivery()),
  'webhooks.redeliver': of((made) => made.webhookDelivery()),
  'webhooks.replay': of(
    (made) => made.webhook(),
    () => ({ from: '2026-07-01T00:00:00+02:00', to: '2026-08-01T00:00:00+02:00' }),
  ),
}

/** Names of the operations with an example. */
export const EXAMPLED: readonly string[] = Object.keys(MAKERS)

/** Returns a valid request of that operation. Every operation with a route has one: a new one without it fails here. */
export async function exampleOf(name: string, made: Furnished): Promise<Example> {
  const maker = MAKERS[name]
  if (!maker) throw new Error(`${name} has an address and no example in test/support/examples.ts.`)
  return maker(made)
}

export function urlOf(rest: RestBinding, { params = {}, query }: Example): string {
  const path = rest.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = query
    ? `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
    : ''
  return `/api/v1${path}${search}`
}

/** Sends it over REST. */
export function send(
  world: World,
  rest: RestBinding,
  example: Example,
  asking: { key?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const url = urlOf(rest, example)
  if (rest.method === 'GET') return world.get(url, asking)
  if (rest.method === 'DELETE') return world.delete(url, asking)
  return rest.method === 'PATCH'
    ? world.patch(url, example.body, asking)
    : world.post(url, example.body, asking)
}
