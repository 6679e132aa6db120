/** Creates the simulated service of a province: Araba and Gipuzkoa answer files, Bizkaia messages of its book. */
import { randomBytes } from 'node:crypto'
import type { Province } from '../wire/services.ts'
import { createLroeService } from './lroe-service.ts'
import type { LroeServiceOptions } from './lroe-service.ts'
import type { SimulatedService } from './service.ts'
import { createXmlService } from './xml-service.ts'
import type { XmlServiceOptions } from './xml-service.ts'

export type ProvinceOptions = Omit<XmlServiceOptions, 'province' | 'newReceipt'> &
  Omit<LroeServiceOptions, 'newEntry'> & {
    /** Returns the code of a receipt or of an entry: each once. Random by default. */
    newReceipt?: () => string
  }

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns 16 characters: 80 random bits. */
const randomReceipt = (): string => Array.from(randomBytes(16), (byte) => SIGNS[byte & 31]).join('')

export function createProvinceService(province: Province, options: ProvinceOptions): SimulatedService {
  const newReceipt = options.newReceipt ?? randomReceipt
  return province === 'bizkaia'
    ? createLroeService({ ...options, newEntry: newReceipt })
    : createXmlService({ ...options, province, newReceipt })
}
