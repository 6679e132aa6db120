/** The operations on the companies of an installation. */
import { defineOperations, operation } from '../../context.ts'
import { archiveCompany, restoreCompany } from './archive.ts'
import { setFavourite, setGroup, setMark } from './arrange.ts'
import { checkNewNif } from './check-nif.ts'
import {
  archiveCompanyContract,
  checkNewNifContract,
  endCompanyContract,
  endedCompaniesContract,
  listCompaniesContract,
  previewEndContract,
  restoreCompanyContract,
  setFavouriteContract,
  setGroupContract,
  setMarkContract,
} from './contract.ts'
import { endCompany, endedCompanies, previewEnd } from './end/end.ts'
import { listCompanies } from './list.ts'

export const companiesOperations = defineOperations([
  operation(listCompaniesContract, listCompanies),
  operation(setFavouriteContract, setFavourite),
  operation(setGroupContract, setGroup),
  operation(setMarkContract, setMark),
  operation(archiveCompanyContract, archiveCompany),
  operation(restoreCompanyContract, restoreCompany),
  operation(previewEndContract, previewEnd),
  operation(endCompanyContract, endCompany),
  operation(endedCompaniesContract, endedCompanies),
  operation(checkNewNifContract, checkNewNif),
])
