/**
 * The single function behind each operation, by part. All transports use these functions; there is no second business
 * path.
 */
import type { CompanyOfBook } from '../company/certificates/index.ts'
import type { ContractOf, PARTS, PartName } from './contracts.ts'
import type { Ctx, UseCase } from '../context.ts'
import type { SellerFacts } from '../tax/rules/index.ts'

type NamesOf<Part extends PartName> = Awaited<ReturnType<(typeof PARTS)[Part]>>[number]['name']

type Functions = {
  [Part in PartName]: () => Promise<{
    [Name in NamesOf<Part>]: UseCase<ContractOf<Name>>
  }>
}

/** The functions of each part, loaded at the first call of one of its operations. */
export const FUNCTIONS: Functions = {
  company: async () => {
    const [company, assistants] = await Promise.all([
      import('../company/index.ts'),
      import('../app/assistants/index.ts'),
    ])
    return {
      'company.current': assistants.getContext,
      'company.create': company.createCompany,
      'company.update': company.updateCompany,
      'company.design': company.getDesign,
      'company.setDesign': company.setDesign,
      'company.logo': company.getLogo,
    }
  },
  invoice: async () => {
    const invoices = await import('../sales/invoices/index.ts')
    return {
      'invoices.list': invoices.listInvoices,
      'invoices.create': invoices.createDraft,
      'invoices.get': invoices.getInvoice,
      'invoices.update': invoices.updateDraft,
      'invoices.delete': invoices.deleteDraft,
      'invoices.validate': invoices.validateInvoice,
      'invoices.issue': invoices.issueInvoice,
      'invoices.cancel': invoices.cancelInvoice,
      'invoices.amend': invoices.amendInvoice,
      'invoices.window': invoices.windowInvoices,
    }
  },
  invoiceExport: async () => {
    const invoices = await import('../sales/invoices/index.ts')
    return {
      'invoices.export': invoices.exportInvoices,
    }
  },
  rectify: async () => {
    const invoices = await import('../sales/invoices/index.ts')
    return {
      'invoices.rectify': invoices.rectifyInvoice,
      'invoices.rectifyOptions': invoices.rectifyOptions,
      'invoices.previewRectification': invoices.previewRectification,
      'invoices.substitute': invoices.substituteInvoices,
    }
  },
  document: async () => {
    const documents = await import('../documents/rendering/index.ts')
    return {
      'invoices.pdf': documents.invoicePdf,
      'invoices.sign': documents.signInvoice,
      'invoices.preview': documents.previewInvoice,
      'company.designSample': documents.sampleDesign,
    }
  },
  export: async () => {
    const documents = await import('../documents/rendering/index.ts')
    return {
      'exports.create': documents.createExport,
      'exports.get': documents.getExport,
      'exports.file': documents.exportFile,
      'exports.cancel': documents.cancelExport,
    }
  },
  registry: async () => {
    const registry = await import('../registry/index.ts')
    return {
      'registry.status': registry.registryStatus,
      'registry.records': registry.listRecords,
      'registry.verify': registry.verifyChain,
      'registry.send': registry.sendNow,
      'registry.resume': registry.resumeSending,
      'registry.close': registry.closeRecord,
      'registry.setEnvironment': registry.setEnvironment,
      'registry.newInstallation': registry.newInstallation,
      'registry.acceptClock': registry.acceptClock,
      'registry.export': registry.exportRecords,
      'registry.declaration': registry.readDeclaration,
    }
  },
  certificate: async () => {
    const certificates = await import('../company/certificates/index.ts')
    const company = await import('../company/index.ts')
    // The company of a certificate; the certificates slice itself has no access to companies.
    const companyOfBook: CompanyOfBook = {
      company: company.findCompany,
      books: (ctx) => company.booksOfCompany(ctx.db, ctx.book.companyId),
    }
    return {
      'certificates.get': certificates.getCertificate,
      'certificates.import': certificates.importCertificate(companyOfBook),
      'certificates.remove': certificates.removeCertificate(companyOfBook),
    }
  },
  audit: async () => {
    const audit = await import('../platform/audit/index.ts')
    return {
      'audit.list': audit.listAudit,
      'audit.window': audit.windowAudit,
      'audit.words': audit.listAuditTerms,
      'audit.verify': audit.verifyAudit,
    }
  },
  event: async () => {
    const events = await import('../platform/events/index.ts')
    return {
      'events.list': events.listEvents,
      'events.stream': events.streamEvents,
    }
  },
  key: async () => {
    const [keys, dashboard] = await Promise.all([
      import('../platform/api-keys/index.ts'),
      import('../app/dashboard/index.ts'),
    ])
    return {
      'keys.list': keys.listKeys,
      'keys.create': keys.createKey,
      'keys.createByPerson': dashboard.createKeyByPerson,
      'keys.revoke': keys.revokeKey,
    }
  },
  assistant: async () => {
    const assistants = await import('../app/assistants/index.ts')
    return {
      'assistants.calls': assistants.listCalls,
      'assistants.clients': assistants.listClients,
      'assistants.setup': assistants.getSetup,
      'assistants.bundle': assistants.getBundle,
      'assistants.check': assistants.checkConnection,
    }
  },
  limit: async () => {
    const limits = await import('./rate-limits/index.ts')
    return {
      'limits.current': limits.currentLimits,
      'limits.get': limits.getLimits,
      'limits.set': limits.setLimits,
    }
  },
  fiscal: async () => {
    const [fiscal, erp, pack] = await Promise.all([
      import('../accounting/returns/index.ts'),
      import('../integrations/erp/index.ts'),
      import('../app/accountant-pack/index.ts'),
    ])
    return {
      'fiscal.summary': erp.fiscalSummary,
      'fiscal.models': fiscal.fiscalModels,
      'fiscal.model': fiscal.fiscalModel,
      'fiscal.boxDocuments': fiscal.boxDocuments,
      'fiscal.vatBooks': fiscal.vatBooks,
      'fiscal.checkVatBooks': fiscal.checkVatBooks,
      'fiscal.accountantPack': pack.accountantPack,
      'fiscal.markFiled': fiscal.markFiled,
      'fiscal.withdrawFiling': fiscal.withdrawFiling,
      'fiscal.setInput': fiscal.setInput,
      'fiscal.profile': fiscal.getProfile,
      'fiscal.setProfile': fiscal.setProfile,
      'fiscal.wageRecipients': fiscal.getWageRecipients,
      'fiscal.setWageRecipients': fiscal.setWageRecipients,
    }
  },
  approval: async () => {
    const dashboard = await import('../app/dashboard/index.ts')
    const invoices = await import('../sales/invoices/index.ts')
    return {
      'approvals.list': invoices.listApprovals,
      'approvals.get': invoices.getApproval,
      'approvals.decide': dashboard.decideApproval,
    }
  },
  inbox: async () => {
    const { proposalChecks: feasibility } = await import('../app/proposal-checks/index.ts')
    const inbox = await import('../app/approvals/index.ts')
    return {
      'inbox.propose': inbox.proposeAction(feasibility),
      'inbox.list': inbox.listInbox,
      'inbox.open': inbox.openInbox(feasibility),
      'inbox.decide': inbox.decideInbox(feasibility),
    }
  },
  contact: async () => {
    const contacts = await import('../catalog/contacts/index.ts')
    return {
      'contacts.list': contacts.listContacts,
      'contacts.export': contacts.exportContacts,
      'contacts.duplicates': contacts.listDuplicates,
      'contacts.get': contacts.getContact,
      'contacts.create': contacts.createContact,
      'contacts.update': contacts.updateContact,
      'contacts.delete': contacts.deleteContact,
      'contacts.checks': contacts.contactChecks,
      'contacts.merge': contacts.mergeContacts,
      'contacts.undoMerge': contacts.undoMerge,
      'contacts.keepApart': contacts.keepApart,
    }
  },
  inspection: async () => {
    const inspection = await import('../app/inspection/index.ts')
    return {
      'books.inspectorPack': inspection.inspectorPack,
      'books.packProgress': inspection.packProgress,
    }
  },
  verification: async () => {
    const selfCheck = await import('../app/integrity/index.ts')
    return {
      'books.verify': selfCheck.verifyBooks,
      'books.verification': selfCheck.getVerification,
    }
  },
  privacy: async () => {
    const privacy = await import('../app/privacy/index.ts')
    return {
      'privacy.find': privacy.findPerson,
      'privacy.preview': privacy.previewErasure,
      'privacy.erase': privacy.erasePerson,
      'privacy.export': privacy.exportPerson,
      'privacy.blocked': privacy.blockedPeople,
      'privacy.lift': privacy.liftBlock,
    }
  },
  item: async () => {
    const items = await import('../catalog/items/index.ts')
    return {
      'items.list': items.listItems,
      'items.export': items.exportItems,
      'items.get': items.getItem,
      'items.create': items.createItem,
      'items.update': items.updateItem,
      'items.delete': items.deleteItem,
    }
  },
  import: async () => {
    const imports = await import('../app/imports/index.ts')
    return {
      'imports.list': imports.listImports,
      'imports.template': imports.importTemplate,
      'imports.upload': imports.uploadImport,
      'imports.get': imports.getImport,
      'imports.check': imports.checkImport,
      'imports.apply': imports.applyImport,
      'imports.undo': imports.undoImport,
      'imports.discard': imports.discardImport,
    }
  },
  series: async () => {
    const series = await import('../company/series/index.ts')
    return {
      'series.list': series.listSeries,
      'series.create': series.createSeries,
      'series.update': series.updateSeries,
    }
  },
  ledger: async () => {
    const ledger = await import('../accounting/ledger/index.ts')
    return {
      'ledger.journal': ledger.listJournal,
      'ledger.journalWindow': ledger.windowJournal,
      'ledger.entry': ledger.getEntry,
      'ledger.entriesOf': ledger.entriesOf,
      'ledger.accounts': ledger.listAccounts,
      'ledger.account': ledger.accountStatement,
      'ledger.trialBalance': ledger.trialBalance,
      'ledger.profitAndLoss': ledger.profitAndLoss,
      'ledger.balanceSheet': ledger.balanceSheet,
      'ledger.periods': ledger.listPeriods,
      'ledger.export': ledger.exportLedger,
      'ledger.writeEntry': ledger.writeEntry,
      'ledger.removeEntry': ledger.removeWritten,
      'ledger.saveAccount': ledger.saveAccount,
      'ledger.removeAccount': ledger.removeAccount,
      'ledger.openBalances': ledger.openBalances,
      'ledger.lock': ledger.lockPeriod,
      'ledger.closeYear': ledger.closeYear,
      'ledger.reopenYear': ledger.reopenYear,
      'ledger.numberYear': ledger.numberYear,
      'ledger.settleVat': ledger.settleVat,
    }
  },
  quote: async () => {
    const documents = await import('../documents/rendering/index.ts')
    const quotes = await import('../sales/quotes/index.ts')
    return {
      'quotes.list': quotes.listQuotes,
      'quotes.window': quotes.windowQuotes,
      'quotes.create': quotes.createQuote,
      'quotes.get': quotes.getQuote,
      'quotes.update': quotes.updateQuote,
      'quotes.delete': quotes.deleteQuote,
      'quotes.setState': quotes.setQuoteState,
      'quotes.duplicate': quotes.duplicateQuote,
      'quotes.convert': quotes.convertQuote,
      'quotes.pdf': documents.quotePdf,
      'quotes.preview': documents.previewQuote,
    }
  },
  recurring: async () => {
    const recurring = await import('../sales/recurring/index.ts')
    return {
      'templates.list': recurring.listTemplates,
      'templates.create': recurring.createTemplate,
      'templates.get': recurring.getTemplate,
      'templates.update': recurring.updateTemplate,
      'templates.delete': recurring.deleteTemplate,
      'templates.use': recurring.useTemplate,
      'recurring.list': recurring.listRecurrences,
      'recurring.create': recurring.createRecurrence,
      'recurring.get': recurring.getRecurrence,
      'recurring.update': recurring.updateRecurrence,
      'recurring.delete': recurring.deleteRecurrence,
      'recurring.pause': recurring.pauseRecurrence,
      'recurring.resume': recurring.resumeRecurrence,
      'recurring.skip': recurring.skipRecurrence,
      'recurring.run': recurring.runRecurrence,
      'recurring.preview': recurring.previewRecurrence,
    }
  },
  payment: async () => {
    const payments = await import('../accounting/payments/index.ts')
    return {
      'payments.list': payments.listPayments,
      'payments.window': payments.windowPayments,
      'payments.create': payments.createPayment,
      'payments.collect': payments.collectInvoices,
      'payments.get': payments.getPayment,
      'payments.delete': payments.deletePaymentByPerson,
      'payments.ofInvoice': payments.invoicePayments,
      'payments.payInvoice': payments.payInvoice,
      'payments.unpayInvoice': payments.unpayInvoice,
      'payments.writeOff': payments.writeOff,
      'payments.ofReceived': payments.receivedPayments,
      'payments.payReceived': payments.payReceived,
      'payments.unpayReceived': payments.unpayReceived,
      'payments.open': payments.openItems,
      'payments.aging': payments.aging,
      'payments.statement': payments.statement,
      'payments.statementFile': payments.statementFile,
      'payments.reminders': payments.listReminders,
      'payments.previewReminder': payments.previewReminder,
      'payments.remind': payments.createReminder,
      'payments.remindersOf': payments.invoiceReminders,
      'debits.creditor': payments.getCreditor,
      'debits.saveCreditor': payments.saveCreditor,
      'mandates.list': payments.listMandates,
      'mandates.create': payments.createMandate,
      'mandates.update': payments.updateMandate,
      'mandates.delete': payments.deleteMandate,
      'remittances.list': payments.listRemittances,
      'remittances.candidates': payments.candidates,
      'remittances.get': payments.getRemittance,
      'remittances.create': payments.createRemittance,
      'remittances.file': payments.remittanceFile,
      'remittances.settle': payments.settleRemittance,
      'remittances.unsettle': payments.unsettleRemittance,
      'remittances.return': payments.returnDebit,
      'remittances.discard': payments.discardRemittance,
    }
  },
  mail: async () => {
    const mail = await import('../documents/mail/index.ts')
    return {
      'mail.account': mail.getMailAccount,
      'mail.saveAccount': mail.saveMailAccount,
      'mail.test': mail.testMail,
      'mail.templates': mail.listMailTemplates,
      'mail.saveTemplate': mail.saveMailTemplate,
      'mail.prepare': mail.prepareMail,
      'mail.send': mail.sendMail,
      'mail.file': mail.mailFile,
      'mail.sendMany': mail.sendManyMails,
      'mail.list': mail.listMails,
      'mail.resolve': mail.resolveMail,
      'mail.ofInvoice': mail.invoiceMails,
      'mail.ofQuote': mail.quoteMails,
      'reminders.plan': mail.getReminderPlan,
      'reminders.savePlan': mail.saveReminderPlan,
      'reminders.ready': mail.readyReminders,
      'reminders.skip': mail.skipReminder,
      'reminders.hold': mail.holdReminders,
      'reminders.held': mail.remindersHeld,
      'reminders.send': mail.sendPlanned,
    }
  },
  tax: async () => {
    const company = await import('../company/index.ts')
    const tax = await import('../tax/rules/index.ts')
    // The data of the company that determine how its sales are taxed; the tax rules themselves have no access to
    // companies.
    const sellerFacts = async (ctx: Ctx): Promise<SellerFacts> => {
      const { territory, vat_regime: vatRegime, kind } = await company.findCompany(ctx)
      return { territory, vatRegime, kind }
    }
    return {
      'tax.propose': tax.proposeForCompany(sellerFacts),
      'tax.rates': tax.taxRates,
      'tax.causes': tax.taxCauses,
    }
  },
  lookup: async () => {
    const company = await import('../company/index.ts')
    const lookups = await import('../catalog/lookups/index.ts')
    return {
      'lookups.vatNumber': lookups.checkVatNumber(async (ctx) => (await company.findCompany(ctx)).nif),
      'lookups.vatNumberChecks': lookups.listVatNumberChecks,
      'lookups.census': lookups.checkCensus,
      'lookups.exchangeRate': lookups.exchangeRate,
    }
  },
  attachment: async () => {
    const attachments = await import('../platform/attachments/index.ts')
    return {
      'attachments.upload': attachments.uploadAttachment,
      'attachments.download': attachments.downloadAttachment,
      'attachments.delete': attachments.deleteAttachment,
    }
  },
  received: async () => {
    const received = await import('../purchases/invoices/index.ts')
    return {
      'received.list': received.listReceived,
      'received.window': received.windowReceived,
      'received.export': received.exportReceived,
      'received.files': received.exportReceivedFiles,
      'received.create': received.createReceived,
      'received.preview': received.previewReceived,
      'received.get': received.getReceived,
      'received.update': received.updateReceived,
      'received.void': received.voidReceived,
      'received.restore': received.restoreReceived,
      'received.attach': received.attachReceived,
      'received.detach': received.detachReceived,
      'received.concepts': received.listConcepts,
      'received.read': received.readReceived,
    }
  },
  bank: async () => {
    const bank = await import('../accounting/bank/index.ts')
    return {
      'bank.accounts': bank.listBankAccounts,
      'bank.account': bank.getBankAccount,
      'bank.createAccount': bank.createBankAccount,
      'bank.updateAccount': bank.updateBankAccount,
      'bank.deleteAccount': bank.deleteBankAccount,
      'bank.preview': bank.previewBankFile,
      'bank.import': bank.importBankFile,
      'bank.imports': bank.listBankImports,
      'bank.undoImport': bank.undoBankImport,
      'bank.transactions': bank.listTransactions,
      'bank.window': bank.windowTransactions,
      'bank.transaction': bank.getTransaction,
      'bank.match': bank.matchTransaction,
      'bank.unmatch': bank.unmatchTransaction,
      'bank.ignore': bank.ignoreTransaction,
      'bank.rules': bank.listBankRules,
      'bank.createRule': bank.createBankRule,
      'bank.updateRule': bank.updateBankRule,
      'bank.deleteRule': bank.deleteBankRule,
      'bank.applyRules': bank.applyBankRules,
      'bank.unapplyRules': bank.unapplyBankRules,
      'bank.reconciliation': bank.reconcileAccount,
    }
  },
  erp: async () => {
    const erp = await import('../integrations/erp/index.ts')
    return {
      'erp.connect': erp.connectErp,
      'erp.disconnect': erp.disconnectErp,
      'erp.sync': erp.syncErp,
      'erp.cancel': erp.cancelRun,
      'erp.status': erp.erpStatus,
      'erp.settings': erp.changeErpSettings,
      'erp.runs': erp.listRuns,
      'erp.run': erp.getRun,
      'erp.rejects': erp.listRejects,
      'erp.forget': erp.forgetErp,
    }
  },
  erpRecord: async () => {
    const erp = await import('../integrations/erp/index.ts')
    return {
      'erp.contacts': erp.listErpContacts,
      'erp.documents': erp.listErpDocuments,
      'erp.windowDocuments': erp.windowErpDocuments,
      'erp.document': erp.getErpDocument,
      'erp.items': erp.listErpItems,
      'erp.windowItems': erp.windowErpItems,
      'erp.compareContacts': erp.compareContacts,
      'erp.compareWith': erp.compareWith,
      'erp.linkContacts': erp.linkContacts,
      'erp.copy': erp.copyErpDocument,
    }
  },
  webhook: async () => {
    const webhooks = await import('../platform/webhooks/index.ts')
    return {
      'webhooks.list': webhooks.listWebhooks,
      'webhooks.create': webhooks.createWebhook,
      'webhooks.createByPerson': webhooks.createWebhookByPerson,
      'webhooks.get': webhooks.getWebhook,
      'webhooks.update': webhooks.updateWebhook,
      'webhooks.updateByPerson': webhooks.updateWebhookByPerson,
      'webhooks.delete': webhooks.deleteWebhook,
      'webhooks.rotateSecret': webhooks.rotateWebhookSecret,
      'webhooks.test': webhooks.testWebhook,
      'webhooks.deliveries': webhooks.listDeliveries,
      'webhooks.delivery': webhooks.getDelivery,
      'webhooks.redeliver': webhooks.redeliver,
      'webhooks.replay': webhooks.replay,
    }
  },
  bin: async () => {
    const bin = await import('../platform/trash/index.ts')
    return {
      'bin.restore': bin.restoreDeleted,
    }
  },
  backup: async () => {
    const backups = await import('../app/backups/index.ts')
    return {
      'backups.list': backups.listBackups,
      'backups.make': backups.makeBackupNow,
      'backups.settings': backups.changeBackupSettings,
      'backups.portable': backups.portableBackup,
      'backups.beginRestore': backups.beginRestore,
    }
  },
  demo: async () => {
    const demo = await import('../app/demo/index.ts')
    return {
      'demo.state': demo.getSample,
      'demo.fill': demo.fillSample,
      'demo.remove': demo.removeSample,
    }
  },
  goingLive: async () => {
    const goingLive = await import('../app/going-live/index.ts')
    return {
      'goingLive.offer': goingLive.carryOffer,
      'goingLive.carry': goingLive.carry,
    }
  },
  desk: async () => {
    const [desk, dashboard] = await Promise.all([
      import('../app/session/index.ts'),
      import('../app/dashboard/index.ts'),
    ])
    return {
      'session.get': desk.getSession,
      'session.savePreferences': desk.savePreferences,
      'recovery.reveal': desk.revealRecovery,
      'recovery.confirm': desk.confirmRecovery,
      'recovery.keyChange': desk.getKeyChange,
      'store.check': desk.checkStore,
      'dashboard.get': dashboard.getDashboard,
    }
  },
  view: async () => {
    const session = await import('../app/session/index.ts')
    return {
      'views.list': session.listViews,
      'views.save': session.saveViews,
    }
  },
  lock: async () => {
    const lock = await import('../app/app-lock/index.ts')
    return {
      'session.lockState': lock.getLockState,
      'session.unlock': lock.unlock,
      'session.lock': lock.lockNow,
      'session.alive': lock.noteAlive,
      'lock.get': lock.getLock,
      'lock.set': lock.setLock,
      'lock.options': lock.setLockOptions,
      'lock.approvals': lock.setLockApprovals,
      'lock.remove': lock.removeLock,
    }
  },
}
