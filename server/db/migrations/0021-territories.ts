/** Businesses of all of Spain: registries and taxes of several territories; one file for each topic. */
import { registries } from './0021/registries.ts'

const parts: readonly string[] = [registries]

export const territories = parts.join('\n')
