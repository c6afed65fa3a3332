/** For `vi.waitFor`: so long that only what never comes is missed. */
export const PATIENCE = { timeout: 45_000, interval: 10 }
