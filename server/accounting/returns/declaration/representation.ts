/** Filing for the company by the holder of another certificate: how it represents the company, and who stated it. */

/** How the holder of a certificate acts for the filer: as attorney (apoderado), social collaborator or legal representative. */
export const REPRESENTATIONS = ['attorney', 'collaborator', 'legal'] as const
export type Representation = (typeof REPRESENTATIONS)[number]

/** What a person stated: the holder of this certificate may file for the company. */
export interface Representative {
  as: Representation
  /** Number and name as the certificate names them. */
  nif: string
  name: string
  /** Public identifier of the certificate that was in use. */
  certificateId: string
  /** Milliseconds since 1970. */
  since: number
  by: string
}
