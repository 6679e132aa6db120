/** Companies of all tax territories: their territory, and the regimes of the taxes that replace VAT. */
import type { WidenedCondition } from '../list.ts'

export const companyColumns = `
-- Code of the economic activity (1 to 7 digits), which the book of a person names in some registries.
alter table companies add column activity_code text;
`

export const companyConditions: readonly WidenedCondition[] = [
  {
    table: 'companies',
    from: "territory text not null check (territory in ('mainland', 'canary', 'ceuta_melilla'))",
    to: "territory text not null check (territory in ('mainland', 'canary', 'ceuta_melilla', 'basque'))",
  },
  {
    table: 'companies',
    from: "vat_regime text not null check (vat_regime in ('general', 'surcharge', 'simplified', 'cash', 'exempt', 'used_goods', 'travel'))",
    to: "vat_regime text not null check (vat_regime in ('general', 'surcharge', 'simplified', 'cash', 'exempt', 'used_goods', 'travel', 'retailer', 'small_business'))",
  },
]
