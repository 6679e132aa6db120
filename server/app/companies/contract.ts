/** Contracts of the companies of an installation: the list, a person's order of it, the archive and the end of one. */
import { z } from 'zod'
import { COMPANY_COLOURS } from '../../domain/company-mark.ts'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { businessDate, line, Mode, PathId } from '../../domain/contract/fields.ts'
import { HELD_KINDS } from './end/kinds.ts'
import { Law } from '../privacy/contract.ts'

const ONE_PAGE = 200

export const CompanyEntry = z
  .strictObject({
    id: z.string(),
    legalName: z.string(),
    tradeName: z.string().optional(),
    nif: z.string(),
    colour: z.int().min(0).meta({ description: 'Place in the palette of the window.' }),
    mark: z.string().meta({ description: 'One or two letters.' }),
    favourite: z.boolean(),
    archived: z.boolean(),
    sample: z.boolean().meta({ description: 'The sample company, with its test book only.' }),
    advised: z
      .literal(true)
      .optional()
      .meta({ description: "The copy of a client's books: nothing is issued here." }),
    books: z.array(z.strictObject({ id: z.string(), mode: Mode })),
  })
  .meta({ id: 'CompanyEntry' })

export const listCompaniesContract = defineContract({
  name: 'companies.list',
  summary:
    'The companies that the person may open: favourites, those opened last, groups, the others, the archive.',
  access: 'person',
  effect: 'read',
  bookless: true,
  input: z.strictObject({
    text: z.string().max(80).optional().meta({
      description: 'Parts of the legal name, the trade name or the NIF; case and accents do not matter.',
    }),
    group: line(40).optional(),
    favourite: z.literal(true).optional(),
    archived: z.enum(['no', 'also', 'only']).optional().meta({ description: 'Default: no.' }),
    limit: z.int().min(1).max(ONE_PAGE).optional(),
    cursor: z.string().max(400).optional(),
  }),
  output: z.strictObject({
    items: z.array(
      CompanyEntry.extend({
        section: z.enum(['favourite', 'recent', 'group', 'other', 'archived']),
        group: z.string().nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
    total: z.int().meta({ description: 'Of all pages.' }),
    groups: z.array(z.string()).meta({ description: 'All groups of the person, by name.' }),
  }),
  errors: ['validation_failed'],
})

export const setFavouriteContract = defineContract({
  name: 'companies.setFavourite',
  summary: 'Put a company among the favourites of the person, or take it out.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({ companyId: PathId, favourite: z.boolean() }),
  output: z.strictObject({ favourite: z.boolean() }),
  errors: ['not_found'],
})

export const setGroupContract = defineContract({
  name: 'companies.setGroup',
  summary: 'Put companies into a group of the person; a group without companies is gone.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({
    companyIds: z.array(PathId).min(1).max(1000),
    group: line(40).nullable().meta({ description: 'Null: in no group.' }),
  }),
  output: z.strictObject({ groups: z.array(z.string()) }),
  errors: ['not_found'],
})

export const setMarkContract = defineContract({
  name: 'companies.setMark',
  summary: 'Choose the colour and the letters by which everybody recognizes the company.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    colour: z
      .int()
      .min(0)
      .max(COMPANY_COLOURS - 1)
      .nullable()
      .meta({ description: 'Null: the derived one.' }),
    mark: z
      .string()
      .regex(/^[\p{L}\p{N}]{1,2}$/u)
      .nullable()
      .meta({ description: 'Null: the initials.' }),
  }),
  output: z.strictObject({ colour: z.int(), mark: z.string() }),
  errors: [],
})

const whole = {
  access: 'person',
  effect: 'write',
  input: z.strictObject({}),
  output: z.strictObject({ archived: z.boolean() }),
} as const

export const archiveCompanyContract = defineContract({
  ...whole,
  name: 'companies.archive',
  summary: 'Archive a company: it leaves the lists and gets no new documents until it is taken back.',
  errors: [],
})

export const restoreCompanyContract = defineContract({
  ...whole,
  name: 'companies.restore',
  summary: 'Take a company back from the archive.',
  errors: [],
})

const Held = z.strictObject({
  kind: z.enum(HELD_KINDS),
  count: z.int(),
  last: businessDate('Day of the last one.').nullable(),
  until: businessDate('Last day of the longest period.').nullable(),
  laws: z.array(Law),
  over: z.boolean().meta({ description: 'True when every period has ended.' }),
})

const EndPreview = z
  .strictObject({
    companyId: z.string(),
    legalName: z.string(),
    nif: z.string(),
    archived: z.boolean(),
    mayEnd: z.boolean(),
    neverLive: z.boolean().meta({ description: 'Nothing in its live book has legal effect.' }),
    earliest: businessDate('First day on which the whole may be deleted.').nullable(),
    held: z.array(Held),
  })
  .meta({ id: 'CompanyEnd' })

export const previewEndContract = defineContract({
  name: 'companies.endPreview',
  summary:
    'Until when the law keeps what a company has, and the first day on which the company may be deleted.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: EndPreview,
  errors: [],
})

export const endCompanyContract = defineContract({
  name: 'companies.end',
  summary:
    'Delete a company with both its books, once no period of the law holds anything of it. Cannot be undone.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    nif: line(20).meta({ description: 'The NIF of the company, typed to confirm.' }),
  }),
  output: z.strictObject({ rows: z.int().meta({ description: 'Rows that were deleted.' }) }),
  errors: ['company_retained', 'validation_failed'],
})

export const endedCompaniesContract = defineContract({
  name: 'companies.ended',
  summary: 'The companies that were deleted: what remains of them.',
  access: 'person',
  effect: 'read',
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        companyId: z.string(),
        legalName: z.string(),
        nif: z.string(),
        endedAt: z.string(),
        endedBy: z.string(),
        lastHash: z.string().nullable().meta({ description: 'Of the last record of its live chain.' }),
        records: z.int().meta({ description: 'Records that its live chain had.' }),
      }),
    ),
  }),
  errors: [],
})

/** What was found about the NIF of a company that is to be added. */
export const checkNewNifContract = defineContract({
  name: 'companies.checkNif',
  summary: 'What the census and VIES say of the NIF of a company that is to be added.',
  description: 'Asks only when a person asks; every source answers or says why it did not.',
  access: 'person',
  effect: 'read',
  external: true,
  bookless: true,
  input: z.strictObject({
    nif: line(20),
    name: line(120).optional().meta({ description: 'To compare; the census needs it for natural persons.' }),
    bookId: PathId.optional().meta({
      description: 'The book whose certificate asks the census; without one the census is not asked.',
    }),
  }),
  output: z.strictObject({
    nif: z.string(),
    existing: z
      .strictObject({ companyId: z.string(), name: z.string(), bookId: z.string().nullable() })
      .nullable()
      .meta({ description: 'The company of the installation that has the number already.' }),
    census: z.strictObject({
      state: z.enum([
        'identified',
        'similar',
        'not_identified',
        'inactive',
        'revoked',
        'not_asked',
        'unavailable',
      ]),
      name: z.string().nullable(),
    }),
    vies: z.strictObject({
      state: z.enum(['valid', 'unknown', 'unavailable']),
      name: z.string().nullable(),
      address: z
        .strictObject({ street: z.string(), postalCode: z.string(), city: z.string(), province: z.string() })
        .partial()
        .nullable(),
    }),
    nameDiffers: z.boolean().meta({ description: 'The given name is not the one that a source has.' }),
    simulated: z.boolean(),
  }),
  errors: ['validation_failed'],
})
