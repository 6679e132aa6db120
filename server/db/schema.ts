/**
 * The tables as Kysely types, one file for each room. Generated from the migrations by `npm run generate`; the first
 * migration documents the conventions (units, instants, flags).
 */
import type { PlatformTables } from './schema/platform.ts'
import type { CompanyTables } from './schema/company.ts'
import type { TaxTables } from './schema/tax.ts'
import type { CatalogTables } from './schema/catalog.ts'
import type { RegistryTables } from './schema/registry.ts'
import type { SalesTables } from './schema/sales.ts'
import type { PurchasesTables } from './schema/purchases.ts'
import type { AccountingTables } from './schema/accounting.ts'
import type { DocumentsTables } from './schema/documents.ts'
import type { IntegrationsTables } from './schema/integrations.ts'
import type { AppTables } from './schema/app.ts'

export type * from './schema/platform.ts'
export type * from './schema/company.ts'
export type * from './schema/tax.ts'
export type * from './schema/catalog.ts'
export type * from './schema/registry.ts'
export type * from './schema/sales.ts'
export type * from './schema/purchases.ts'
export type * from './schema/accounting.ts'
export type * from './schema/documents.ts'
export type * from './schema/integrations.ts'
export type * from './schema/app.ts'

export interface Schema
  extends
    PlatformTables,
    CompanyTables,
    TaxTables,
    CatalogTables,
    RegistryTables,
    SalesTables,
    PurchasesTables,
    AccountingTables,
    DocumentsTables,
    IntegrationsTables,
    AppTables {}
