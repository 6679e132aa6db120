/** The look of papers as its section edits it: what was changed, what is wrong before it is sent, and the colours offered. Pure. */
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import { contrastOnWhite, isReadableOnWhite } from '../../../../server/domain/contrast.ts'

export type Design = OutputOf<'company.design'>
export type DesignChanges = InputOf<'company.setDesign'>

/** What the server takes (server/company/design/contract.ts). */
export const FOOTER_CHARS = 400
export const FOOTER_LINES = 4

/** The papers' own colour, where nobody has chosen one (server/pdf/layout). */
export const HOUSE_COLOUR = '#0F5C5C'

/** Colours that can be read on white, each with its name below `settings.design.colour`. */
export const SWATCHES = [
  { name: 'house', colour: HOUSE_COLOUR },
  { name: 'black', colour: '#1B1B19' },
  { name: 'blue', colour: '#1F4E9E' },
  { name: 'ink', colour: '#262F78' },
  { name: 'green', colour: '#0B6B37' },
  { name: 'olive', colour: '#4F5B1E' },
  { name: 'brown', colour: '#7A4317' },
  { name: 'red', colour: '#A11D2C' },
  { name: 'garnet', colour: '#7B1238' },
  { name: 'violet', colour: '#5B2C83' },
] as const

/** A picture made ready in the window. */
export interface NewLogo {
  base64: string
  /** To be shown: `data:` with its type. */
  url: string
  width: number
  height: number
  bytes: number
}

export interface DesignForm {
  /** As it is typed. */
  accent: string
  footer: string
  simplifiedFormat: Design['simplifiedFormat']
  paymentQr: boolean
  /** `kept` leaves it as it is. */
  logo: NewLogo | 'kept' | null
}

export function formOf(design: Design): DesignForm {
  return {
    accent: design.accent ?? HOUSE_COLOUR,
    footer: design.footer ?? '',
    simplifiedFormat: design.simplifiedFormat,
    paymentQr: design.paymentQr,
    logo: 'kept',
  }
}

/** `#RRGGBB` in capitals of what was typed, with or without its sign, also short; null when it is no colour. */
export function readColour(text: string): string | null {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1]?.toUpperCase()
  if (digits === undefined) return null
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`
}

/** Contrast on white of what was typed, 1 to 21, rounded down so that it never promises too much; null when it is no colour. */
export function contrastOf(text: string): number | null {
  const colour = readColour(text)
  return colour === null ? null : Math.floor(contrastOnWhite(colour) * 10) / 10
}

/** What is wrong with a colour, as a message key below `settings.design.fault`; null when nothing is. */
export function colourFault(text: string): 'colour' | 'contrast' | null {
  const colour = readColour(text)
  if (colour === null) return 'colour'
  return isReadableOnWhite(colour) ? null : 'contrast'
}

const tidyFooter = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

/** What is wrong with the foot; null when nothing is. */
export function footerFault(text: string): 'footerLong' | 'footerLines' | null {
  const tidy = tidyFooter(text)
  if (tidy.length > FOOTER_CHARS) return 'footerLong'
  return tidy.split('\n').length > FOOTER_LINES ? 'footerLines' : null
}

/** What differs from the design that is kept. The house's colour is kept as no colour, so that it follows the house. */
export function changesOf(form: DesignForm, kept: Design): DesignChanges {
  const changes: DesignChanges = {}
  const colour = readColour(form.accent) ?? kept.accent
  const accent = colour === HOUSE_COLOUR ? null : colour
  const footer = tidyFooter(form.footer) || null
  if (accent !== kept.accent) changes.accent = accent
  if (footer !== kept.footer) changes.footer = footer
  if (form.simplifiedFormat !== kept.simplifiedFormat) changes.simplifiedFormat = form.simplifiedFormat
  if (form.paymentQr !== kept.paymentQr) changes.paymentQr = form.paymentQr
  if (form.logo !== 'kept' && (form.logo !== null || kept.logo !== null))
    changes.logo = form.logo?.base64 ?? null
  return changes
}

/** What takes `changes` back; `logo` are the kept picture's bytes in base64, null when there is none. */
export function undoChange(changes: DesignChanges, kept: Design, logo: string | null): DesignChanges {
  const { accent, footer, simplifiedFormat, paymentQr } = kept
  return {
    ...(changes.accent === undefined ? {} : { accent }),
    ...(changes.footer === undefined ? {} : { footer }),
    ...(changes.simplifiedFormat === undefined ? {} : { simplifiedFormat }),
    ...(changes.paymentQr === undefined ? {} : { paymentQr }),
    ...(changes.logo === undefined ? {} : { logo }),
  }
}
