/** The operations of the company's certificate. */
import { defineOperations, operation } from '../context.ts'
import { booksOfCompany } from '../platform/books/index.ts'
import {
  getCertificateContract,
  importCertificateContract,
  removeCertificateContract,
} from './certificates/contract.ts'
import type { CompanyOfBook } from './certificates/index.ts'
import { getCertificate, importCertificate, removeCertificate } from './certificates/index.ts'
import { findCompany } from './rows.ts'

/** Tells the certificates whose they are; they know nothing of companies themselves. */
const companyOfBook: CompanyOfBook = {
  company: findCompany,
  books: (ctx) => booksOfCompany(ctx.db, ctx.book.companyId),
}

export const certificateOperations = defineOperations([
  operation(getCertificateContract, getCertificate),
  operation(importCertificateContract, importCertificate(companyOfBook)),
  operation(removeCertificateContract, removeCertificate(companyOfBook)),
])
