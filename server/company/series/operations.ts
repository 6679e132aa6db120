/** The operations of numbering series. */
import { defineOperations, operation } from '../../context.ts'
import { listSeriesContract, createSeriesContract, updateSeriesContract } from './contract.ts'
import { listSeries, createSeries, updateSeries } from './manage.ts'

export const seriesOperations = defineOperations([
  operation(listSeriesContract, listSeries),
  operation(createSeriesContract, createSeries),
  operation(updateSeriesContract, updateSeries),
])
