import type { Storage } from '../storage.js'

/** The store under test; to be called inside a test, since it is opened before them. */
export type OpenedStorage = () => Storage
