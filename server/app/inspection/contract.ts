/**
 * Contracts of the inspection pack: the books for a tax inspector, an accountant or an owner without Sello, in one
 * self-verifying archive.
 */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { StreamAnswer } from '../../domain/contract/fields.ts'

const Year = z.int().min(2000).max(2999)

export const inspectorPackContract = defineContract({
  name: 'books.inspectorPack',
  summary: 'The book, or some years of it, as one ZIP with a page that verifies it without Sello.',
  description:
    'Records as they were sealed, with the answers of the authority; the chain; invoices as PDF and the electronic ones kept; the whole history; VAT books and ledger; a manifest with the SHA-256 of every file; and `index.html`, which checks all of it offline. Made while it is sent. A book makes one at a time.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    from: Year.optional().meta({ description: 'First year; without years, the whole book.' }),
    to: Year.optional().meta({ description: 'Last year; the first when not said.' }),
  }),
  output: StreamAnswer,
  media: 'application/zip',
  errors: ['validation_failed', 'nothing_to_export', 'export_too_many', 'exports_busy'],
})

const PACK_STEPS = ['checking', 'records', 'invoices', 'history', 'books', 'closing'] as const

export const packProgressContract = defineContract({
  name: 'books.packProgress',
  summary: 'How far the archive is that is being made of the book.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    underWay: z
      .strictObject({
        step: z.enum(PACK_STEPS),
        done: z.int(),
        total: z.int().meta({ description: 'Of this step; 0 where it cannot be counted.' }),
      })
      .nullable(),
  }),
  errors: [],
})
