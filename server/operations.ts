/** The table: every contract with the one function behind it. All doors derive from it; there is no second business path. */
import { listAudit, verifyAudit } from './audit/index.ts'
import { getCertificate, importCertificate, removeCertificate } from './certificates/index.ts'
import type { CompanyOfBook } from './certificates/index.ts'
import { booksOfCompany, createCompany, currentCompany, findCompany, updateCompany } from './company/index.ts'
import { createContact, deleteContact, getContact, listContacts, updateContact } from './contacts/index.ts'
import { contracts } from './contracts.ts'
import type { OperationName, OutputOf, ParsedInputOf } from './contracts.ts'
import type { AnyContract } from './core/contract.ts'
import type { Ctx, UseCase } from './ctx.ts'
import { confirmRecovery, getDashboard, getSession, revealRecovery, savePreferences } from './desk/index.ts'
import { fiscalSummary } from './fiscal/index.ts'
import { decideInbox, listInbox, proposeAction } from './inbox/index.ts'
import type { ProposalTarget } from './inbox/index.ts'
import {
  amendInvoice,
  cancelInvoice,
  createDraft,
  deleteDraft,
  getInvoice,
  issueInvoice,
  listInvoices,
  resolveInvoice,
  updateDraft,
  validateInvoice,
  partyFacts,
  windowInvoices,
} from './invoices/index.ts'
import { createKey, createKeyByPerson, listKeys, revokeKey } from './keys/index.ts'
import { invoicePdf } from './pdf/index.ts'
import {
  acceptClock,
  closeRecord,
  exportRecords,
  listRecords,
  newInstallation,
  readDeclaration,
  registryStatus,
  resumeSending,
  sendNow,
  setEnvironment,
  verifyChain,
} from './registry/index.ts'
import { createSeries, listSeries } from './series/index.ts'

export interface Operation {
  contract: AnyContract
  run(ctx: Ctx, input: unknown): Promise<unknown>
}

type Functions = { [Name in OperationName]: UseCase<ParsedInputOf<Name>, OutputOf<Name>> }

/** What a proposal is about; the inbox itself knows nothing of invoices. */
async function proposalTarget(ctx: Ctx, idOrNumber: string): Promise<ProposalTarget> {
  const row = await resolveInvoice(ctx, idOrNumber)
  return {
    id: row.public_id,
    number: row.number,
    state: row.state,
    clientName: (await partyFacts(ctx.db, row.party_id)).name,
    baseCents: row.base_cents,
    taxCents: row.tax_cents,
    totalCents: row.total_cents,
    registryStatus: row.registry_status,
  }
}

/** Whose certificate it is; the certificates themselves know nothing of companies. */
const companyOfBook: CompanyOfBook = {
  company: findCompany,
  books: (ctx) => booksOfCompany(ctx.db, ctx.book.companyId),
}

const functions: Functions = {
  'company.current': currentCompany,
  'company.create': createCompany,
  'company.update': updateCompany,
  'invoices.list': listInvoices,
  'invoices.create': createDraft,
  'invoices.get': getInvoice,
  'invoices.update': updateDraft,
  'invoices.delete': deleteDraft,
  'invoices.validate': validateInvoice,
  'invoices.issue': issueInvoice,
  'invoices.cancel': cancelInvoice,
  'invoices.amend': amendInvoice,
  'invoices.pdf': invoicePdf,
  'invoices.window': windowInvoices,
  'registry.status': registryStatus,
  'registry.records': listRecords,
  'registry.verify': verifyChain,
  'registry.send': sendNow,
  'registry.resume': resumeSending,
  'registry.close': closeRecord,
  'registry.setEnvironment': setEnvironment,
  'registry.newInstallation': newInstallation,
  'registry.acceptClock': acceptClock,
  'registry.export': exportRecords,
  'registry.declaration': readDeclaration,
  'certificates.get': getCertificate,
  'certificates.import': importCertificate(companyOfBook),
  'certificates.remove': removeCertificate(companyOfBook),
  'audit.list': listAudit,
  'audit.verify': verifyAudit,
  'keys.list': listKeys,
  'keys.create': createKey,
  'keys.createByPerson': createKeyByPerson,
  'keys.revoke': revokeKey,
  'fiscal.summary': fiscalSummary,
  'inbox.propose': proposeAction(proposalTarget),
  'inbox.list': listInbox,
  'inbox.decide': decideInbox,
  'contacts.list': listContacts,
  'contacts.get': getContact,
  'contacts.create': createContact,
  'contacts.update': updateContact,
  'contacts.delete': deleteContact,
  'series.list': listSeries,
  'series.create': createSeries,
  'session.get': getSession,
  'session.savePreferences': savePreferences,
  'recovery.reveal': revealRecovery,
  'recovery.confirm': confirmRecovery,
  'dashboard.get': getDashboard,
}

/** Every operation, in the order of the contracts. */
export const operations: readonly Operation[] = contracts.map((contract) => ({
  contract,
  // The input was parsed by this very contract: the types meet here, and nowhere else.
  run: functions[contract.name] as (ctx: Ctx, input: unknown) => Promise<unknown>,
}))

export const operationByName: ReadonlyMap<string, Operation> = new Map(
  operations.map((operation) => [operation.contract.name, operation]),
)
