/** Imported first of all: everything that is imported after it runs while the answers are on their way. */
import { prefetchFirstPage } from './prefetch.ts'

prefetchFirstPage()
