/**
 * What a person needs for each operation of an office. An operation that is not here is refused to everybody who has
 * rights, and a test compares this table with that of the operations.
 */
import type { Capability } from '../../../domain/people.ts'

const OPERATIONS: Readonly<Record<Capability, string>> = {
  own: `
    companies.list companies.setFavourite companies.setGroup
    session.get session.savePreferences store.check views.list views.save registry.declaration
    limits.current limits.get assistants.check keys.list keys.create keys.createByPerson keys.revoke
    people.me people.sessions people.endSession people.endOtherSessions people.changeName
    people.credentials people.addPasskey people.finishPasskey people.removePasskey
    people.setPassword people.finishPassword people.removePassword people.newCodes people.acceptInvitation
    console.list console.unsent console.views console.saveViews console.staff console.assign console.note console.notes
    console.enter console.startWork console.works console.work console.cancelWork console.workFile
    people.actions people.refuseRecovery people.requests people.decideRequest
    notes.list notes.add notes.edit notes.remove tasks.list tasks.create tasks.update tasks.complete tasks.reopen
    tasks.remove inbox.mine inbox.markRead presence.edit presence.leave presence.list presence.takeOver`,
  'company.read': `
    company.current company.design company.designSample company.logo tax.propose tax.rates tax.causes
    lookups.exchangeRate`,
  'company.write': `
    company.update companies.setMark company.setDesign series.create series.update goingLive.offer goingLive.carry`,
  'company.end': `
    companies.archive companies.restore companies.endPreview companies.end
    companies.handBackOffer companies.handBack companies.takeBack leaving.archive leaving.progress`,
  'sales.read': `
    invoices.list invoices.get invoices.window invoices.rectifyOptions invoices.previewRectification
    invoices.pdf invoices.preview payments.ofInvoice moving.origin inbox.propose
    contacts.list contacts.get contacts.duplicates contacts.checks lookups.vatNumberChecks
    items.list items.get series.list quotes.list quotes.window quotes.get quotes.pdf quotes.preview
    templates.list templates.get recurring.list recurring.get recurring.preview
    mail.account mail.templates mail.list mail.ofInvoice mail.ofQuote invoices.journey replies.list
    exchange.settings exchange.assumptions exchange.readiness exchange.contact exchange.list exchange.window exchange.due
    exchange.get exchange.file exchange.message exchange.exportStatus
    portal.settings portal.units portal.ofInvoice portal.list portal.get portal.file`,
  'sales.write': `
    invoices.create invoices.update invoices.delete invoices.validate invoices.rectify invoices.substitute
    items.create items.update items.delete quotes.create quotes.update quotes.delete quotes.setState
    quotes.duplicate quotes.convert templates.create templates.update templates.delete templates.use
    mail.prepare mail.send mail.file mail.sendMany mail.resolve exchange.send exchange.retry exchange.poll
    exchange.prepare replies.page replies.take`,
  'sales.issue': `
    invoices.issue invoices.cancel invoices.amend invoices.sign registry.send exchange.report exchange.cancelReport
    exchange.withdraw
    portal.submit portal.cancel portal.refresh portal.settle portal.simulate
    recurring.create recurring.update recurring.delete recurring.pause recurring.resume recurring.skip recurring.run`,
  'contacts.write': `
    contacts.create contacts.update contacts.delete contacts.merge contacts.undoMerge contacts.keepApart
    lookups.vatNumber lookups.census bin.restore exchange.setContact`,
  'payments.read': `
    payments.list payments.window payments.get payments.open payments.aging payments.statement
    payments.statementFile payments.reminders payments.remindersOf payments.previewReminder payments.ofReceived
    debits.creditor mandates.list remittances.list remittances.candidates remittances.get remittances.file
    reminders.plan reminders.ready reminders.held`,
  'payments.write': `
    payments.create payments.collect payments.delete payments.payInvoice payments.unpayInvoice payments.writeOff
    payments.payReceived payments.unpayReceived payments.remind mandates.create mandates.update mandates.delete
    remittances.create remittances.settle remittances.unsettle remittances.return remittances.discard
    reminders.savePlan reminders.skip reminders.hold reminders.send`,
  'purchases.read': `
    received.list received.window received.preview received.get received.concepts received.memory
    received.arrivals received.journey incoming.arrivals attachments.download incoming.list incoming.get incoming.rule
    incoming.settings incoming.sources`,
  'purchases.write': `
    received.create received.update received.void received.restore received.attach received.detach received.read
    received.forget attachments.upload attachments.delete incoming.add incoming.setRule incoming.setSettings
    incoming.enterMany incoming.enter incoming.attachTo incoming.reject incoming.restore incoming.readAgain
    incoming.split incoming.join incoming.addSource incoming.changeSource incoming.removeSource
    incoming.checkSource exchange.importFile`,
  'bank.read': `
    bank.accounts bank.account bank.preview bank.imports bank.transactions bank.window bank.transaction bank.rules
    bank.reconciliation bank.missingReceipts`,
  'bank.write': `
    bank.import bank.undoImport bank.match bank.unmatch bank.ignore bank.createRule bank.updateRule bank.deleteRule
    bank.applyRules bank.unapplyRules`,
  'bank.accounts': `bank.createAccount bank.updateAccount bank.deleteAccount debits.saveCreditor`,
  'ledger.read': `
    dashboard.get ledger.journal ledger.journalWindow ledger.entry ledger.entriesOf ledger.accounts ledger.account
    ledger.trialBalance ledger.profitAndLoss ledger.balanceSheet ledger.periods
    assets.list assets.get assets.preview assets.candidates assets.depreciation assets.vatAdjustments
    erp.contacts erp.documents erp.windowDocuments erp.document erp.items erp.windowItems erp.compareContacts
    erp.compareWith`,
  'ledger.write': `
    ledger.writeEntry ledger.removeEntry ledger.saveAccount ledger.removeAccount ledger.openBalances
    ledger.settleVat fiscal.enterVat handOn.saveSettings handOn.saveAccounts handOn.discard
    assets.create assets.update assets.delete assets.depreciate assets.undoDepreciation assets.dispose
    assets.undoDisposal assets.setProrata assets.bookVatAdjustment`,
  'ledger.close': `ledger.lock ledger.closeYear ledger.reopenYear ledger.numberYear`,
  'returns.read': `
    fiscal.summary fiscal.models fiscal.model fiscal.boxDocuments fiscal.deadlines fiscal.deadlinesCalendar
    handOn.settings handOn.accounts handOn.preview handOn.runs
    fiscal.vatBooks fiscal.checkVatBooks fiscal.closing fiscal.profile fiscal.wageRecipients fiscal.rentedPremises
    fiscal.readFile fiscal.returnFile fiscal.returnDraft fiscal.filings fiscal.filingDocument fiscal.filedFile fiscal.filingSettings
    fiscal.filingSchemes`,
  'returns.prepare': `
    fiscal.markFiled fiscal.withdrawFiling fiscal.setInput fiscal.setProfile fiscal.setWageRecipients
    fiscal.setRentedPremises fiscal.importFiling fiscal.prepareFiling fiscal.validateReturn fiscal.checkFiling
    fiscal.setFilingSettings fiscal.setFilingSchemes`,
  'returns.file': `fiscal.fileReturn`,
  'registry.read': `registry.status registry.records registry.verify registry.export certificates.get`,
  'registry.manage': `
    exchange.setSettings registry.resume registry.close registry.setEnvironment registry.newInstallation registry.acceptClock`,
  'history.read': `audit.list audit.window audit.words audit.people audit.verify events.list events.stream`,
  export: `
    exports.create exports.get exports.file exports.cancel invoices.export contacts.export items.export
    received.export received.files ledger.export fiscal.accountantPack handOn.create handOn.file books.inspectorPack books.packProgress`,
  import: `
    imports.list imports.template imports.upload imports.get imports.check imports.apply imports.undo
    imports.discard erp.copy erp.linkContacts moving.list moving.get moving.rows moving.start moving.apply
    moving.undo moving.discard moving.addFile moving.removeFile moving.change
    moving.proof moving.setFiled moving.explain moving.finish moving.attach`,
  approve: `
    approvals.list approvals.get approvals.decide inbox.list inbox.open inbox.decide`,
  'mail.manage': `mail.saveAccount mail.test mail.saveTemplate`,
  'connections.read': `
    assistants.calls assistants.clients erp.status erp.runs erp.run erp.rejects
    webhooks.list webhooks.get webhooks.deliveries webhooks.delivery`,
  'connections.manage': `
    erp.connect erp.disconnect erp.sync erp.cancel erp.settings erp.forget
    portal.setSettings portal.importDirectory
    webhooks.create webhooks.createByPerson webhooks.update webhooks.updateByPerson webhooks.delete
    webhooks.rotateSecret webhooks.test webhooks.redeliver webhooks.replay`,
  'certificates.manage': `certificates.import certificates.remove`,
  'people.read': `people.members people.secondPersonRules`,
  'people.manage': `
    people.invitations people.invite people.withdrawInvitation people.changeRoles people.removeMember
    people.askRecovery people.confirmRecovery people.recoveryLink people.setSecondPersonRules`,
  'privacy.manage': `
    privacy.find privacy.preview privacy.erase privacy.export privacy.blocked privacy.lift`,
  'installation.manage': `
    company.create companies.checkNif companies.ended books.verify books.verification`,
}

const byName = new Map(
  Object.entries(OPERATIONS).flatMap(([capability, names]) =>
    names
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => [name, capability as Capability] as const),
  ),
)

/** Returns what a person needs for an operation; null if nobody with rights may run it. */
export function capabilityFor(operation: string): Capability | null {
  return byName.get(operation) ?? null
}

/** Returns the operations that somebody with these capabilities may run. */
export function operationsOf(capabilities: ReadonlySet<Capability>): string[] {
  return [...byName].flatMap(([name, needed]) => (capabilities.has(needed) ? [name] : []))
}

/** The operations of the table, for the test that compares it. */
export const operationsWithCapability = (): readonly string[] => [...byName.keys()]

/**
 * Operations before which whoever is signed in proves again to be there: a session that was stolen is not enough for
 * them.
 */
export const VERIFIED: ReadonlySet<string> = new Set([
  'approvals.decide',
  'certificates.import',
  'certificates.remove',
  'keys.createByPerson',
  'webhooks.createByPerson',
  'bank.createAccount',
  'bank.updateAccount',
  'debits.saveCreditor',
  'mail.saveAccount',
  'companies.handBack',
  'leaving.archive',
  'companies.takeBack',
  'people.invite',
  'people.changeRoles',
  'people.askRecovery',
  'people.confirmRecovery',
  'people.decideRequest',
  'people.setSecondPersonRules',
  'people.addPasskey',
  'people.removePasskey',
  'people.setPassword',
  'people.removePassword',
  'people.newCodes',
])

/** What a person needs to hear of events, by the family of their type. */
const EVENTS: Readonly<Record<string, Capability>> = {
  invoice: 'sales.read',
  registry: 'registry.read',
  certificate: 'registry.read',
  document: 'sales.read',
  approval: 'approve',
  proposal: 'approve',
  contact: 'sales.read',
  key: 'own',
  company: 'company.read',
  item: 'sales.read',
  quote: 'sales.read',
  recurrence: 'sales.read',
  received: 'purchases.read',
  payment: 'sales.read',
  bank: 'bank.read',
  ledger: 'ledger.read',
  asset: 'ledger.read',
  filing: 'returns.read',
  exchange: 'sales.read',
  return: 'returns.read',
  import: 'import',
  moving: 'import',
  mail: 'sales.read',
  reply: 'sales.read',
  erp: 'connections.read',
  backup: 'installation.manage',
  webhook: 'connections.read',
  incoming: 'purchases.read',
  portal: 'sales.read',
  people: 'company.read',
  // Both name an identifier only: who may not read the record finds nothing under it.
  note: 'company.read',
  task: 'company.read',
}

/** Returns what a person needs to hear of an event; null for one that nobody with rights hears of. */
export function capabilityForEvent(type: string): Capability | null {
  return EVENTS[type.split('.')[0] ?? ''] ?? null
}
