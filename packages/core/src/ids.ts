import { v7 } from 'uuid'

/** Makes a new id. Ids made later sort after ids made earlier. */
export type GenerateId = () => string

/** Makes a UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits. */
export const generateId: GenerateId = () => v7()
