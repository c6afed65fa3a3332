/** For `vi.waitFor`: so long that only a message that never comes is missed. */
export const PATIENCE = { timeout: 20_000, interval: 5 }
