/** Imported first: the modules imported after it run while the prefetched answers are on their way. */
import { prefetchFirstPage } from './prefetch.ts'

prefetchFirstPage()
