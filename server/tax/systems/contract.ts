/** Values of the tax systems that appear in contracts: territories, regimes of a company, families of taxes. */
import { z } from 'zod'

export const Territory = z.enum(['mainland', 'canary', 'ceuta_melilla', 'basque', 'navarre'])
export type Territory = z.infer<typeof Territory>

export const VatRegime = z
  .enum([
    'general',
    'surcharge',
    'simplified',
    'cash',
    'exempt',
    'used_goods',
    'travel',
    'retailer',
    'small_business',
  ])
  .meta({
    description:
      'Scheme of the company within the tax of its territory. surcharge, simplified: VAT only; retailer, small_business: IGIC only; IPSI has general and exempt.',
  })
export type VatRegime = z.infer<typeof VatRegime>

export const TaxFamily = z.enum(['vat', 'igic', 'ipsi']).meta({
  description: 'VAT (mainland and Balearic Islands), IGIC (Canary Islands), IPSI (Ceuta and Melilla).',
})
export type TaxFamily = z.infer<typeof TaxFamily>
