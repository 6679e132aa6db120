/**
 * TicketBAI: the registries of the three treasuries (`ticketBaiSystems`), and their parts without the port: the signed file of an invoice, its chain, its marks on paper, cancellation and correction,
 * and the rules before a number is spent. Pure: the caller provides key, clock and facts, and stores what it gets.
 */
export { printedNumber, splitNumber } from './content.ts'
export type { InvoiceContent, TicketBaiLink } from './content.ts'
export {
  amendedCancellation,
  amendedIssue,
  cancellationContent,
  invoiceContent,
  ticketBaiInvoice,
} from './facts.ts'
export type { TicketBaiInvoice } from './facts.ts'
export { isTicketBaiIdentifier, ticketBaiIdentifier, ticketBaiMarks } from './identifier.ts'
export { detailLines } from './lines.ts'
export { PROFILES } from './profiles.ts'
export type { Province } from './profiles.ts'
export { readTicketBai, UnreadableTicketBai } from './read.ts'
export { checkTicketBai, checkTicketBaiAmendment, checkTicketBaiCancellation } from './rules/index.ts'
export type { SealingContext } from './rules/index.ts'
export { ticketBaiSystems } from './port/system.ts'
export { linkOfInvoice, sealCancellation, sealInvoice, sealingCertificate } from './seal.ts'
export { isRegistered, softwareOf } from './software.ts'
export { chainFaultOf, differingFields, verifyTicketBai } from './verify.ts'
export { writeTicketBai } from './write.ts'
