/** Contract of the company's document design: logo, colour, footer, and the format of its tickets. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { BytesAnswer, paragraph } from '../../domain/contract/fields.ts'
import { FOOTER_CHARS, FOOTER_LINES, MAX_LOGO_KIB } from './limits.ts'

/** Base64 takes four characters for three bytes. */
const MAX_LOGO_BASE64 = Math.ceil((MAX_LOGO_KIB * 1024) / 3) * 4

export const Design = z
  .strictObject({
    accent: z
      .string()
      .nullable()
      .meta({ description: "`#RRGGBB` of titles and bars; null for the house's." }),
    footer: z.string().nullable().meta({ description: 'Printed small at the foot of every page.' }),
    simplifiedFormat: z
      .enum(['a4', 'ticket'])
      .meta({ description: 'Of simplified invoices: a sheet, or the 80 mm roll of a ticket printer.' }),
    paymentQr: z
      .boolean()
      .meta({ description: "Invoices paid by transfer carry the code that a bank's app reads." }),
    logo: z
      .strictObject({ width: z.int(), height: z.int(), sha256: z.string() })
      .nullable()
      .meta({ description: 'Pixels, and the SHA-256 of the bytes as kept.' }),
  })
  .meta({ id: 'Design' })
export type Design = z.infer<typeof Design>

export const DesignChanges = z.strictObject({
  accent: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/)
    .nullable()
    .optional()
    .meta({ description: '`#RRGGBB`, with a contrast of at least 4.5:1 on white; null for the house’s.' }),
  footer: paragraph(FOOTER_CHARS)
    .nullable()
    .optional()
    .meta({ description: `At most ${FOOTER_LINES} lines.` }),
  simplifiedFormat: z.enum(['a4', 'ticket']).optional(),
  paymentQr: z.boolean().optional(),
  logo: z
    .base64()
    .max(MAX_LOGO_BASE64)
    .nullable()
    .optional()
    .meta({
      description: `A PNG or JPEG of at most ${MAX_LOGO_KIB} KiB in base64, in RGB or grey; transparency becomes white. Null removes it.`,
    }),
})

export const getDesignContract = defineContract({
  name: 'company.design',
  summary: "How the company's papers look.",
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: Design,
  errors: [],
})

export const setDesignContract = defineContract({
  name: 'company.setDesign',
  summary: "Change how the company's papers look. Documents drawn before stay as they are.",
  access: 'person',
  effect: 'write',
  bodyMiB: 2,
  input: DesignChanges,
  output: Design,
  errors: ['validation_failed', 'logo_unusable'],
})

export const getLogoContract = defineContract({
  name: 'company.logo',
  summary: "The company's logo, as its papers show it.",
  access: 'person',
  effect: 'read',
  media: 'image/png',
  otherMedia: ['image/jpeg'],
  input: z.strictObject({}),
  output: BytesAnswer,
  errors: ['not_found'],
})
