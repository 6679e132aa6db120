/** How the window treats the registry of the book: what it asks for and where its help is. By the name of the registry. */
import { computed } from 'vue'
import type { TopicId } from '../app/help/topics.ts'
import { registryName } from '../tax/tax-system.ts'

interface RegistryTraits {
  /** An invoice is signed when it is issued: in a live book nothing is issued without the company's certificate. */
  signsAtIssue: boolean
  /** Its book names the economic activity of a natural person. */
  namesActivity: boolean
  /** It lists goods and services apart on invoices to customers abroad. */
  listsSupplies: boolean
  /** What was sent can be corrected without another invoice. */
  amends: boolean
  /** Page of the authority with questions, answers and contact; null where none was checked. */
  supportPage: string | null
  /** Help topic of the registry's page. */
  topic: TopicId
}

const SIGNED: RegistryTraits = {
  signsAtIssue: true,
  listsSupplies: true,
  namesActivity: false,
  amends: true,
  supportPage: null,
  topic: 'signed-registry',
}
const USUAL: RegistryTraits = {
  signsAtIssue: false,
  listsSupplies: false,
  namesActivity: false,
  amends: true,
  supportPage:
    'https://sede.agenciatributaria.gob.es/Sede/iva/sistemas-informaticos-facturacion-verifactu.html',
  topic: 'verifactu',
}

/** A registry that is not named here is treated as one that takes a hash. */
export const REGISTRY_TRAITS: Readonly<Record<string, RegistryTraits>> = {
  verifactu: USUAL,
  'signed-01': SIGNED,
  'signed-20': SIGNED,
  'signed-48': { ...SIGNED, namesActivity: true, amends: false },
}

/** Traits of the registry that the shown book is under. */
export const registryTraits = computed<RegistryTraits>(() => REGISTRY_TRAITS[registryName.value] ?? USUAL)
